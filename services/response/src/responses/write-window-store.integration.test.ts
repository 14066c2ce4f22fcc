import { randomUUID } from 'node:crypto';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import type { Collection } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestWindows, endWindows } from '../testing/test-stores.ts';
import { createWriteWindows, type WriteWindowDocument, writeWindowIndexes } from './write-window-store.ts';

let database: TestDatabase;
let collection: Collection<WriteWindowDocument>;

beforeAll(async () => {
  database = await createTestDatabase();
  collection = database.db.collection('write_windows');
  await ensureIndexes(database.db, { write_windows: writeWindowIndexes });
});
afterAll(() => database.drop());

const newSurvey = () => ({ tenantId: toTenantId(randomUUID()), surveyId: randomUUID() });
const untilOf = async (surveyId: string) => (await collection.findOne({ _id: surveyId }))?.until.getTime();
const nothing = async () => {};

/** Write windows of a process with two manual clocks. */
function startProcess() {
  const clocks = { now: 1_000, clock: 1_700_000_000_000 };
  const windows = createWriteWindows({ collection, now: () => clocks.now, clock: () => new Date(clocks.clock) });
  return { windows, clocks };
}

describe('the write windows of a survey', () => {
  it('are closed before the first write, and after the window is over', async () => {
    const survey = newSurvey();
    const windows = createTestWindows(database.db);
    expect([await windows.lastWindowOf(survey), await windows.lastReadableWindow(survey)]).toEqual([0, 0]);
    const inside = await windows.runInWindow([survey], () => windows.lastWindowOf(survey));
    expect(inside).toBe(await untilOf(survey.surveyId));
    // The clock of the database is that of this machine.
    expect(Math.abs(inside - Date.now() - 60_000)).toBeLessThan(10_000);
    expect(await windows.lastReadableWindow(survey)).toBeUndefined();
    await endWindows(database.db);
    const over = await untilOf(survey.surveyId);
    expect([await windows.lastWindowOf(survey), await windows.lastReadableWindow(survey)]).toEqual([over, over]);
  });

  it('are open before the write starts, for each of its surveys', async () => {
    const windows = createTestWindows(database.db);
    const surveys = [newSurvey(), newSurvey()];
    const seen = await windows.runInWindow(surveys, () =>
      Promise.all(surveys.map((survey) => windows.lastReadableWindow(survey))),
    );
    expect(seen).toEqual([undefined, undefined]);
  });

  it('are used again during the first half, by the clock that leaves less time', async () => {
    for (const clock of ['now', 'clock'] as const) {
      const { windows, clocks } = startProcess();
      const survey = newSurvey();
      await windows.runInWindow([survey], nothing);
      await endWindows(database.db);
      clocks[clock] += 29_000;
      await windows.runInWindow([survey], nothing);
      expect(await windows.lastReadableWindow(survey)).toBeDefined();
      clocks[clock] += 2_000;
      await windows.runInWindow([survey], nothing);
      expect(await windows.lastReadableWindow(survey)).toBeUndefined();
    }
  });

  it('are opened again after a write that took longer than the window, even if it failed', async () => {
    const { windows, clocks } = startProcess();
    const survey = newSurvey();
    const stall = async (end: () => Promise<void>) => {
      await endWindows(database.db);
      clocks.clock += 61_000;
      await end();
    };
    await windows.runInWindow([survey], () => stall(nothing));
    expect(await windows.lastReadableWindow(survey)).toBeUndefined();
    const failing = windows.runInWindow([survey], () => stall(() => Promise.reject(new Error('lost'))));
    await expect(failing).rejects.toThrow('lost');
    expect(await windows.lastReadableWindow(survey)).toBeUndefined();
  });

  it('are never shortened by another process, and opened once for concurrent writes', async () => {
    const survey = newSurvey();
    const later = new Date(Date.now() + 3_600_000);
    await collection.insertOne({ _id: survey.surveyId, tenant_id: survey.tenantId, until: later });
    await createTestWindows(database.db).runInWindow([survey], nothing);
    expect(await untilOf(survey.surveyId)).toBe(later.getTime() + 1);
    const fresh = newSurvey();
    const processes = Array.from({ length: 20 }, () => createTestWindows(database.db));
    const announced = processes.flatMap((windows) => [1, 2].map(() => windows.runInWindow([fresh], nothing)));
    await expect(Promise.all(announced)).resolves.toHaveLength(40);
    expect(await collection.countDocuments({ _id: fresh.surveyId })).toBe(1);
  });

  it('have another number after a failover to a server whose clock is 60 s behind', async () => {
    const survey = newSurvey();
    // The last window ended by the clock of the former primary, which is ahead of this one.
    const ended = new Date(Date.now() + 61_000);
    await collection.insertOne({ _id: survey.surveyId, tenant_id: survey.tenantId, until: ended });
    const windows = createTestWindows(database.db);
    const before = await windows.lastWindowOf(survey);
    await windows.runInWindow([survey], nothing);
    expect(await windows.lastWindowOf(survey)).toBeGreaterThan(before);
    expect(await windows.lastReadableWindow(survey)).toBeUndefined();
  });

  it('prevent the write if they cannot be opened', async () => {
    const survey = newSurvey();
    await collection.insertOne({ _id: survey.surveyId, tenant_id: toTenantId('another'), until: new Date(0) });
    let wrote = false;
    const write = async () => {
      wrote = true;
    };
    await expect(createTestWindows(database.db).runInWindow([survey], write)).rejects.toThrow('duplicate key');
    expect(wrote).toBe(false);
  });

  it('belong to their tenant', async () => {
    const survey = newSurvey();
    const windows = createTestWindows(database.db);
    await windows.runInWindow([survey], nothing);
    const foreign = { ...survey, tenantId: toTenantId('another') };
    expect([await windows.lastWindowOf(foreign), await windows.lastReadableWindow(foreign)]).toEqual([0, 0]);
  });
});
