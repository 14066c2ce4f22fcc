import { randomUUID } from 'node:crypto';
import { type TenantId, toTenantId } from '@survey/runtime/auth/tenant-id';
import { poll } from '@survey/runtime/testing/poll';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { testLog as log } from '@survey/runtime/testing/test-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newResponse } from '../testing/new-response.ts';
import { createStoredResponses, noConditions } from '../testing/stored-responses.ts';
import { newDefinition } from '../testing/test-definition.ts';
import { createTestSlices, createTestWindows } from '../testing/test-stores.ts';
import { createStoredCounts } from './stored-counts.ts';
import { createSummaryService } from './summary-service.ts';

let database: TestDatabase;
let stored: Awaited<ReturnType<typeof createStoredResponses>>;

beforeAll(async () => {
  database = await createTestDatabase();
  stored = await createStoredResponses(database.db);
});
afterAll(() => database.drop());

/** @param options the size of the cache of slices, and the time limit of a request */
function createSummaries(options: NonNullable<Parameters<typeof createSummaryService>[1]> = {}) {
  const survey = newDefinition([{ id: 'q', type: 'rating' }]);
  const store = () => stored.store(Array.from({ length: 10 }, () => newResponse(survey, { data: { q: 3 } })));
  const definitions = {
    findOwned: async () => survey,
    findAnsweredVersion: async () => survey,
    findVersion: async () => survey,
    findPublishedVersions: async () => [],
  };
  const windows = createTestWindows(database.db);
  const reader = stored.createReader();
  const { takeCount } = reader;
  let breaksAfter = Number.POSITIVE_INFINITY;
  let gate: Promise<void> | undefined;
  const read: typeof reader.read = async function* (tenantId, filter) {
    let count = 0;
    for await (const answers of reader.read(tenantId, filter)) {
      yield answers;
      await gate;
      count += answers.length;
      if (count >= breaksAfter) throw new Error('the database is away');
    }
  };
  const breakAfter = (responses: number) => {
    breaksAfter = responses;
  };
  /** From now on, reading stops after the first responses until `end` is called. */
  const pauseReading = () => {
    const { promise, resolve: end } = Promise.withResolvers<void>();
    gate = promise;
    return end;
  };
  const now = () => performance.now();
  const clock = () => new Date();
  const counts = createStoredCounts({ slices: createTestSlices(database.db), store: stored.stream, log });
  const dependencies = {
    definitions,
    conditions: noConditions,
    store: stored.stream,
    stored: counts,
    read,
    readAll: async function* () {},
    windows,
    clock,
    now,
  };
  const summaries = createSummaryService(dependencies, options);
  async function sumUp(timeZone = 'UTC') {
    const { responses, questions } = await summaries.get(survey.tenantId, {
      selection: { surveyId: survey.surveyId },
      timeZone,
    });
    return { responses, mean: questions[0]?.numbers?.mean, reads: takeCount() };
  }
  return { survey, store, sumUp, breakAfter, pauseReading };
}

it('a summary that takes long reports its progress, and a later request gets it', async () => {
  const { store, sumUp, pauseReading } = createSummaries({ timeMs: 100 });
  await store();
  const end = pauseReading();
  const detail = 'The summary takes longer: 10 responses are read. It goes on: repeat the request after some seconds';
  const failed = await poll(async () => {
    const error = await sumUp().catch((failure: unknown) => failure);
    return error instanceof Error && error.message === detail && error;
  });
  expect(failed).toMatchObject({ code: 'DEADLINE_EXCEEDED', retryAfterSeconds: 5 });
  end();
  expect(await poll(() => sumUp().catch(() => undefined))).toMatchObject({ responses: 10, reads: 10 });
});

describe('a summary of a survey that is being answered', () => {
  it('reads only changed slices, once for all time zones', async () => {
    const { store, sumUp } = createSummaries();
    await store();
    expect(await sumUp()).toEqual({ responses: 10, mean: 3, reads: 10 });
    expect(await sumUp()).toEqual({ responses: 10, mean: 3, reads: 0 });
    expect(await sumUp('Asia/Tokyo')).toEqual({ responses: 10, mean: 3, reads: 0 });
    await store();
    expect(await sumUp()).toEqual({ responses: 20, mean: 3, reads: 20 });
  });

  it('continues after the counted slices of a failed attempt', async () => {
    const { survey, sumUp, breakAfter } = createSummaries();
    const at = (second: number) => new Date(Date.UTC(2024, 0, 1) + second * 1_000);
    const responses = Array.from({ length: 10_250 }, (_, n) =>
      newResponse(survey, { createdAt: at(n), updatedAt: at(n), data: { q: 3 } }),
    );
    await stored.store(responses);
    breakAfter(10_200);
    await expect(sumUp()).rejects.toThrow('the database is away');
    breakAfter(Number.POSITIVE_INFINITY);
    expect(await sumUp()).toMatchObject({ responses: 10_250, mean: 3, reads: 10_200 + 250 });
  });

  it('is right if the cache is too small for the counts', async () => {
    const { store, sumUp } = createSummaries({ maxCachedEntries: 10 });
    await store();
    expect(await sumUp()).toEqual({ responses: 10, mean: 3, reads: 10 });
    expect(await sumUp()).toEqual({ responses: 10, mean: 3, reads: 10 });
    await store();
    expect(await sumUp()).toEqual({ responses: 20, mean: 3, reads: 20 });
  });
});

describe('summaries of many surveys after a restart', () => {
  it('read the stored counts of few at a time', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let reads = 0;
    const find = () => {
      reads += 1;
      return promise;
    };
    const createSaver = () => ({ add: async () => {}, end: async () => {} });
    const definition = newDefinition([]);
    const findOwned = async (tenantId: TenantId, surveyId: string) => ({ ...definition, tenantId, surveyId });
    const findVersion = async () => definition;
    const summaries = createSummaryService({
      definitions: { findOwned, findAnsweredVersion: findVersion, findVersion, findPublishedVersions: async () => [] },
      conditions: noConditions,
      store: stored.stream,
      stored: { find, createSaver },
      read: stored.createReader().read,
      readAll: async function* () {},
      windows: createTestWindows(database.db),
      clock: () => new Date(),
      now: () => performance.now(),
    });
    const newTenant = () => toTenantId(randomUUID());
    const sumUp = (tenantId: TenantId, surveyId: string = randomUUID(), since?: Date) =>
      summaries.get(tenantId, { selection: { surveyId, since }, timeZone: 'UTC' });
    const [one, other] = [newTenant(), newTenant()];
    const running = Array.from({ length: 3 }, () => sumUp(one));
    // Summaries of the same survey share a read.
    const surveyId = randomUUID();
    running.push(sumUp(one, surveyId), sumUp(one, surveyId, new Date(0)));
    await poll(() => reads === 4);
    await expect(sumUp(one)).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      retryAfterSeconds: 1,
      quota: { name: 'concurrent-summaries', requests: 4 },
    });
    for (let count = 0; count < 4; count += 1) running.push(sumUp(other));
    await poll(() => reads === 8);
    await expect(sumUp(newTenant())).rejects.toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: 1 });
    resolve(undefined);
    await Promise.all(running);
    expect(await sumUp(one)).toMatchObject({ responses: 0 });
  });
});
