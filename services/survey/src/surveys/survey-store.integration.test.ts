import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { profiled } from '@survey/runtime/testing/profiled';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import type { CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createProjectStore,
  type ProjectDocument,
  projectIndexes,
  type SurveyInProject,
} from '../projects/project-store.ts';
import type { Survey } from './survey.ts';
import type { DueSurvey } from './survey-closer.ts';
import type { SurveyDocument } from './survey-document.ts';
import { surveyEvents } from './survey-events.ts';
import { createSurveyStore, surveyIndexes } from './survey-store.ts';
import { createSurveyVersionStore, type SurveyVersionDocument, surveyVersionIndexes } from './survey-version-store.ts';
import { testSurvey } from './testing/test-survey.ts';

const tenantId = toTenantId('t-1');
const by = { tenantId, actor: 'user-1', requestId: 'r-1', traceparent: '' };

let database: TestDatabase;
const surveys = () => database.db.collection<SurveyDocument>('surveys');
const projects = () => database.db.collection<ProjectDocument>('projects');

beforeAll(async () => {
  database = await createTestDatabase();
  const indexes = { surveys: surveyIndexes, survey_versions: surveyVersionIndexes, projects: projectIndexes };
  await ensureIndexes(database.db, indexes);
});
afterAll(() => database.drop());

function createStore() {
  const { client, db } = database;
  const onEvent = () => undefined;
  return createSurveyStore({
    collection: surveys(),
    versions: createSurveyVersionStore(db.collection<SurveyVersionDocument>('survey_versions')),
    projects: createProjectStore({
      collection: projects(),
      surveys: db.collection<SurveyInProject>('surveys'),
      client,
      onEvent,
    }),
    client,
    onEvent,
  });
}

const insert = (store: ReturnType<typeof createStore>, change: Partial<Survey>) => {
  const survey = { ...testSurvey, tenantId, id: randomUUID(), ...change };
  return store.insert(survey, surveyEvents(by, 'survey.created', undefined, survey));
};

async function makeProject(): Promise<string> {
  const [_id, time] = [randomUUID(), new Date()];
  const stamps = { created_at: time, updated_at: time, created_by: 'user-1', updated_by: 'user-1' };
  await projects().insertOne({
    _id,
    tenant_id: tenantId,
    name: 'Canteen',
    description: '',
    revision: 1,
    ...stamps,
    outbox: [],
  });
  return _id;
}

/** Counts the commands of a name that MongoDB gets during `work`. */
async function countCommands(name: string, work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const listen = ({ commandName }: CommandStartedEvent) => {
    if (commandName === name) count += 1;
  };
  database.client.on('commandStarted', listen);
  await work();
  database.client.off('commandStarted', listen);
  return count;
}

const times = <T>(count: number, make: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)));

