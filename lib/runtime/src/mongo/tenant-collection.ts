import type {
  AggregateOptions,
  AggregationCursor,
  ClientSession,
  Collection,
  DeleteResult,
  Document,
  Filter,
  FindCursor,
  FindOneAndUpdateOptions,
  FindOptions,
  OptionalUnlessRequiredId,
  UpdateFilter,
  UpdateOptions,
  UpdateResult,
} from 'mongodb';
import type { TenantId } from '../auth/tenant-id.ts';
import { checkFilter, checkNewDocument, checkPipeline, checkUpdate } from './tenant-guard.ts';

/** What every document of a tenant has. */
export interface TenantDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
}

/** A filter, as the driver knows it, that does not name the tenant. */
export type TenantFilter<D extends TenantDocument> = Filter<D> & { readonly tenant_id?: never };

/** Operators of an update, or the stages ($set, $addFields, $unset) of one by pipeline; the tenant is out of reach. */
export type TenantUpdate<D extends TenantDocument> = UpdateFilter<D> | readonly Document[];

/** A document before the scope has put its tenant in. Keeps the variants of a union apart. */
export type NewDocument<D extends TenantDocument> = D extends unknown ? Omit<D, 'tenant_id'> : never;

/**
 * `maxTimeMS` is 10,000 when not given; it bounds the server's work on the whole cursor. With `raw` documents come as
 * bytes of BSON: for very many, which the driver otherwise reads twice, once for its events of commands.
 */
export type ReadOptions = Pick<
  FindOptions,
  'sort' | 'limit' | 'projection' | 'hint' | 'session' | 'maxTimeMS' | 'batchSize' | 'raw'
>;

type WriteOptions = Pick<UpdateOptions, 'upsert' | 'arrayFilters' | 'hint' | 'session'>;

/** The part of a cursor that cannot change what it looks for. */
type TenantCursor<T> = Pick<FindCursor<T>, 'toArray' | 'next' | 'close' | typeof Symbol.asyncIterator>;

/**
 * One tenant's part of a collection. The tenant is put into every filter, new document and aggregation; what names
 * it, or reaches another collection, throws before it is sent.
 */
export interface TenantCollection<D extends TenantDocument> {
  /** Names of the collection and the tenant. */
  readonly scope: { readonly collection: string; readonly tenantId: TenantId };
  find<T = D>(filter: TenantFilter<D>, options?: ReadOptions): TenantCursor<T>;
  findOne<T = D>(filter: TenantFilter<D>, options?: ReadOptions): Promise<T | null>;
  countDocuments(
    filter: TenantFilter<D>,
    options?: Pick<ReadOptions, 'limit' | 'hint' | 'session' | 'maxTimeMS'>,
  ): Promise<number>;
  aggregate<T extends Document>(
    pipeline: readonly Document[],
    options?: Pick<AggregateOptions, 'allowDiskUse' | 'batchSize' | 'hint' | 'maxTimeMS' | 'session'>,
  ): TenantCursor<T>;
  /** Gives the document as it is stored. */
  insertOne(document: NewDocument<D>, options?: { readonly session?: ClientSession }): Promise<D>;
  updateOne(filter: TenantFilter<D>, update: TenantUpdate<D>, options?: WriteOptions): Promise<UpdateResult<D>>;
  updateMany(
    filter: TenantFilter<D>,
    update: TenantUpdate<D>,
    options?: Omit<WriteOptions, 'upsert'>,
  ): Promise<UpdateResult<D>>;
  /** Gives the document as it is after the update, unless `returnDocument` says otherwise. */
  findOneAndUpdate(
    filter: TenantFilter<D>,
    update: TenantUpdate<D>,
    options?: Pick<
      FindOneAndUpdateOptions,
      'upsert' | 'arrayFilters' | 'returnDocument' | 'projection' | 'sort' | 'session'
    >,
  ): Promise<D | null>;
  deleteOne(filter: TenantFilter<D>, options?: { readonly session?: ClientSession }): Promise<DeleteResult>;
  deleteMany(filter: TenantFilter<D>, options?: { readonly session?: ClientSession }): Promise<DeleteResult>;
}

const READ_LIMIT = { maxTimeMS: 10_000 } as const;

/** The only way to a tenant's documents, beside the named exceptions of `systemScope`. */
export function tenantCollection<D extends TenantDocument>(
  collection: Collection<D>,
  tenantId: TenantId,
): TenantCollection<D> {
  if (!tenantId) throw new Error('A tenant scope needs a tenant');

  // The casts below add the one field that the types took away.
  function scoped(filter: TenantFilter<D>): Filter<D> {
    checkFilter(filter);
    return { ...filter, tenant_id: tenantId } as Filter<D>;
  }
  function owned(document: NewDocument<D>): D {
    checkNewDocument(document);
    return { ...document, tenant_id: tenantId } as unknown as D;
  }
  function checked(update: TenantUpdate<D>): UpdateFilter<D> {
    checkUpdate(update);
    return update as UpdateFilter<D>;
  }

  return {
    scope: { collection: collection.collectionName, tenantId },
    find<T>(filter: TenantFilter<D>, options?: ReadOptions) {
      // With a projection the caller says what is left of the document.
      return collection.find(scoped(filter), { ...READ_LIMIT, ...options }) as unknown as FindCursor<T>;
    },
    async findOne<T>(filter: TenantFilter<D>, options?: ReadOptions) {
      return (await collection.findOne(scoped(filter), { ...READ_LIMIT, ...options })) as T | null;
    },
    async countDocuments(filter, options) {
      return collection.countDocuments(scoped(filter), { ...READ_LIMIT, ...options });
    },
    aggregate<T extends Document>(pipeline: readonly Document[], options?: AggregateOptions): AggregationCursor<T> {
      checkPipeline(pipeline);
      return collection.aggregate<T>([{ $match: { tenant_id: tenantId } }, ...pipeline], { ...READ_LIMIT, ...options });
    },
    async insertOne(document, options) {
      const stored = owned(document);
      // A document that has its _id is what the driver's type asks for; it cannot tell with a type parameter.
      await collection.insertOne(stored as OptionalUnlessRequiredId<D>, options);
      return stored;
    },
    async updateOne(filter, update, options) {
      return collection.updateOne(scoped(filter), checked(update), options);
    },
    async updateMany(filter, update, options) {
      return collection.updateMany(scoped(filter), checked(update), options);
    },
    async findOneAndUpdate(filter, update, options) {
      const found = await collection.findOneAndUpdate(scoped(filter), checked(update), {
        returnDocument: 'after',
        ...options,
      });
      return found as D | null;
    },
    async deleteOne(filter, options) {
      return collection.deleteOne(scoped(filter), options);
    },
    async deleteMany(filter, options) {
      return collection.deleteMany(scoped(filter), options);
    },
  };
}
