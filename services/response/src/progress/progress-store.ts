import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { Collection } from 'mongodb';
import type { SealedResponse } from '../responses/response.ts';
import { fromDocument, type ResponseDocument } from '../responses/response-store.ts';
import { IS_RESPONSE } from '../responses/tombstone.ts';
import type { WriteWindows } from '../responses/write-window-store.ts';

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

interface Dependencies {
  readonly collection: Collection<ResponseDocument>;
  readonly windows: Pick<WriteWindows, 'announce'>;
}

type Left = Pick<ResponseDocument, '_id' | 'tenant_id' | 'survey_id'>;

export function createProgressStore({ collection, windows }: Dependencies): ProgressStore {
  const responses = systemScope(collection);

  return {
    async find(id) {
      const document = await responses.findOne({ _id: id, ...IS_RESPONSE }, MAX_TIME);
      return document === null ? undefined : fromDocument(document);
    },

    async abandonSome(before, time) {
      const left = { status: 'in_progress', updated_at: { $lt: before } } as const;
      const found = await responses
        .find<Left>(left, {
          projection: { tenant_id: 1, survey_id: 1 },
          limit: BATCH,
          hint: progressIndex.name,
          ...MAX_TIME,
        })
        .toArray();
      if (found.length === 0) return false;
      // Again with the condition: its respondent may have come back in between.
      const ids = found.map(({ _id }) => _id);
      const change = { $set: { status: 'abandoned' as const, updated_at: time }, $inc: { revision: 1 } };
      const surveys = found.map(({ tenant_id: tenantId, survey_id: surveyId }) => ({ tenantId, surveyId }));
      await windows.announce(surveys, () => responses.updateMany({ ...left, _id: { $in: ids } }, change));
      return true;
    },
  };
}
