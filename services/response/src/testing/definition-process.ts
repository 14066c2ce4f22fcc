import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import type { TenantStatus } from '@survey/runtime/tenants/tenant-state';
import { createTestDatabase } from '@survey/runtime/testing/test-database';
import { testLog } from '@survey/runtime/testing/test-log';
import type { Snapshot } from '../surveys/definition.ts';
import { createDefinitionService } from '../surveys/definition-service.ts';
import {
  createDefinitionStore,
  type DefinitionDocument,
  type DefinitionStore,
  definitionIndexes,
} from '../surveys/definition-store.ts';
import type { SurveyClient } from '../surveys/survey-client.ts';
import { openSettings, testDefinition } from './test-definition.ts';

/** A definition store with its own database. */
export async function createTestDefinitionStore() {
  const database = await createTestDatabase();
  await ensureIndexes(database.db, { definitions: definitionIndexes });
  const collection = database.db.collection<DefinitionDocument>('definitions');
  return {
    store: createDefinitionStore(collection),
    erase: (surveyId: string) => collection.deleteMany({ survey_id: surveyId }),
    drop: () => database.drop(),
  };
}

type Latest = SurveyClient['findLatest'];

export const away: Latest = () => Promise.reject(new AppError('UNAVAILABLE'));

export function newSnapshot(given: Partial<Snapshot> = {}): Snapshot {
  return {
    surveyId: randomUUID(),
    tenantId: toTenantId(randomUUID()),
    status: 'active',
    settings: openSettings,
    schemaVersion: '1.0',
    version: 1,
    wasPublished: true,
    definition: testDefinition,
    ...given,
  };
}

interface ProcessOptions {
  readonly store: DefinitionStore;
  readonly tenantStatus?: TenantStatus;
}

/** A process with a fake survey service and a manual clock. */
export function createTestDefinitionService(initial: Latest, { store, tenantStatus = 'active' }: ProcessOptions) {
  let latest = initial;
  let version: SurveyClient['findVersion'] = () => Promise.reject(new AppError('UNAVAILABLE'));
  let published: () => Promise<readonly number[]> = () => Promise.reject(new AppError('UNAVAILABLE'));
  let date = new Date();
  let time = 1;
  let asked = 0;
  const definitions = createDefinitionService({
    store,
    source: {
      findLatest(surveyId, known) {
        asked += 1;
        return latest(surveyId, known);
      },
      findVersion(surveyId, number) {
        asked += 1;
        return version(surveyId, number);
      },
      findPublishedVersions: async () => [...(await published())],
    },
    tenants: { statusOf: async () => tenantStatus },
    log: testLog,
    clock: () => date,
    now: () => time,
  });
  return {
    definitions,
    callCount: () => asked,
    respondWith: (next: Latest) => {
      latest = next;
    },
    respondToVersionsWith: (next: SurveyClient['findVersion']) => {
      version = next;
    },
    respondToPublishedWith: (next: typeof published) => {
      published = next;
    },
    pass: (ms: number) => {
      time += ms;
      date = new Date(date.getTime() + ms);
    },
  };
}