describe('survey store', () => {
  it('inserts 200 surveys into one project at once without transaction retries', async () => {
    const store = createStore();
    const projectId = await makeProject();
    const aborted = await countCommands('abortTransaction', () => times(200, () => insert(store, { projectId })));
    expect(aborted).toBe(0);
    expect(await surveys().countDocuments({ project_id: projectId })).toBe(200);
  });

  it('inserts all surveys into one project from two replicas at once', async () => {
    const stores = [createStore(), createStore()];
    const projectId = await makeProject();
    await Promise.all(stores.map((store) => times(25, () => insert(store, { projectId }))));
    expect(await surveys().countDocuments({ project_id: projectId })).toBe(50);
  });

  it('moves existing surveys into one project at once', async () => {
    const store = createStore();
    const made = await times(20, () => insert(store, {}));
    const projectId = await makeProject();
    const moved = await Promise.all(
      made.map((before) => {
        const after = { ...before, projectId, revision: 2 };
        return store.replace(before, after, surveyEvents(by, 'survey.updated', before, after));
      }),
    );
    expect(moved).toEqual(Array(20).fill(true));
    expect(await surveys().countDocuments({ project_id: projectId })).toBe(20);
  });

  it('returns the first survey for concurrent inserts of the same id, and stores nothing else', async () => {
    const replicas = Array.from({ length: 4 }, createStore);
    for (let round = 0; round < 10; round += 1) {
      const id = randomUUID();
      const given = await Promise.all(replicas.map((store, at) => insert(store, { id, createdBy: `user-${at}` })));
      const stored = await surveys().findOne({ _id: id });
      expect(given.map(({ createdBy }) => createdBy)).toEqual(Array(4).fill(stored?.created_by));
    }
  });

  it('reads the existing survey with a write, because a majority may not have it yet', async () => {
    const store = createStore();
    const { id } = await insert(store, {});
    const again = () => times(2, () => insert(store, { id }));
    expect(await countCommands('find', again)).toBe(0);
    expect(await countCommands('findAndModify', again)).toBe(2);
  });

  it('finds due surveys with pagination, including those of the same time', async () => {
    const store = createStore();
    const dueAt = (ms: number) => ({ ...testSurvey.settings, closesAt: new Date(ms) });
    const made = [];
    for (const ms of [1_000, 2_000, 2_000, 2_000, 3_000]) {
      const { id } = await insert(store, { status: 'active', settings: dueAt(ms) });
      made.push({ id, tenantId, closesAt: new Date(ms) });
    }
    await insert(store, { status: 'draft', settings: dueAt(1_000) });
    await insert(store, { status: 'active', settings: dueAt(9_000) });
    const found: DueSurvey[] = [];
    for (let page: readonly DueSurvey[] = []; found.length === 0 || page.length > 0; found.push(...page))
      page = await store.findDue(new Date(3_000), 2, found.at(-1));
    const sorted = made.toSorted(
      (one, other) => one.closesAt.getTime() - other.closesAt.getTime() || (one.id < other.id ? -1 : 1),
    );
    expect(found).toEqual(sorted);
  });

  it('reads the definition for respondents unless the version is known', async () => {
    const store = createStore();
    const { id, definition, settings } = await insert(store, { version: 3 });
    const survey = { tenantId, status: 'draft', version: 3, schemaVersion: '1.0', settings };
    for (const known of [undefined, 2])
      expect(await store.findPublic(id, known)).toMatchObject({ ...survey, definition });
    const found = await store.findPublic(id, 3);
    expect(found).toMatchObject({ ...survey, definition: undefined });
    expect(await store.findPublic(randomUUID(), 3)).toBeUndefined();
  });

  it('counts active surveys of all tenants only from the index', async () => {
    const store = createStore();
    const own = toTenantId(randomUUID());
    for (const change of [{}, { deletedAt: new Date(), deletedBy: 'user-1' }])
      for (let count = 0; count < 2; count += 1) await insert(store, { tenantId: own, status: 'active', ...change });
    for (let count = 0; count < 50; count += 1) await insert(store, { tenantId: own, status: 'closed' });
    const commands = await profiled(database.db, 'surveys', async () => {
      expect(await store.countActive()).toContainEqual({ tenantId: own, count: 2 });
    });
    const active = await surveys().countDocuments({ list_state: 'active' });
    expect(commands).toMatchObject([{ docsExamined: 0 }]);
    // MongoDB also examines the end of the index.
    expect(commands[0]?.keysExamined).toBeLessThanOrEqual(active + 1);
  });

  it('lists versions without reading their definitions', async () => {
    const { id } = await insert(createStore(), {});
    const versions = createSurveyVersionStore(database.db.collection<SurveyVersionDocument>('survey_versions'));
    const { items } = await versions.list(tenantId, id, { limit: 10 });
    expect(items).toMatchObject([{ surveyId: id, version: 1 }]);
    expect(items[0]).not.toHaveProperty('definition');
  });

  it("does not return another tenant's survey with the same id", async () => {
    const { id } = await insert(createStore(), { tenantId: toTenantId('t-2') });
    await expect(insert(createStore(), { id })).rejects.toMatchObject({ code: 11_000 });
  });
});
