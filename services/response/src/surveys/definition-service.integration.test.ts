import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  away,
  createTestDefinitionService,
  createTestDefinitionStore,
  newSnapshot,
} from '../testing/definition-process.ts';
import { openSettings, testDefinition } from '../testing/test-definition.ts';
import { toCompiledSurvey } from './definition.ts';

type Options = Parameters<typeof createTestDefinitionService>[1];

let database: Awaited<ReturnType<typeof createTestDefinitionStore>>;
let store: Options['store'];

beforeAll(async () => {
  database = await createTestDefinitionStore();
  store = database.store;
});
afterAll(() => database.drop());

const startProcess = (initial: typeof away, given: Partial<Options> = {}) =>
  createTestDefinitionService(initial, { store, ...given });

describe('surveys of a tenant', () => {
  it('that is suspended are closed, except drafts', async () => {
    const [active, draft] = [newSnapshot(), newSnapshot({ status: 'draft' })];
    const suspended = { tenantStatus: 'suspended' } as const;
    const { definitions } = startProcess(async (id) => (id === active.surveyId ? active : draft), suspended);
    expect(await definitions.findPublic(active.surveyId)).toMatchObject({ ...active, status: 'closed' });
    expect(await definitions.findOwned(draft.tenantId, draft.surveyId)).toMatchObject(draft);
  });

  it('that is deleted are not found, not even in the cache, and not stored', async () => {
    const snapshot = newSnapshot();
    const deleted = { tenantStatus: 'deleted' } as const;
    const { definitions } = startProcess(async () => snapshot, deleted);
    await expect(definitions.findPublic(snapshot.surveyId)).rejects.toMatchObject({ code: 'SURVEY_NOT_FOUND' });
    expect(await store.findLatest(snapshot.surveyId)).toBeUndefined();
    await startProcess(async () => snapshot).definitions.findPublic(snapshot.surveyId);
    const later = startProcess(away, deleted).definitions;
    await expect(later.findOwned(snapshot.tenantId, snapshot.surveyId)).rejects.toMatchObject({
      code: 'SURVEY_NOT_FOUND',
    });
  });
});

describe('the published versions of a survey', () => {
  it('are those that the survey service knows, or the latest one while it is unavailable', async () => {
    const { definitions, respondToPublishedWith } = startProcess(away);
    const survey = toCompiledSurvey(newSnapshot({ version: 3 }));
    expect(await definitions.findPublishedVersions(survey)).toEqual([3]);
    expect(await definitions.findPublishedVersions({ ...survey, wasPublished: false })).toEqual([]);
    // Version 4 was published after the survey was read.
    respondToPublishedWith(async () => [4, 3, 1]);
    expect(new Set(await definitions.findPublishedVersions(survey))).toEqual(new Set([4, 3, 1]));
  });
});

