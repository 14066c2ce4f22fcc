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

export interface TenantDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
}

/** A filter of the driver that must not name the tenant. */
export type TenantFilter<D extends TenantDocument> = Filter<D> & { readonly tenant_id?: never };

/** Update operators, or pipeline stages ($set, $addFields, $unset). They must not name the tenant. */
export type TenantUpdate<D extends TenantDocument> = UpdateFilter<D> | readonly Document[];

/** A document without its tenant, which the scope adds. Distributes over unions. */
export type NewDocument<D extends TenantDocument> = D extends unknown ? Omit<D, 'tenant_id'> : never;

/**
 * Options for reads. `maxTimeMS` (default: 10,000) bounds the server's work for the whole cursor. With `raw`, documents
 * stay BSON bytes, which saves time for very many of them.
 */
export type ReadOptions = Pick<
  FindOptions,
  'sort' | 'skip' | 'limit' | 'projection' | 'hint' | 'session' | 'maxTimeMS' | 'batchSize' | 'raw'
>;

type WriteOptions = Pick<UpdateOptions, 'upsert' | 'arrayFilters' | 'hint' | 'session'>;

/** The members of a cursor that cannot change the query. */
type TenantCursor<T> = Pick<FindCursor<T>, 'toArray' | 'next' | 'close' | typeof Symbol.asyncIterator>;

/**
 * A collection restricted to one tenant. The tenant is added to every filter, new document and aggregation. A method
 * throws before it sends a filter, update or new document that names the tenant, or a stage that reaches another
 * collection.
 */
export interface TenantCollection<D extends TenantDocument> {
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
  insertOne(document: NewDocument<D>, options?: { readonly session?: ClientSession }): Promise<D>;
  updateOne(filter: TenantFilter<D>, update: TenantUpdate<D>, options?: WriteOptions): Promise<UpdateResult<D>>;
  updateMany(
    filter: TenantFilter<D>,
    update: TenantUpdate<D>,
    options?: Omit<WriteOptions, 'upsert'>,
  ): Promise<UpdateResult<D>>;
  /** Returns the document after the update, unless `returnDocument` is set. */
  findOneAndUpdate(
    filter: TenantFilter<D>,
    update: TenantUpdate<D>,
    options?: Pick<
      FindOneAndUpdateOptions,
      'upsert' | 'arrayFilters' | 'hint' | 'returnDocument' | 'projection' | 'sort' | 'session'
    >,
  ): Promise<D | null>;
  deleteOne(filter: TenantFilter<D>, options?: { readonly session?: ClientSession }): Promise<DeleteResult>;
  deleteMany(filter: TenantFilter<D>, options?: { readonly session?: ClientSession }): Promise<DeleteResult>;
}

const TIME_LIMIT = { maxTimeMS: 10_000 } as const;

/**
 * Gives access to the documents of one tenant. Only `systemScope` and functions that take a whole collection bypass it:
 * `insertBatch`, `insertWithEvents` and `replaceWithTombstone`.
 */
export function tenantCollection<D extends TenantDocument>(
  collection: Collection<D>,
  tenantId: TenantId,
): TenantCollection<D> {
  if (!tenantId) throw new Error('A tenant scope needs a tenant');

  // The types exclude `tenant_id`, so adding it needs casts.
  function scoped(filter: TenantFilter<D>): Filter<D> {
    checkFilter(filter);
    return { ...filter, tenant_id: tenantId } as Filter<D>;
  }
  function withTenant(document: NewDocument<D>): D {
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
      // With a projection, the caller gives the type of the remaining document.
      return collection.find(scoped(filter), { ...TIME_LIMIT, ...options }) as unknown as FindCursor<T>;
    },
    async findOne<T>(filter: TenantFilter<D>, options?: ReadOptions) {
      return (await collection.findOne(scoped(filter), { ...TIME_LIMIT, ...options })) as T | null;
    },
    async countDocuments(filter, options) {
      return collection.countDocuments(scoped(filter), { ...TIME_LIMIT, ...options });
    },
    aggregate<T extends Document>(pipeline: readonly Document[], options?: AggregateOptions): AggregationCursor<T> {
      checkPipeline(pipeline);
      return collection.aggregate<T>([{ $match: { tenant_id: tenantId } }, ...pipeline], { ...TIME_LIMIT, ...options });
    },
    async insertOne(document, options) {
      const stored = withTenant(document);
      // D has an _id, but the driver's type cannot see that of a type parameter.
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
