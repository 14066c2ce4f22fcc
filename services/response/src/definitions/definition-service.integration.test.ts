import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { testLog } from '@survey/runtime/testing/test-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDefinition } from '../testing/survey-service.ts';
import type { Snapshot } from './definition.ts';
import { createDefinitionService, type DefinitionSource, type DefinitionStore } from './definition-service.ts';
import { createDefinitionStore, type DefinitionDocument, definitionIndexes } from './definition-store.ts';

let database: TestDatabase;
let store: DefinitionStore;

beforeAll(async () => {
  database = await createTestDatabase();
  await ensureIndexes(database.db, { definitions: definitionIndexes });
  store = createDefinitionStore(database.db.collection<DefinitionDocument>('definitions'));
});
afterAll(() => database.drop());

const away: DefinitionSource = () => Promise.reject(new Error('away'));

function newSnapshot(given: Partial<Snapshot> = {}): Snapshot {
  return {
    surveyId: randomUUID(),
    tenantId: toTenantId(randomUUID()),
    status: 'active',
    schemaVersion: '1.0',
    version: 1,
    definition: testDefinition,
    ...given,
  };
}

/** A process with a survey service that a test can change, and a clock that it moves. */
function startProcess(initial: DefinitionSource, itsStore = store) {
  let source = initial;
  let time = 0;
  let asked = 0;
  const definitions = createDefinitionService({
    store: itsStore,
    source: (surveyId) => {
      asked += 1;
      return source(surveyId);
    },
    log: testLog,
    clock: () => new Date(),
    now: () => time,
  });
  return {
    definitions,
    asked: () => asked,
    answerWith: (next: DefinitionSource) => {
      source = next;
    },
    pass: (ms: number) => {
      time += ms;
    },
  };
}

