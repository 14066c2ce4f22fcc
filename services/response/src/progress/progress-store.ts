import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { Collection } from 'mongodb';
import { STAMP } from '../responses/change-stamp.ts';
import type { SealedResponse } from '../responses/response.ts';
import { fromDocument, type ResponseDocument } from '../responses/response-store.ts';
import { IS_RESPONSE } from '../responses/tombstone.ts';
import type { WriteWindows } from '../responses/write-window-store.ts';

/** Finds responses across tenants: respondents send only a response's id, and the abandonment covers all tenants. */
export interface ProgressStore {
  find(id: string): Promise<SealedResponse | undefined>;
  /** Abandons a batch of responses in progress that were last saved before a time. Returns false if there were none. */
  abandonBatch(before: Date, time: Date): Promise<boolean>;
}

/** Partial index for the abandonment only: contains just the responses in progress. */
export const progressIndex: IndexSpecs[string][number] = {
  name: 'in_progress',
  key: { updated_at: 1 },
  partialFilterExpression: { status: 'in_progress' },
};

const MAX_TIME = { maxTimeMS: 10_000 } as const;
const BATCH = 500;

interface Dependencies {
  readonly collection: Collection<ResponseDocument>;
  readonly windows: Pick<WriteWindows, 'runInWindow'>;
}

type InactiveResponse = Pick<ResponseDocument, '_id' | 'tenant_id' | 'survey_id'>;

export function createProgressStore({ collection, windows }: Dependencies): ProgressStore {
  const responses = systemScope(collection);

  return {
    async find(id) {
      const document = await responses.findOne({ _id: id, ...IS_RESPONSE }, MAX_TIME);
      return document === null ? undefined : fromDocument(document);
    },

    async abandonBatch(before, time) {
      const inactive = { status: 'in_progress', updated_at: { $lt: before } } as const;
      const found = await responses
        .find<InactiveResponse>(inactive, {
          projection: { tenant_id: 1, survey_id: 1 },
          limit: BATCH,
          hint: progressIndex.name,
          ...MAX_TIME,
        })
        .toArray();
      if (found.length === 0) return false;
      // Repeat the condition: a respondent may have saved the response in between.
      const ids = found.map(({ _id }) => _id);
      const change = { $set: { status: 'abandoned' as const, updated_at: time }, $inc: { revision: 1 }, ...STAMP };
      const surveys = found.map(({ tenant_id: tenantId, survey_id: surveyId }) => ({ tenantId, surveyId }));
      await windows.runInWindow(surveys, () => responses.updateMany({ ...inactive, _id: { $in: ids } }, change));
      return true;
    },
  };
}
