import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { SealedResponse } from './response.ts';
import type { ResponseFilter } from './response-filter.ts';
import { fromDocument, HINT, type ResponseDocument, toCondition } from './response-store.ts';

/** Reads the responses of a survey from the first to the last. */
export interface ResponseStreamStore {
  /** Oldest first, as many at a time as come in one answer of the database: up to a thousand, and 16 MiB. */
  read(tenantId: TenantId, filter: ResponseFilter): AsyncIterable<readonly SealedResponse[]>;
  /** The versions that they answer, latest first. */
  findVersions(tenantId: TenantId, filter: ResponseFilter): Promise<readonly number[]>;
  /** Differs when a response has come, was changed, or has gone. */
  digest(tenantId: TenantId, surveyId: string): Promise<string>;
}

const AT_A_TIME = 1_000;
/** For what reads the whole index of a survey. Milliseconds. */
const SCAN_LIMIT = { ...HINT, maxTimeMS: 60_000 };
/** Keeps the sum of the times of a billion responses an integer of 64 bits. */
const MODULUS = 2_147_483_647;

export function createResponseStreamStore(collection: Collection<ResponseDocument>): ResponseStreamStore {
  /** One answer of the database, which leaves no cursor behind that a slow reader could let expire. */
  async function readNext(tenantId: TenantId, filter: ResponseFilter, last: ResponseDocument | undefined) {
    const condition = toCondition(filter);
    const query = last === undefined ? condition : { $and: [condition, after(last)] };
    const found = tenantCollection(collection, tenantId).find(query, {
      ...HINT,
      sort: { created_at: 1, _id: 1 },
      projection: { outbox: 0, request_hash: 0 },
      batchSize: AT_A_TIME,
      // Of a negative limit MongoDB gives what goes into one answer, and no more.
      limit: -AT_A_TIME,
      maxTimeMS: SCAN_LIMIT.maxTimeMS,
    });
    return found.toArray();
  }

  return {
    async *read(tenantId, filter) {
      let next = readNext(tenantId, filter, undefined);
      for (;;) {
        const documents = await next;
        const last = documents.at(-1);
        if (last === undefined) return;
        // The database looks for them while the reader is busy with these.
        next = readNext(tenantId, filter, last);
        // Its turn comes above, or never when the reader has enough.
        next.catch(() => {});
        yield documents.map(fromDocument);
      }
    },

    async findVersions(tenantId, filter) {
      const stages = [{ $match: toCondition(filter) }, { $group: { _id: '$survey_version' } }, { $sort: { _id: -1 } }];
      const found = tenantCollection(collection, tenantId).aggregate<{ _id: number }>(stages, SCAN_LIMIT);
      return (await found.toArray()).map(({ _id }) => _id);
    },

    async digest(tenantId, surveyId) {
      const sums = {
        _id: null,
        count: { $sum: 1 },
        revisions: { $sum: '$revision' },
        times: { $sum: { $mod: [{ $toLong: '$updated_at' }, MODULUS] } },
        newest: { $max: '$updated_at' },
      };
      const stages = [{ $match: { survey_id: surveyId } }, { $group: sums }];
      const found = tenantCollection(collection, tenantId).aggregate(stages, SCAN_LIMIT);
      return JSON.stringify(await found.toArray());
    },
  };
}

function after({ created_at: time, _id: id }: ResponseDocument): TenantFilter<ResponseDocument> {
  return { created_at: { $gte: time }, $or: [{ created_at: { $gt: time } }, { _id: { $gt: id } }] };
}
