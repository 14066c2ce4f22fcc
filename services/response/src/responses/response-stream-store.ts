import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { afterPosition } from '@survey/runtime/mongo/page';
import { type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { BSON, type Collection } from 'mongodb';
import type { SealedAnswers, SealedResponse } from './response.ts';
import type { ResponseFilter } from './response-filter.ts';
import { fromDocument, NEWEST_FIRST_HINT, type ResponseDocument, SCAN_OPTIONS, toCondition } from './response-store.ts';

/** Reads all matching responses of a survey, oldest first, up to a hundred at a time. */
export interface ResponseStreamStore {
  read(tenantId: TenantId, filter: ResponseFilter): AsyncIterable<readonly SealedResponse[]>;
  readAnswers(tenantId: TenantId, filter: ResponseFilter): AsyncIterable<readonly SealedAnswers[]>;
  /** Returns the versions that responses answer, latest first. */
  findVersions(tenantId: TenantId, filter: ResponseFilter): Promise<readonly number[]>;
  /** Returns the state of the matching responses, or of `max` of them if there are more. */
  findState(tenantId: TenantId, filter: ResponseFilter, max: number): Promise<ResponsesState>;
}

/** Changes when a response is added, changed or deleted. */
export interface ResponsesState {
  readonly count: number;
  /** Sum of the times of the last change of each response, in milliseconds since 1970. */
  readonly changedMs: bigint;
}

type Last = Pick<ResponseDocument, '_id' | 'created_at'>;
type AnswersDocument = Last &
  Pick<ResponseDocument, 'survey_version' | 'status' | 'updated_at' | 'started_at' | 'completed_at' | 'data'>;

/** Maximum documents in one reply of MongoDB. A reply has at most 16 MiB. */
const PAGE = 500;
/** Documents deserialized at a time, so that few objects are alive. */
const CHUNK = 100;
export const WITHOUT_INTERNALS = { outbox: 0, request_hash: 0, draw: 0, ledger_entries: 0, corrections: 0 } as const;
const ANSWERS = {
  created_at: 1,
  survey_version: 1,
  status: 1,
  updated_at: 1,
  started_at: 1,
  completed_at: 1,
  data: 1,
} as const;

export function createResponseStreamStore(collection: Collection<ResponseDocument>): ResponseStreamStore {
  /** Reads one reply of MongoDB. No cursor stays open, so a slow reader cannot let it expire. */
  function readPage(
    tenantId: TenantId,
    condition: TenantFilter<ResponseDocument>,
    projection: Readonly<Record<string, 0 | 1>>,
  ): Promise<Uint8Array[]> {
    const found = tenantCollection(collection, tenantId).find<Uint8Array>(condition, {
      ...NEWEST_FIRST_HINT,
      sort: { created_at: 1, _id: 1 },
      projection,
      batchSize: PAGE,
      // With a negative limit, MongoDB returns a single reply and closes the cursor.
      limit: -PAGE,
      maxTimeMS: SCAN_OPTIONS.maxTimeMS,
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
    // The projection determines the fields of the documents.
    const toDocument = (bytes: Uint8Array) => BSON.deserialize(bytes) as D;
    let next = readPage(tenantId, condition, projection);
    for (;;) {
      const page = await next;
      const last = page.at(-1);
      if (last === undefined) return;
      // Prefetch the next page while the reader processes this one.
      const { created_at: time, _id: id } = toDocument(last);
      next = readPage(tenantId, { $and: [condition, afterPosition('created_at', { time, id })] }, projection);
      // The rejection is handled in the next iteration. Ignore it if the reader stops before.
      next.catch(() => {});
      for (let start = 0; start < page.length; start += CHUNK) yield page.slice(start, start + CHUNK).map(toDocument);
    }
  }

  return {
    async *read(tenantId, filter) {
      for await (const documents of readAll<ResponseDocument>(tenantId, filter, WITHOUT_INTERNALS))
        yield documents.map(fromDocument);
    },

    async *readAnswers(tenantId, filter) {
      const { surveyId } = filter;
      for await (const documents of readAll<AnswersDocument>(tenantId, filter, ANSWERS))
        yield documents.map((document) => ({ ...toAnswers(document), tenantId, surveyId }));
    },

    async findVersions(tenantId, filter) {
      const stages = [{ $match: toCondition(filter) }, { $group: { _id: '$survey_version' } }, { $sort: { _id: -1 } }];
      const found = tenantCollection(collection, tenantId).aggregate<{ _id: number }>(stages, SCAN_OPTIONS);
      return (await found.toArray()).map(({ _id }) => _id);
    },

    async findState(tenantId, filter, max) {
      // The 64-bit sum overflows above five million responses.
      const changedMs = { $sum: { $toLong: '$updated_at' } };
      const stages = [
        { $match: toCondition(filter) },
        { $limit: max },
        { $group: { _id: null, count: { $sum: 1 }, changedMs } },
        // The sum exceeds the precision of JavaScript numbers.
        { $set: { changedMs: { $toString: '$changedMs' } } },
      ];
      type Found = { readonly count: number; readonly changedMs: string };
      const [found] = await tenantCollection(collection, tenantId).aggregate<Found>(stages, SCAN_OPTIONS).toArray();
      return { count: found?.count ?? 0, changedMs: BigInt(found?.changedMs ?? 0) };
    },
  };
}

function toAnswers(document: AnswersDocument) {
  const { _id: id, survey_version: surveyVersion, status, completed_at: completedAt, data } = document;
  const { created_at: createdAt, updated_at: updatedAt, started_at: startedAt } = document;
  const times = { createdAt, updatedAt, startedAt: startedAt ?? undefined, completedAt: completedAt ?? undefined };
  return { id, surveyVersion, status, ...times, data };
}
