import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { BSON, type Collection } from 'mongodb';
import type { SealedAnswers, SealedResponse } from './response.ts';
import type { ResponseFilter } from './response-filter.ts';
import { fromDocument, HINT, type ResponseDocument, SCAN_LIMIT, toCondition } from './response-store.ts';

/** Reads the responses of a survey from the first to the last: oldest first, up to a hundred at a time. */
export interface ResponseStreamStore {
  read(tenantId: TenantId, filter: ResponseFilter): AsyncIterable<readonly SealedResponse[]>;
  readAnswers(tenantId: TenantId, filter: ResponseFilter): AsyncIterable<readonly SealedAnswers[]>;
  /** The versions that they answer, latest first. */
  findVersions(tenantId: TenantId, filter: ResponseFilter): Promise<readonly number[]>;
  /** Of those that are there now, of `most` of them where they are more. */
  findState(tenantId: TenantId, filter: ResponseFilter, most: number): Promise<ResponsesState>;
}

/** Another one once some responses came, changed or went. */
export interface ResponsesState {
  readonly count: number;
  /** When each was changed last, in milliseconds since 1970, together. */
  readonly changedMs: bigint;
}

type Last = Pick<ResponseDocument, '_id' | 'created_at'>;
type AnswersDocument = Last &
  Pick<ResponseDocument, 'survey_version' | 'status' | 'updated_at' | 'completed_at' | 'data'>;

/** In one answer of the database, which has 16 MiB at the most. */
const PAGE = 500;
/** Made objects of at once: what dies young costs no memory. */
const AT_A_TIME = 100;
const ALL = { outbox: 0, request_hash: 0, draw: 0, ledger_entries: 0 } as const;
const ANSWERS = { created_at: 1, survey_version: 1, status: 1, updated_at: 1, completed_at: 1, data: 1 } as const;

export function createResponseStreamStore(collection: Collection<ResponseDocument>): ResponseStreamStore {
  /** One answer of the database, which leaves no cursor behind that a slow reader could let expire. */
  function readPage(
    tenantId: TenantId,
    condition: TenantFilter<ResponseDocument>,
    projection: Readonly<Record<string, 0 | 1>>,
  ): Promise<Uint8Array[]> {
    const found = tenantCollection(collection, tenantId).find<Uint8Array>(condition, {
      ...HINT,
      sort: { created_at: 1, _id: 1 },
      projection,
      batchSize: PAGE,
      // Of a negative limit MongoDB gives what goes into one answer, and no more.
      limit: -PAGE,
      maxTimeMS: SCAN_LIMIT.maxTimeMS,
      raw: true,
    });
    return found.toArray();
  }

  async function* readAll<D extends Last>(
    tenantId: TenantId,
    filter: ResponseFilter,
    projection: Readonly<Record<string, 0 | 1>>,
  ): AsyncGenerator<readonly D[]> {
    const condition = toCondition(filter);
    // The projection says what they have.
    const toDocument = (bytes: Uint8Array) => BSON.deserialize(bytes) as D;
    let next = readPage(tenantId, condition, projection);
    for (;;) {
      const page = await next;
      const last = page.at(-1);
      if (last === undefined) return;
      // The database looks for them while the reader is busy with these.
      next = readPage(tenantId, { $and: [condition, after(toDocument(last))] }, projection);
      // Its turn comes above, or never when the reader has enough.
      next.catch(() => {});
      for (let start = 0; start < page.length; start += AT_A_TIME)
        yield page.slice(start, start + AT_A_TIME).map(toDocument);
    }
  }

  return {
    async *read(tenantId, filter) {
      for await (const documents of readAll<ResponseDocument>(tenantId, filter, ALL)) yield documents.map(fromDocument);
    },

    async *readAnswers(tenantId, filter) {
      const { surveyId } = filter;
      for await (const documents of readAll<AnswersDocument>(tenantId, filter, ANSWERS))
        yield documents.map((document) => ({ ...toAnswers(document), tenantId, surveyId }));
    },

    async findVersions(tenantId, filter) {
      const stages = [{ $match: toCondition(filter) }, { $group: { _id: '$survey_version' } }, { $sort: { _id: -1 } }];
      const found = tenantCollection(collection, tenantId).aggregate<{ _id: number }>(stages, SCAN_LIMIT);
      return (await found.toArray()).map(({ _id }) => _id);
    },

    async findState(tenantId, filter, most) {
      // Up to five million go into a number of 64 bits.
      const changedMs = { $sum: { $toLong: '$updated_at' } };
      const stages = [
        { $match: toCondition(filter) },
        { $limit: most },
        { $group: { _id: null, count: { $sum: 1 }, changedMs } },
        // The sum is more than the driver's numbers can tell.
        { $set: { changedMs: { $toString: '$changedMs' } } },
      ];
      type Found = { readonly count: number; readonly changedMs: string };
      const [found] = await tenantCollection(collection, tenantId).aggregate<Found>(stages, SCAN_LIMIT).toArray();
      return { count: found?.count ?? 0, changedMs: BigInt(found?.changedMs ?? 0) };
    },
  };
}

function toAnswers(document: AnswersDocument) {
  const { _id: id, survey_version: surveyVersion, status, completed_at: completedAt, data } = document;
  const { created_at: createdAt, updated_at: updatedAt } = document;
  return { id, surveyVersion, status, createdAt, updatedAt, completedAt: completedAt ?? undefined, data };
}

function after({ created_at: time, _id: id }: Last): TenantFilter<ResponseDocument> {
  return { created_at: { $gte: time }, $or: [{ created_at: { $gt: time } }, { _id: { $gt: id } }] };
}
