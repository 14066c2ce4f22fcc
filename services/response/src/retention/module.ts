import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { ServiceModule } from '@survey/runtime/service/service-module';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { DefinitionDocument } from '../definitions/definition-store.ts';
import type { ResponseFiles } from '../files/response-files.ts';
import type { LedgerDocument, LedgerStore } from '../limits/ledger-store.ts';
import type { LinkDocument } from '../links/link-store.ts';
import type { DeletedResponseStore } from '../responses/deleted-response-store.ts';
import type { ResponseDocument } from '../responses/response-store.ts';
import type { WriteWindowDocument } from '../responses/write-window-store.ts';
import type { SliceDocument } from '../slices/slice-store.ts';
import { createExpiredResponseStore } from './expired-response-store.ts';
import { createRetentionClient } from './retention-client.ts';
import { measureRetention } from './retention-metrics.ts';
import { createSurveyDataStore } from './survey-data-store.ts';
import { createSurveyDeletion } from './survey-deletion.ts';
import { createSurveyWalk } from './survey-walk.ts';
import { createSurveyWalkStore, type SurveyWalkDocument } from './survey-walk-store.ts';

interface Dependencies {
  readonly survey: ServiceConnection;
  readonly deleted: DeletedResponseStore;
  readonly ledgers: LedgerStore;
  readonly files: ResponseFiles;
}

/** Deletes responses at the end of their retention, and all data of purged surveys. */
export function createRetentionModule(
  { collection, lease, registry, log, clock, now }: ServiceRuntime,
  { survey, deleted, ledgers, files }: Dependencies,
): ServiceModule {
  const definitions = collection<DefinitionDocument>('definitions');
  const walks = createSurveyWalkStore({ walks: collection<SurveyWalkDocument>('survey_walks'), definitions });
  const deleteDueData = createSurveyDeletion({
    files,
    expired: createExpiredResponseStore(collection<ResponseDocument>('responses')),
    deleted,
    ledgers,
    surveyData: createSurveyDataStore({
      definitions,
      links: collection<LinkDocument>('links'),
      responses: collection<ResponseDocument>('responses'),
      ledgers: collection<LedgerDocument>('ledgers'),
      windows: collection<WriteWindowDocument>('write_windows'),
      slices: collection<SliceDocument>('count_slices'),
    }),
    count: measureRetention({ walks, registry, log }),
    clock,
    now,
  });
  const source = createRetentionClient(survey);
  return {
    pollers: [createSurveyWalk({ store: walks, source, deleteDueData, lease: lease('retention'), clock, now, log })],
  };
}
