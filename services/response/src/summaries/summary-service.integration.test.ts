import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newDefinition, newResponse } from '../testing/new-definition.ts';
import { createStoredResponses } from '../testing/stored-responses.ts';
import { createTestWindows } from '../testing/test-windows.ts';
import { createSummaryService } from './summary-service.ts';

let database: TestDatabase;
let stored: Awaited<ReturnType<typeof createStoredResponses>>;

beforeAll(async () => {
  database = await createTestDatabase();
  stored = await createStoredResponses(database.db);
});
afterAll(() => database.drop());

/** @param maxCounts that are kept of what was counted */
function createSummaries(maxCounts?: number) {
  const survey = newDefinition([{ id: 'q', type: 'rating' }]);
  const store = () => stored.store(Array.from({ length: 10 }, () => newResponse(survey, { data: { q: 3 } })));
  const definitions = { findOwned: async () => survey, findAnswered: async () => survey };
  const windows = createTestWindows(database.db);
  const { read, takeCount } = stored.createReader();
  const now = () => performance.now();
  const summaries = createSummaryService({ definitions, store: stored.stream, read, windows, now }, maxCounts);
  async function sumUp(timeZone = 'UTC') {
    const { responses, questions } = await summaries.get(survey.tenantId, survey.surveyId, timeZone);
    return { responses, mean: questions[0]?.numbers?.mean, reads: takeCount() };
  }
  return { store, sumUp };
}

describe('a summary of a survey that is being answered', () => {
  it('reads only what is not as it was, by time zone', async () => {
    const { store, sumUp } = createSummaries();
    await store();
    expect(await sumUp()).toEqual({ responses: 10, mean: 3, reads: 10 });
    expect(await sumUp()).toEqual({ responses: 10, mean: 3, reads: 0 });
    expect(await sumUp('Asia/Tokyo')).toEqual({ responses: 10, mean: 3, reads: 10 });
    await store();
    expect(await sumUp()).toEqual({ responses: 20, mean: 3, reads: 20 });
  });

  it('is right when there is no room for what was counted', async () => {
    const { store, sumUp } = createSummaries(10);
    await store();
    expect(await sumUp()).toEqual({ responses: 10, mean: 3, reads: 10 });
    expect(await sumUp()).toEqual({ responses: 10, mean: 3, reads: 10 });
    await store();
    expect(await sumUp()).toEqual({ responses: 20, mean: 3, reads: 20 });
  });
});
