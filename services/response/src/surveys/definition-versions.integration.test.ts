import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  away,
  createTestDefinitionService,
  createTestDefinitionStore,
  newSnapshot,
} from '../testing/definition-process.ts';
import { openSettings, testDefinition } from '../testing/test-definition.ts';
import type { Snapshot } from './definition.ts';

let database: Awaited<ReturnType<typeof createTestDefinitionStore>>;
let store: typeof database.store;

beforeAll(async () => {
  database = await createTestDefinitionStore();
  store = database.store;
});
afterAll(() => database.drop());

const startProcess = (initial: typeof away) => createTestDefinitionService(initial, { store });

describe('the version that a stored response answers', () => {
  it('is found even if it was never published, even during an outage', async () => {
    const snapshot = newSnapshot({ version: 2 });
    const draft = { ...snapshot, version: 1, status: 'draft', wasPublished: false } as const;
    await store.save(draft, new Date(0));
    const { definitions } = startProcess(async () => snapshot);
    const survey = await definitions.findOwned(snapshot.tenantId, snapshot.surveyId);
    expect(await definitions.findVersion(survey, 1).catch(({ code }) => code)).toBe('UNAVAILABLE');
    expect(await definitions.findAnsweredVersion(survey, 1)).toMatchObject({ version: 1, wasPublished: false });
    expect(await definitions.findAnsweredVersion(survey, 2)).toBe(survey);
  });

  it('is read once if it is not stored, and is unavailable during an outage', async () => {
    const snapshot = newSnapshot({ version: 2 });
    const { definitions, callCount, respondToVersionsWith } = startProcess(async () => snapshot);
    const survey = await definitions.findOwned(snapshot.tenantId, snapshot.surveyId);
    await expect(definitions.findAnsweredVersion(survey, 1)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    respondToVersionsWith(async (_, version) => ({ ...snapshot, version }));
    const before = callCount();
    for (let n = 0; n < 3; n += 1)
      expect(await definitions.findAnsweredVersion(survey, 1)).toMatchObject({ version: 1 });
    expect(callCount()).toBe(before + 1);
  });

  it('is never missing, unless the survey is broken', async () => {
    const snapshot = newSnapshot({ version: 2 });
    const { definitions, respondToVersionsWith } = startProcess(async () => snapshot);
    const survey = await definitions.findOwned(snapshot.tenantId, snapshot.surveyId);
    respondToVersionsWith(async () => undefined);
    await expect(definitions.findAnsweredVersion(survey, 1)).rejects.toThrow('lacks the answered version 1');
  });
});

describe('a version that a response names', () => {
  /** Starts a process that knows an active survey at version 5. */
  async function startAtFive() {
    const snapshot = newSnapshot({ version: 5 });
    const process = startProcess(async () => snapshot);
    const survey = await process.definitions.findPublic(snapshot.surveyId);
    const at = (version: number, given: Partial<Snapshot> = {}) => ({ ...snapshot, version, ...given });
    return { ...process, snapshot, survey, at };
  }

  it('is read once, and available during an outage, even in a new process', async () => {
    const { definitions, survey, at, callCount, respondToVersionsWith } = await startAtFive();
    const definition = { ...testDefinition, title: 'Before' };
    respondToVersionsWith(async (_, version) => at(version, { definition }));
    const find = () => definitions.findVersion(survey, 3);
    const found = await Promise.all(Array.from({ length: 20 }, find));
    expect(found[0]).toMatchObject({ version: 3, definition });
    expect(callCount()).toBe(2);
    respondToVersionsWith(() => Promise.reject(new AppError('UNAVAILABLE')));
    expect(await find()).toMatchObject({ version: 3 });
    const second = startProcess(away);
    const known = await second.definitions.findPublic(survey.surveyId);
    expect(known).toMatchObject({ version: 5 });
    expect(await second.definitions.findVersion(known, 3)).toMatchObject({ version: 3, definition });
  });

  it('is not read if it is the latest, and has the status of the survey', async () => {
    const { definitions, survey, at, callCount, respondToVersionsWith } = await startAtFive();
    expect(await definitions.findVersion(survey, 5)).toBe(survey);
    expect(callCount()).toBe(1);
    const settings = { ...openSettings, languages: ['de'] };
    respondToVersionsWith(async (_, version) => at(version));
    const found = await definitions.findVersion({ ...survey, status: 'closed', settings }, 4);
    expect(found).toMatchObject({ version: 4, status: 'closed', settings });
  });

  it('can be newer than the known one, repeatedly', async () => {
    const { definitions, survey, at, respondWith, respondToVersionsWith } = await startAtFive();
    respondToVersionsWith(async (_, version) => at(version));
    for (const newest of [6, 7]) {
      respondWith(async () => at(newest));
      expect(await definitions.findVersion(survey, newest)).toMatchObject({ version: newest });
      expect(await store.findLatest(survey.surveyId)).toMatchObject({ version: newest });
    }
  });

  it('is unknown if it does not exist or was never published, until it is', async () => {
    const { definitions, survey, at, respondToVersionsWith, pass } = await startAtFive();
    respondToVersionsWith(async () => undefined);
    expect(await definitions.findVersion(survey, 4)).toBeUndefined();
    respondToVersionsWith(async (_, version) => at(version, { wasPublished: false }));
    expect(await definitions.findVersion(survey, 3)).toBeUndefined();
    respondToVersionsWith(async (_, version) => at(version));
    pass(1_001);
    expect(await definitions.findVersion(survey, 4)).toMatchObject({ version: 4 });
    expect(await definitions.findVersion(survey, 3)).toMatchObject({ version: 3 });
  });

  it('that was never published is read once a second', async () => {
    const { definitions, survey, at, callCount, respondToVersionsWith, pass } = await startAtFive();
    respondToVersionsWith(async (_, version) => at(version, { wasPublished: false }));
    const before = callCount();
    for (let count = 0; count < 5; count += 1) expect(await definitions.findVersion(survey, 4)).toBeUndefined();
    expect(callCount() - before).toBe(1);
    pass(1_001);
    await definitions.findVersion(survey, 4);
    expect(callCount() - before).toBe(2);
  });

  it('above the latest one costs one call a second, whatever its number', async () => {
    const { definitions, survey, at, callCount, respondWith, respondToVersionsWith, pass } = await startAtFive();
    const before = callCount();
    const findAll = (versions: readonly number[]) =>
      Promise.all(versions.map((version) => definitions.findVersion(survey, version)));
    expect(await findAll([6, 7, 2_147_483_647])).toEqual([undefined, undefined, undefined]);
    for (let version = 6; version < 20; version += 1) await definitions.findVersion(survey, version);
    expect(callCount() - before).toBe(1);
    respondWith(async () => at(6));
    respondToVersionsWith(async (_, version) => at(version));
    pass(1_001);
    expect(await definitions.findVersion(survey, 6)).toMatchObject({ version: 6 });
  });

  it('belongs to the tenant of the survey, even if another tenant used the id', async () => {
    const { definitions, survey, at, respondToVersionsWith, pass } = await startAtFive();
    respondToVersionsWith(async (_, version) => at(version));
    await definitions.findVersion(survey, 3);
    const other = { tenantId: toTenantId('other'), definition: { ...testDefinition, title: 'Of another' } };
    expect(await definitions.findVersion({ ...survey, ...other }, 3)).toBeUndefined();
    await database.erase(survey.surveyId);
    respondToVersionsWith(async (_, version) => at(version, other));
    pass(1_001);
    expect(await definitions.findVersion({ ...survey, ...other }, 3)).toMatchObject({ version: 3, ...other });
  });

  it('that was the latest one before it was published is read again', async () => {
    const { definitions, survey, snapshot, at, respondToVersionsWith } = await startAtFive();
    await store.save(at(4, { status: 'closed', wasPublished: false }), new Date(0));
    expect(await store.findVersion(snapshot.tenantId, snapshot.surveyId, 4)).toMatchObject({ wasPublished: false });
    respondToVersionsWith(async (_, version) => at(version));
    expect(await definitions.findVersion(survey, 4)).toMatchObject({ wasPublished: true });
    expect(await store.findVersion(snapshot.tenantId, snapshot.surveyId, 4)).toMatchObject({ wasPublished: true });
  });

  it.each([4, 6])('cannot be distinguished from an unknown one during an outage: %i', async (version) => {
    const { definitions, survey, respondWith } = await startAtFive();
    respondWith(away);
    const found = definitions.findVersion(survey, version);
    await expect(found).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 1 });
  });
});
