import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDefinitionStore, newSnapshot } from '../testing/definition-process.ts';
import { testDefinition } from '../testing/test-definition.ts';
import type { SurveySettings } from './definition.ts';

let database: Awaited<ReturnType<typeof createTestDefinitionStore>>;
let store: typeof database.store;

beforeAll(async () => {
  database = await createTestDefinitionStore();
  store = database.store;
});
afterAll(() => database.drop());

describe('the definition store', () => {
  it('returns the latest version deep-equal', async () => {
    const definition = { ...testDefinition, $ref: 'x', nested: { 'a.b': [null, 1.5], '': true } };
    const [opensAt, closesAt] = [new Date(1_000), new Date(2_000)];
    const narrow = {
      opensAt,
      closesAt,
      responseLimit: 3,
      access: 'links_only',
      languages: ['de'],
      retentionDays: 4,
      resumeAcrossDevices: false,
      metadataFields: [{ name: 'campaign', type: 'string', max_length: 9, from: ['url'] }],
    };
    const snapshot = newSnapshot({ definition, settings: narrow as SurveySettings });
    await store.save({ ...snapshot, version: 10 }, new Date());
    await store.save({ ...snapshot, version: 9, status: 'closed' }, new Date());
    expect(await store.findLatest(snapshot.surveyId)).toEqual({ ...snapshot, version: 10 });
    expect(await store.findLatest(randomUUID())).toBeUndefined();
  });

  it('keeps the state that was observed last, in any order of saves', async () => {
    const snapshot = newSnapshot();
    await store.save({ ...snapshot, status: 'closed' }, new Date(2_000));
    await store.save(snapshot, new Date(1_000));
    expect(await store.findLatest(snapshot.surveyId)).toMatchObject({ status: 'closed' });
    await store.save(snapshot, new Date(3_000));
    expect(await store.findLatest(snapshot.surveyId)).toMatchObject({ status: 'active' });
  });

  it('keeps a survey deleted that was deleted at an unknown version, until it exists again', async () => {
    const snapshot = newSnapshot();
    await store.save(snapshot, new Date(1_000));
    await store.save({ ...snapshot, version: 2, status: 'deleted' }, new Date(3_000));
    await store.save(snapshot, new Date(2_000));
    expect(await store.findLatest(snapshot.surveyId)).toEqual({ ...snapshot, status: 'deleted' });
    await store.save({ ...snapshot, version: 2 }, new Date(4_000));
    await store.save({ ...snapshot, version: 2, status: 'deleted' }, new Date(3_000));
    expect(await store.findLatest(snapshot.surveyId)).toEqual({ ...snapshot, version: 2 });
  });

  it('does not mark surveys of other tenants as deleted, and inserts no deleted survey', async () => {
    const [snapshot, gone] = [newSnapshot(), newSnapshot()];
    await store.save(snapshot, new Date(1_000));
    await store.save({ ...snapshot, tenantId: gone.tenantId, status: 'deleted' }, new Date(2_000));
    expect(await store.findLatest(snapshot.surveyId)).toEqual(snapshot);
    await store.save({ ...gone, status: 'deleted' }, new Date());
    expect(await store.findLatest(gone.surveyId)).toBeUndefined();
  });
});
