import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { Collection } from 'mongodb';
import type { SealedResponse } from '../responses/response.ts';
import { fromDocument, type ResponseDocument } from '../responses/response-store.ts';

/** Across all tenants: respondents name a response alone, and what nobody goes on with is anybody's. */
export interface ProgressStore {
  find(id: string): Promise<SealedResponse | undefined>;
  /** Ends some responses in progress that were saved last before a time. False when there were none. */
  abandonSome(before: Date, time: Date): Promise<boolean>;
}

/** Serves no request: it finds what nobody goes on with, and holds nothing else than what is in progress. */
export const progressIndex: IndexSpecs[string][number] = {
  name: 'in_progress',
  key: { updated_at: 1 },
  partialFilterExpression: { status: 'in_progress' },
};

const MAX_TIME = { maxTimeMS: 10_000 } as const;
const BATCH = 500;

export function createProgressStore(collection: Collection<ResponseDocument>): ProgressStore {
  const responses = systemScope(collection);

  return {
    async find(id) {
      // What is left of a deleted one has the id too, and no tenant.
      const document = await responses.findOne({ _id: id, tenant_id: { $exists: true } }, MAX_TIME);
      return document === null ? undefined : fromDocument(document);
    },

    async abandonSome(before, time) {
      const left = { status: 'in_progress', updated_at: { $lt: before } } as const;
      const found = await responses
        .find(left, { projection: { _id: 1 }, limit: BATCH, hint: progressIndex.name, ...MAX_TIME })
        .toArray();
      if (found.length === 0) return false;
      // Again with the condition: its respondent may have come back in between.
      const ids = found.map(({ _id }) => _id);
      const change = { $set: { status: 'abandoned' as const, updated_at: time }, $inc: { revision: 1 } };
      await responses.updateMany({ ...left, _id: { $in: ids } }, change);
      return true;
    },
  };
}
