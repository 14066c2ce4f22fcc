import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { Collection } from 'mongodb';
import type { SealedResponse } from '../responses/response.ts';
import { fromDocument, IS_RESPONSE, type ResponseDocument, SET_CHANGED } from '../responses/response-document-store.ts';
import { statusEvents } from '../responses/response-events.ts';
import type { SurveyRef, WriteWindows } from '../responses/write-window-store.ts';

/** Index of the responses in progress, used only to find inactive ones. */
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
  /** Called after each write that stored events. */
  readonly onEvent: () => void;
}

export type ProgressStore = ReturnType<typeof createProgressStore>;

/**
 * Finds responses of all tenants, because respondents send only the id of a response. Writes run in write windows: time
 * spans in which caches expect changes of responses.
 */
export function createProgressStore({ collection, windows, onEvent }: Dependencies) {
  const responses = systemScope(collection);

  return {
    async find(id: string): Promise<SealedResponse | undefined> {
      const document = await responses.findOne({ _id: id, ...IS_RESPONSE }, MAX_TIME);
      return document === null ? undefined : fromDocument(document);
    },

    /** Abandons a batch of responses in progress that were last saved before a time. Returns whether it found some. */
    async abandonBatch(before: Date, time: Date): Promise<boolean> {
      const inactive = { status: 'in_progress', updated_at: { $lt: before } } as const;
      const projection = { data: 0, metadata: 0, outbox: 0, ledger_entries: 0 } as const;
      const found = await responses
        .find(inactive, { projection, limit: BATCH, hint: progressIndex.name, ...MAX_TIME })
        .toArray();
      if (found.length === 0) return false;
      const writes = found.map(fromDocument).map((response) => {
        const abandoned = { status: 'abandoned', updatedAt: time, revision: response.revision + 1 } as const;
        const [event] = statusEvents({ ...response, ...abandoned }, '');
        const { status, revision } = abandoned;
        const change = { $set: { status, updated_at: time, revision }, $push: { outbox: event }, ...SET_CHANGED };
        // Repeat the condition, because a respondent may have saved the response concurrently.
        return {
          updateOne: { filter: { ...inactive, _id: response.id, revision: response.revision }, update: change },
        };
      });
      await windows.runInWindow(found.map(toSurvey), () => responses.bulkWrite(writes, { ordered: false }));
      onEvent();
      return true;
    },
  };
}

function toSurvey({ tenant_id: tenantId, survey_id: surveyId }: ResponseDocument): SurveyRef {
  return { tenantId, surveyId };
}
