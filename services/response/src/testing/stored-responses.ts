import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { insertBatch } from '@survey/runtime/mongo/insert-batch';
import type { Collection, Db } from 'mongodb';
import { Registry } from 'prom-client';
import type { ConditionService } from '../responses/condition-service.ts';
import { createCommitMetrics, createGroupCommit } from '../responses/group-commit.ts';
import type { Response, ResponseAnswers } from '../responses/response.ts';
import { type ResponseDocument, responseIndexes } from '../responses/response-document-store.ts';
import { withNearestLanguage } from '../responses/response-filter.ts';
import { createResponseSealer } from '../responses/response-sealer.ts';
import { createResponseStore } from '../responses/response-store.ts';
import {
  createResponseStream,
  createResponseStreamStore,
  type ReadResponses,
} from '../responses/response-stream-store.ts';
import { createSampleStore } from '../responses/sample-store.ts';
import { createTestEnvelope, createTestSlices, createTestWindows } from './test-stores.ts';

/** For tests without conditions. */
export const noConditions: ConditionService = {
  async resolve(survey, { where: _, externalId: __, ...filter }) {
    return { filter: withNearestLanguage(filter, survey), conditions: undefined };
  },
  async *read() {},
};

export async function createStoredResponses(db: Db) {
  const collection: Collection<ResponseDocument> = db.collection('responses');
  await ensureIndexes(db, { responses: responseIndexes });
  const clock = () => new Date();
  const sealer = createResponseSealer(createTestEnvelope(db));
  const stream = createResponseStreamStore(collection);
  const responses = createResponseStore({
    collection,
    groupCommit: createGroupCommit<ResponseDocument>({
      insert: (documents) => insertBatch(collection, documents),
      sizeOf: () => 1,
      metrics: createCommitMetrics(new Registry()),
    }),
    windows: createTestWindows(db),
    slices: createTestSlices(db),
    samples: createSampleStore({ collection, random: Math.random }),
    random: Math.random,
    onEvent: () => {},
  });

  return {
    collection,
    responses,
    sealer,
    stream,

    async store(given: readonly Response[]): Promise<void> {
      const [first] = given;
      if (first === undefined) return;
      const { seal } = await sealer.forTenant(first.tenantId);
      await responses.insertAll(given.map((response) => ({ response: seal(response), events: [] })));
    },

    /** Reads responses for summaries. `takeCount` returns the number of reads since its last call. */
    createReader() {
      const read = createResponseStream({ read: stream.readAnswers, openAll: sealer.openAnswers, clock });
      let count = 0;
      const readAndCount: ReadResponses<ResponseAnswers> = async function* (tenantId, filter) {
        for await (const answers of read(tenantId, filter)) {
          count += answers.length;
          yield answers;
        }
      };
      const takeCount = () => {
        const before = count;
        count = 0;
        return before;
      };
      return { read: readAndCount, takeCount };
    },

    async change(before: Response, change: Partial<Response>): Promise<void> {
      const { seal } = await sealer.forTenant(before.tenantId);
      await responses.replace(seal(before), seal({ ...before, ...change, revision: before.revision + 1 }), []);
    },
  };
}
