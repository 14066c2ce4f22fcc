import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { away, createTestDefinitionStore, newSnapshot, startDefinitionProcess } from '../testing/definition-process.ts';
import { openSettings, testDefinition } from '../testing/test-definition.ts';
import type { Snapshot } from './definition.ts';

let database: Awaited<ReturnType<typeof createTestDefinitionStore>>;
let store: typeof database.store;

beforeAll(async () => {
  database = await createTestDefinitionStore();
  store = database.store;
});
afterAll(() => database.drop());

const startProcess = (initial: typeof away) => startDefinitionProcess(initial, { store });

describe('a version that a response names', () => {
  /** A process that knows an active survey at version 5. */
  async function startAtFive() {
    const snapshot = newSnapshot({ version: 5 });
    const process = startProcess(async () => snapshot);
    const survey = await process.definitions.findPublic(snapshot.surveyId);
    const at = (version: number, given: Partial<Snapshot> = {}) => ({ ...snapshot, version, ...given });
    return { ...process, snapshot, survey, at };
  }

  it('is asked for once, and serves while the survey service is away, in a new process too', async () => {
    const { definitions, survey, at, asked, answerVersionsWith } = await startAtFive();
    const definition = { ...testDefinition, title: 'Before' };
    answerVersionsWith(async (_, version) => at(version, { definition }));
    const find = () => definitions.findVersion(survey, 3);
    const found = await Promise.all(Array.from({ length: 20 }, find));
    expect(found[0]).toMatchObject({ version: 3, definition });
    expect(asked()).toBe(2);
    answerVersionsWith(() => Promise.reject(new Error('away')));
    expect(await find()).toMatchObject({ version: 3 });
    const second = startProcess(away);
    const known = await second.definitions.findPublic(survey.surveyId);
    expect(known).toMatchObject({ version: 5 });
    expect(await second.definitions.findVersion(known, 3)).toMatchObject({ version: 3, definition });
  });

  it('is the latest one without asking, and has the state of the survey', async () => {
    const { definitions, survey, at, asked, answerVersionsWith } = await startAtFive();
    expect(await definitions.findVersion(survey, 5)).toBe(survey);
    expect(asked()).toBe(1);
    const settings = { ...openSettings, languages: ['de'] };
    answerVersionsWith(async (_, version) => at(version));
    const found = await definitions.findVersion({ ...survey, status: 'closed', settings }, 4);
    expect(found).toMatchObject({ version: 4, status: 'closed', settings });
  });

  it('can be newer than what is known', async () => {
    const { definitions, survey, at, answerVersionsWith } = await startAtFive();
    answerVersionsWith(async (_, version) => at(version));
    expect(await definitions.findVersion(survey, 6)).toMatchObject({ version: 6 });
    expect(await store.findLatest(survey.surveyId)).toMatchObject({ version: 6 });
  });

  it('is unknown when there is none or it never was live, until it is', async () => {
    const { definitions, survey, at, answerVersionsWith } = await startAtFive();
    answerVersionsWith(async () => undefined);
    expect(await definitions.findVersion(survey, 4)).toBeUndefined();
    answerVersionsWith(async (_, version) => at(version, { wasLive: false }));
    expect(await definitions.findVersion(survey, 4)).toBeUndefined();
    answerVersionsWith(async (_, version) => at(version));
    expect(await definitions.findVersion(survey, 4)).toMatchObject({ version: 4 });
  });

  it('that was the latest one before it was live is asked for again', async () => {
    const { definitions, survey, snapshot, at, answerVersionsWith } = await startAtFive();
    await store.save(at(4, { status: 'closed', wasLive: false }), new Date(0));
    expect(await store.findVersion(snapshot.tenantId, snapshot.surveyId, 4)).toMatchObject({ wasLive: false });
    answerVersionsWith(async (_, version) => at(version));
    expect(await definitions.findVersion(survey, 4)).toMatchObject({ wasLive: true });
    expect(await store.findVersion(snapshot.tenantId, snapshot.surveyId, 4)).toMatchObject({ wasLive: true });
  });

  it('cannot be told from an unknown one while the survey service is away', async () => {
    const { definitions, survey } = await startAtFive();
    const found = definitions.findVersion(survey, 4);
    await expect(found).rejects.toMatchObject({ reason: 'UNAVAILABLE', retryAfterSeconds: 1 });
  });
});
