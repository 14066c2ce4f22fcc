import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import { fromDocument, NEWEST_FIRST_HINT, type ResponseDocument } from '../responses/response-store.ts';
import type { ExpiredResponseStore } from './survey-deletion.ts';

const BATCH = 500;
/**
 * Soft limit of documents with unpublished events. Documents of imports have up to twenty events, and the relay
 * publishes some thousands per second.
 */
const MAX_WAITING = 2_000;

export function createExpiredResponseStore(collection: Collection<ResponseDocument>): ExpiredResponseStore {
  return {
    async findBatch(tenantId, surveyId, before) {
      const filter = { survey_id: surveyId, ...(before && { created_at: { $lt: before } }) };
      const found = tenantCollection(collection, tenantId).find(filter, {
        ...NEWEST_FIRST_HINT,
        // The index is in the opposite order, so MongoDB reads it backwards.
        sort: { created_at: 1, _id: 1 },
        limit: BATCH,
        projection: { data: 0, metadata: 0, outbox: 0, ledger_entries: 0 },
      });
      return (await found.toArray()).map((document) => {
        // The projection excludes these fields.
        const { data: _, metadata: __, ...fields } = fromDocument(document);
        return fields;
      });
    },

    async hasCapacity() {
      const options = { hint: outboxIndex.name, limit: MAX_WAITING, maxTimeMS: 5_000 };
      return (await systemScope(collection).countDocuments({ 'outbox.at': { $exists: true } }, options)) < MAX_WAITING;
    },
  };
}
