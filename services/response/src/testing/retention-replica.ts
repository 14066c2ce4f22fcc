import type { Lease } from '@survey/runtime/mongo/lease';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { testLog as log } from '@survey/runtime/testing/test-log';
import type { Db } from 'mongodb';
import { createFileStore, type FileChunkDocument, type FileDocument } from '../files/file-store.ts';
import { createDeletedResponseStore } from '../responses/deleted-response-store.ts';
import type { ResponseDocument } from '../responses/response-document-store.ts';
import type { SliceDocument } from '../responses/slice-store.ts';
import type { WriteWindowDocument } from '../responses/write-window-store.ts';
import {
  createDueResponseStore,
  createSurveyDataStore,
  createSurveyWalkStore,
  type DueResponseStore,
  type PlanDocument,
  type SurveyWalkDocument,
} from '../retention/retention-store.ts';
import { createSurveyDeletion, type DeletionCause, type LinkSource } from '../retention/survey-deletion.ts';
import { createSurveyWalk, type RetentionSource } from '../retention/survey-walk.ts';
import { createLedgerStore, type LedgerDocument } from '../seats/ledger-store.ts';
import type { DefinitionDocument } from '../surveys/definition-store.ts';
import type { InvitationDocument } from '../surveys/invitation-store.ts';
import type { LinkDocument } from '../surveys/link-store.ts';
import { createTestSlices, createTestWindows, testStopwatch } from './test-stores.ts';

const clock = () => new Date();
const now = () => performance.now();

export function createTestDeletion(
  db: Db,
  given: {
    readonly dueResponses?: DueResponseStore;
    readonly findLinks?: LinkSource;
    readonly slowPauseMs?: number;
  } = {},
) {
  const counts = { retention: 0, purge: 0 };
  const responses = db.collection<ResponseDocument>('responses');
  const windows = createTestWindows(db);
  const files = createFileStore({
    files: db.collection<FileDocument>('files'),
    chunks: db.collection<FileChunkDocument>('file_chunks'),
  });
  const deleteDueData = createSurveyDeletion({
    files: {
      destroyOf: (tenantId, responseIds) => files.destroyOf(tenantId, responseIds, clock()),
      destroyOfSurvey: (tenantId, surveyId) => files.destroyOfSurvey(tenantId, surveyId, clock()),
    },
    dueResponses: given.dueResponses ?? createDueResponseStore(responses),
    deleted: createDeletedResponseStore({
      collection: responses,
      windows,
      slices: createTestSlices(db),
      onEvent: () => {},
    }),
    ledgers: createLedgerStore({
      ledgers: db.collection<LedgerDocument>('ledgers'),
      responses,
      windows,
      random: Math.random,
      onEvent: () => {},
      clock,
      startStopwatch: testStopwatch,
    }),
    surveyData: createSurveyDataStore({
      definitions: db.collection<DefinitionDocument>('definitions'),
      links: db.collection<LinkDocument>('links'),
      invitations: db.collection<InvitationDocument>('invitations'),
      responses,
      ledgers: db.collection<LedgerDocument>('ledgers'),
      windows: db.collection<WriteWindowDocument>('write_windows'),
      slices: db.collection<SliceDocument>('count_slices'),
      plans: [db.collection<PlanDocument>('deletion_plans'), db.collection<PlanDocument>('deletion_plan_parts')],
    }),
    findLinks: given.findLinks ?? (async (_tenantId, linkIds) => linkIds),
    count(cause: DeletionCause, count) {
      counts[cause] += count;
    },
    clock,
    now,
    ...(given.slowPauseMs !== undefined && { slowPauseMs: given.slowPauseMs }),
  });
  return { deleteDueData, counts };
}

/** The worker of one replica. No relay publishes events, so the worker does not wait for them. */
export function createTestReplica(db: Db, source: RetentionSource, lease: Lease) {
  const responses = systemScope(db.collection<ResponseDocument>('responses'));
  const dueResponses = { ...createDueResponseStore(responses), hasCapacity: async () => true };
  return createSurveyWalk({
    store: createSurveyWalkStore({
      walks: db.collection<SurveyWalkDocument>('survey_walks'),
      definitions: db.collection<DefinitionDocument>('definitions'),
    }),
    source,
    deleteDueData: createTestDeletion(db, { dueResponses }).deleteDueData,
    lease,
    clock,
    now,
    log,
  });
}