describe('surveys', () => {
  it('are read once for all lookups within a second', async () => {
    const snapshot = newSnapshot();
    const { definitions, callCount, pass } = startProcess(async () => snapshot);
    const found = await Promise.all(Array.from({ length: 20 }, () => definitions.findPublic(snapshot.surveyId)));
    expect(found[0]).toMatchObject(snapshot);
    pass(999);
    await definitions.findOwned(snapshot.tenantId, snapshot.surveyId);
    expect(callCount()).toBe(1);
    pass(1);
    await definitions.findPublic(snapshot.surveyId);
    expect(callCount()).toBe(2);
  });

  it('have a new status and version after a second', async () => {
    const snapshot = newSnapshot();
    const { definitions, respondWith, pass } = startProcess(async () => snapshot);
    await definitions.findPublic(snapshot.surveyId);
    respondWith(async () => ({ ...snapshot, status: 'closed', version: 2 }));
    expect(await definitions.findPublic(snapshot.surveyId)).toMatchObject({ status: 'active', version: 1 });
    pass(1_000);
    expect(await definitions.findPublic(snapshot.surveyId)).toMatchObject({ status: 'closed', version: 2 });
  });

  it('are read again before a rejection, so a published survey accepts responses immediately', async () => {
    const snapshot = newSnapshot({ status: 'draft' });
    const { definitions, respondWith } = startProcess(async () => snapshot);
    await expect(definitions.findPublic(snapshot.surveyId)).rejects.toMatchObject({ code: 'SURVEY_NOT_FOUND' });
    respondWith(async () => ({ ...snapshot, status: 'active' }));
    expect(await definitions.findPublic(snapshot.surveyId)).toMatchObject({ status: 'active' });
    for (const settings of [
      { ...openSettings, access: 'links_only' } as const,
      { ...openSettings, opensAt: new Date(Date.now() + 60_000) },
      { ...openSettings, closesAt: new Date(Date.now() - 1) },
    ]) {
      const narrowed = startProcess(async () => ({ ...snapshot, status: 'active', settings }));
      await narrowed.definitions.findPublic(snapshot.surveyId);
      narrowed.respondWith(async () => ({ ...snapshot, status: 'active' }));
      expect(await narrowed.definitions.findPublic(snapshot.surveyId)).toMatchObject({ settings: openSettings });
    }
  });

  it('are read again if they close between two lookups', async () => {
    const closesAt = new Date(Date.now() + 500);
    const snapshot = newSnapshot({ settings: { ...openSettings, closesAt } });
    const { definitions, respondWith, pass } = startProcess(async () => snapshot);
    await definitions.findPublic(snapshot.surveyId);
    const later = { ...openSettings, closesAt: new Date(Date.now() + 60_000) };
    respondWith(async () => ({ ...snapshot, settings: later }));
    pass(500);
    expect(await definitions.findPublic(snapshot.surveyId)).toMatchObject({ settings: later });
  });

  it('are read again for a request that names something unknown, at most once a second', async () => {
    const snapshot = newSnapshot();
    const { definitions, respondWith, callCount, pass } = startProcess(async () => snapshot);
    const survey = await definitions.findPublic(snapshot.surveyId);
    pass(100);
    const newest = () => Promise.all(Array.from({ length: 20 }, () => definitions.findNewer(survey)));
    expect(new Set(await newest())).toEqual(new Set([undefined]));
    expect(callCount()).toBe(2);
    respondWith(async () => ({ ...snapshot, version: 2 }));
    pass(999);
    expect(await definitions.findNewer(survey)).toBeUndefined();
    pass(2);
    for (const found of await newest()) expect(found).toMatchObject({ version: 2 });
    expect(callCount()).toBe(3);
    pass(1_001);
    respondWith(away);
    expect(await definitions.findNewer(survey)).toMatchObject({ version: 2 });
    respondWith(async () => ({ ...snapshot, tenantId: toTenantId('other'), version: 3 }));
    pass(1_001);
    expect(await definitions.findNewer(survey)).toBeUndefined();
  });

  it('are read again just after a publication, even if a bad request made the service ask just before it', async () => {
    const snapshot = newSnapshot();
    const { definitions, respondWith, callCount, pass } = startProcess(async () => snapshot);
    const survey = await definitions.findPublic(snapshot.surveyId);
    expect(await definitions.awaitNewer(survey)).toBeUndefined();
    respondWith(async () => ({ ...snapshot, version: 2 }));
    pass(900);
    const found = await Promise.all(Array.from({ length: 20 }, () => definitions.awaitNewer(survey)));
    for (const one of found) expect(one).toMatchObject({ version: 2 });
    expect(callCount()).toBe(3);
    expect(await definitions.awaitNewer(survey)).toMatchObject({ version: 2 });
    expect(callCount()).toBe(3);
  });

  it('are read again if the running call began before the publication', async () => {
    const snapshot = newSnapshot();
    const { surveyId, tenantId } = snapshot;
    const { definitions, respondWith, callCount, pass } = startProcess(async () => snapshot);
    const survey = await definitions.findPublic(surveyId);
    pass(1_000);
    const held = Promise.withResolvers<void>();
    respondWith(() => held.promise.then(() => snapshot));
    const early = definitions.findOwned(tenantId, surveyId);
    respondWith(async () => ({ ...snapshot, version: 2 }));
    const late = [definitions.awaitNewer(survey), definitions.findPublic(surveyId, 2)];
    held.resolve();
    expect(await early).toMatchObject({ version: 1 });
    for (const found of await Promise.all(late)) expect(found).toMatchObject({ version: 2 });
    expect(callCount()).toBe(3);
  });

  it('have the required version, or are not available', async () => {
    const snapshot = newSnapshot();
    const { definitions, respondWith, callCount } = startProcess(async () => snapshot);
    const { tenantId, surveyId } = snapshot;
    await definitions.findPublic(surveyId);
    expect(await definitions.findPublic(surveyId, 1)).toMatchObject({ version: 1 });
    expect(callCount()).toBe(1);
    const missing = { code: 'UNAVAILABLE', retryAfterSeconds: 1 };
    await expect(definitions.findPublic(surveyId, 2)).rejects.toMatchObject(missing);
    respondWith(async () => ({ ...snapshot, version: 2 }));
    expect(await definitions.findOwned(tenantId, surveyId, 2)).toMatchObject({ version: 2 });
    expect(await definitions.findForRespondent(tenantId, surveyId, 2)).toMatchObject({ version: 2 });
    respondWith(away);
    expect(await definitions.findPublic(surveyId, 2)).toMatchObject({ version: 2 });
    await expect(definitions.findPublic(surveyId, 3)).rejects.toMatchObject(missing);
    await expect(definitions.findPublic(randomUUID(), 3)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('are not available if a required version takes more than two seconds', async () => {
    const snapshot = newSnapshot();
    const { definitions, respondWith } = startProcess(async () => snapshot);
    await definitions.findPublic(snapshot.surveyId);
    const { promise, resolve } = Promise.withResolvers<typeof snapshot>();
    respondWith(() => promise);
    await expect(definitions.findPublic(snapshot.surveyId, 2)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    resolve(snapshot);
  });

  it('compile a version once, even if the status changes', async () => {
    const snapshot = newSnapshot();
    const { definitions, respondWith, pass } = startProcess(async () => snapshot);
    const compiled = (await definitions.findPublic(snapshot.surveyId)).compiled();
    respondWith(async (_, known) => ({ ...snapshot, status: 'closed', definition: known?.definition ?? {} }));
    pass(1_000);
    expect((await definitions.findPublic(snapshot.surveyId)).compiled()).toBe(compiled);
  });

  it('avoid the transfer of a known version, even in a new process, but not of a deleted survey', async () => {
    const snapshot = newSnapshot({ version: 3 });
    const known: (number | undefined)[] = [];
    const first = startProcess(async () => snapshot);
    await first.definitions.findPublic(snapshot.surveyId);
    const second = startProcess(async (_, held) => {
      known.push(held?.version);
      return { ...snapshot, status: 'deleted' };
    });
    await expect(second.definitions.findPublic(snapshot.surveyId)).rejects.toThrow();
    second.respondWith(async (_, held) => {
      known.push(held?.version);
      return { ...snapshot, definition: { ...testDefinition, title: 'Another one' } };
    });
    const found = await second.definitions.findPublic(snapshot.surveyId);
    expect(known).toEqual([3, undefined]);
    expect(found.definition['title']).toBe('Another one');
    expect((await store.findLatest(snapshot.surveyId))?.definition).toEqual(found.definition);
  });

  it('are served from the last snapshot during an outage, even in a new process', async () => {
    const snapshot = newSnapshot({ version: 3 });
    const first = startProcess(async () => snapshot);
    await first.definitions.findPublic(snapshot.surveyId);
    first.respondWith(away);
    first.pass(60 * 60_000);
    expect(await first.definitions.findPublic(snapshot.surveyId)).toMatchObject(snapshot);
    const second = startProcess(away);
    expect(await second.definitions.findPublic(snapshot.surveyId)).toMatchObject(snapshot);
  });

  it('do not wait for a survey service that hangs after a failure', async () => {
    const snapshot = newSnapshot();
    const { definitions, respondWith, pass } = startProcess(async () => snapshot);
    await definitions.findPublic(snapshot.surveyId);
    respondWith(away);
    pass(1_000);
    await definitions.findPublic(snapshot.surveyId);
    respondWith(() => new Promise(() => {}));
    pass(1_000);
    expect(await definitions.findPublic(snapshot.surveyId)).toMatchObject(snapshot);
  });

  it('recover after an outage without a restart', async () => {
    const snapshot = newSnapshot();
    const { definitions, respondWith, pass } = startProcess(async () => snapshot);
    await definitions.findPublic(snapshot.surveyId);
    respondWith(away);
    pass(1_000);
    await definitions.findPublic(snapshot.surveyId);
    respondWith(async () => ({ ...snapshot, status: 'closed' }));
    pass(1_000);
    expect(await definitions.findPublic(snapshot.surveyId)).toMatchObject({ status: 'closed' });
  });

  it('cannot be found during an outage if there is no snapshot', async () => {
    const { definitions } = startProcess(away);
    await expect(definitions.findPublic(randomUUID())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('that no longer exist are deleted', async () => {
    const snapshot = newSnapshot();
    const { definitions, respondWith, pass } = startProcess(async () => snapshot);
    await definitions.findPublic(snapshot.surveyId);
    respondWith(async () => undefined);
    pass(1_000);
    const notFound = { code: 'SURVEY_NOT_FOUND' };
    await expect(definitions.findPublic(snapshot.surveyId)).rejects.toMatchObject(notFound);
    await expect(startProcess(away).definitions.findPublic(snapshot.surveyId)).rejects.toMatchObject(notFound);
    await expect(definitions.findPublic(randomUUID())).rejects.toMatchObject(notFound);
  });

  it('deleted at an unknown version accept no responses after a restart', async () => {
    const snapshot = newSnapshot();
    const { definitions, respondWith, pass } = startProcess(async () => snapshot);
    await definitions.findPublic(snapshot.surveyId);
    respondWith(async () => ({ ...snapshot, version: 2, status: 'deleted' }));
    pass(1_000);
    const notFound = { code: 'SURVEY_NOT_FOUND' };
    await expect(definitions.findPublic(snapshot.surveyId)).rejects.toMatchObject(notFound);
    await expect(startProcess(away).definitions.findPublic(snapshot.surveyId)).rejects.toMatchObject(notFound);
  });

  it('erased from the database are not stored again', async () => {
    const snapshot = newSnapshot();
    const { definitions, respondWith, pass } = startProcess(async () => snapshot);
    await definitions.findPublic(snapshot.surveyId);
    await database.erase(snapshot.surveyId);
    respondWith(async () => undefined);
    for (let minute = 0; minute < 3; minute += 1) {
      pass(60_000);
      await expect(definitions.findPublic(snapshot.surveyId)).rejects.toMatchObject({ code: 'SURVEY_NOT_FOUND' });
    }
    expect(await store.findLatest(snapshot.surveyId)).toBeUndefined();
  });

  it('that nobody reads are removed from memory', async () => {
    const snapshot = newSnapshot();
    const { definitions, respondWith, pass } = startProcess(async () => snapshot);
    await definitions.findPublic(snapshot.surveyId);
    await database.erase(snapshot.surveyId);
    respondWith(away);
    pass(6 * 60_000);
    const found = definitions.findPublic(snapshot.surveyId);
    await expect(found).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('are not read if the id is malformed', async () => {
    const { definitions, callCount } = startProcess(away);
    for (const id of ['', 'x', '../x', `${randomUUID()}:1`])
      await expect(definitions.findPublic(id)).rejects.toMatchObject({ code: 'SURVEY_NOT_FOUND' });
    expect(callCount()).toBe(0);
  });

  it('are not used if the snapshot cannot be stored', async () => {
    const snapshot = newSnapshot();
    const storeError = new Error('not durable');
    const { definitions } = startProcess(async () => snapshot, {
      store: { ...store, save: () => Promise.reject(storeError) },
    });
    await expect(definitions.findPublic(snapshot.surveyId)).rejects.toBe(storeError);
    await expect(startProcess(away).definitions.findPublic(snapshot.surveyId)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
  });

  it('are saved again after a minute, to replace an outdated snapshot of another process', async () => {
    const snapshot = newSnapshot();
    const { definitions, pass } = startProcess(async () => snapshot);
    await definitions.findPublic(snapshot.surveyId);
    await store.save({ ...snapshot, status: 'closed' }, new Date());
    pass(60_000);
    await definitions.findPublic(snapshot.surveyId);
    expect(await store.findLatest(snapshot.surveyId)).toMatchObject({ status: 'active' });
  });

  it('are found only by their own tenant, in any status except deleted', async () => {
    const snapshot = newSnapshot({ status: 'draft' });
    const { definitions, respondWith, pass } = startProcess(async () => snapshot);
    const { tenantId, surveyId } = snapshot;
    expect(await definitions.findOwned(tenantId, surveyId)).toMatchObject({ status: 'draft' });
    const notFound = { code: 'SURVEY_NOT_FOUND' };
    await expect(definitions.findOwned(toTenantId('another'), surveyId)).rejects.toMatchObject(notFound);
    await expect(definitions.findForSubmission(toTenantId('another'), surveyId)).rejects.toMatchObject(notFound);
    respondWith(async () => ({ ...snapshot, status: 'deleted' }));
    pass(1_000);
    await expect(definitions.findOwned(tenantId, surveyId)).rejects.toMatchObject(notFound);
  });
});