describe('definitions', () => {
  it('asks once for all look-ups of a second', async () => {
    const snapshot = newSnapshot();
    const { definitions, asked, pass } = startProcess(async () => snapshot);
    const found = await Promise.all(Array.from({ length: 20 }, () => definitions.findPublic(snapshot.surveyId)));
    expect(found[0]).toMatchObject(snapshot);
    pass(999);
    await definitions.findOwned(snapshot.tenantId, snapshot.surveyId);
    expect(asked()).toBe(1);
    pass(1);
    await definitions.findPublic(snapshot.surveyId);
    expect(asked()).toBe(2);
  });

  it('knows a new state and version after a second', async () => {
    const snapshot = newSnapshot();
    const { definitions, answerWith, pass } = startProcess(async () => snapshot);
    await definitions.findPublic(snapshot.surveyId);
    answerWith(async () => ({ ...snapshot, status: 'closed', version: 2 }));
    expect(await definitions.findPublic(snapshot.surveyId)).toMatchObject({ status: 'active', version: 1 });
    pass(1_000);
    expect(await definitions.findPublic(snapshot.surveyId)).toMatchObject({ status: 'closed', version: 2 });
  });

  it('asks again before it refuses, so a survey takes answers right after it is published', async () => {
    const snapshot = newSnapshot({ status: 'draft' });
    const { definitions, answerWith } = startProcess(async () => snapshot);
    await expect(definitions.findPublic(snapshot.surveyId)).rejects.toMatchObject({ reason: 'SURVEY_NOT_FOUND' });
    answerWith(async () => ({ ...snapshot, status: 'active' }));
    expect(await definitions.findPublic(snapshot.surveyId)).toMatchObject({ status: 'active' });
    answerWith(async () => ({ ...snapshot, status: 'active', version: 2 }));
    expect(await definitions.findPublic(snapshot.surveyId, 2)).toMatchObject({ version: 2 });
  });

  it('compiles a version once, also when its state changes', async () => {
    const snapshot = newSnapshot();
    const { definitions, answerWith, pass } = startProcess(async () => snapshot);
    const compiled = (await definitions.findPublic(snapshot.surveyId)).compiled();
    answerWith(async () => ({ ...snapshot, status: 'closed' }));
    pass(1_000);
    expect((await definitions.findPublic(snapshot.surveyId)).compiled()).toBe(compiled);
  });

  it('serves the last snapshot while the survey service is away, in a new process too', async () => {
    const snapshot = newSnapshot({ version: 3 });
    const first = startProcess(async () => snapshot);
    await first.definitions.findPublic(snapshot.surveyId);
    first.answerWith(away);
    first.pass(60 * 60_000);
    expect(await first.definitions.findPublic(snapshot.surveyId)).toMatchObject(snapshot);
    const second = startProcess(away);
    expect(await second.definitions.findPublic(snapshot.surveyId)).toMatchObject(snapshot);
  });

  it('does not wait for a survey service that hangs after it failed', async () => {
    const snapshot = newSnapshot();
    const { definitions, answerWith, pass } = startProcess(async () => snapshot);
    await definitions.findPublic(snapshot.surveyId);
    answerWith(away);
    pass(1_000);
    await definitions.findPublic(snapshot.surveyId);
    answerWith(() => new Promise(() => {}));
    pass(1_000);
    expect(await definitions.findPublic(snapshot.surveyId)).toMatchObject(snapshot);
  });

  it('finds the way back by itself', async () => {
    const snapshot = newSnapshot();
    const { definitions, answerWith, pass } = startProcess(async () => snapshot);
    await definitions.findPublic(snapshot.surveyId);
    answerWith(away);
    pass(1_000);
    await definitions.findPublic(snapshot.surveyId);
    answerWith(async () => ({ ...snapshot, status: 'closed' }));
    pass(1_000);
    expect(await definitions.findPublic(snapshot.surveyId)).toMatchObject({ status: 'closed' });
  });

  it('cannot tell anything of a survey that it never saw while the survey service is away', async () => {
    const { definitions } = startProcess(away);
    await expect(definitions.findPublic(randomUUID())).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  });

  it('takes a survey that is gone for a deleted one', async () => {
    const snapshot = newSnapshot();
    const { definitions, answerWith, pass } = startProcess(async () => snapshot);
    await definitions.findPublic(snapshot.surveyId);
    answerWith(async () => undefined);
    pass(1_000);
    const notFound = { reason: 'SURVEY_NOT_FOUND' };
    await expect(definitions.findPublic(snapshot.surveyId)).rejects.toMatchObject(notFound);
    await expect(startProcess(away).definitions.findPublic(snapshot.surveyId)).rejects.toMatchObject(notFound);
    await expect(definitions.findPublic(randomUUID())).rejects.toMatchObject(notFound);
  });

  it('does not ask for what cannot be the id of a survey', async () => {
    const { definitions, asked } = startProcess(away);
    for (const id of ['', 'x', '../x', randomUUID().toUpperCase(), `${randomUUID()}:1`])
      await expect(definitions.findPublic(id)).rejects.toMatchObject({ reason: 'SURVEY_NOT_FOUND' });
    expect(asked()).toBe(0);
  });

  it('does not go on with a snapshot that could not be made durable', async () => {
    const snapshot = newSnapshot();
    const lost = new Error('not durable');
    const { definitions } = startProcess(async () => snapshot, { ...store, save: () => Promise.reject(lost) });
    await expect(definitions.findPublic(snapshot.surveyId)).rejects.toBe(lost);
    await expect(startProcess(away).definitions.findPublic(snapshot.surveyId)).rejects.toMatchObject({
      reason: 'UNAVAILABLE',
    });
  });

  it('saves again after a minute, so that a passing state that another process saved does not stay', async () => {
    const snapshot = newSnapshot();
    const { definitions, pass } = startProcess(async () => snapshot);
    await definitions.findPublic(snapshot.surveyId);
    await store.save({ ...snapshot, status: 'closed' }, new Date());
    pass(60_000);
    await definitions.findPublic(snapshot.surveyId);
    expect(await store.findLatest(snapshot.surveyId)).toMatchObject({ status: 'active' });
  });

  it('shows a tenant its own surveys alone, in any state but deleted', async () => {
    const snapshot = newSnapshot({ status: 'draft' });
    const { definitions, answerWith, pass } = startProcess(async () => snapshot);
    const { tenantId, surveyId } = snapshot;
    expect(await definitions.findOwned(tenantId, surveyId)).toMatchObject({ status: 'draft' });
    const notFound = { reason: 'SURVEY_NOT_FOUND' };
    await expect(definitions.findOwned(toTenantId('another'), surveyId)).rejects.toMatchObject(notFound);
    await expect(definitions.findForSubmission(toTenantId('another'), surveyId)).rejects.toMatchObject(notFound);
    answerWith(async () => ({ ...snapshot, status: 'deleted' }));
    pass(1_000);
    await expect(definitions.findOwned(tenantId, surveyId)).rejects.toMatchObject(notFound);
  });
});

describe('the store of definitions', () => {
  it('gives the latest version back deep-equal', async () => {
    const definition = { ...testDefinition, $ref: 'x', nested: { 'a.b': [null, 1.5], '': true } };
    const snapshot = newSnapshot({ definition });
    await store.save({ ...snapshot, version: 10 }, new Date());
    await store.save({ ...snapshot, version: 9, status: 'closed' }, new Date());
    expect(await store.findLatest(snapshot.surveyId)).toEqual({ ...snapshot, version: 10 });
    expect(await store.findLatest(randomUUID())).toBeUndefined();
  });

  it('keeps the state that was observed last, in whichever order observations are saved', async () => {
    const snapshot = newSnapshot();
    await store.save({ ...snapshot, status: 'closed' }, new Date(2_000));
    await store.save(snapshot, new Date(1_000));
    expect(await store.findLatest(snapshot.surveyId)).toMatchObject({ status: 'closed' });
    await store.save(snapshot, new Date(3_000));
    expect(await store.findLatest(snapshot.surveyId)).toMatchObject({ status: 'active' });
  });
});
