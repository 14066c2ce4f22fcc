import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Response } from '../responses/response.ts';
import type { CompiledSurvey } from '../surveys/definition.ts';
import { newResponse } from '../testing/new-response.ts';
import { createStoredResponses } from '../testing/stored-responses.ts';
import { newDefinition } from '../testing/test-definition.ts';
import { createSurveyTally } from './survey-tally.ts';
import { createSliceCounter, type TimeRange, type TimeSlice } from './time-slices.ts';

let database: TestDatabase;
let stored: Awaited<ReturnType<typeof createStoredResponses>>;

beforeAll(async () => {
  database = await createTestDatabase();
  stored = await createStoredResponses(database.db);
});
afterAll(() => database.drop());

const MIN_RESPONSES = 100;
const at = (second: number) => new Date(Date.UTC(2024, 0, 1) + second * 1_000);

/** Returns a function that counts a survey with the slices of its last call. */
function createSums(survey: CompiledSurvey) {
  const { version, compiled } = survey;
  const createTally = () => createSurveyTally(new Map([[version, compiled()]]));
  let slices: readonly TimeSlice[] = [{}];
  const { read, takeCount } = stored.createReader();
  const counter = createSliceCounter({ store: stored.stream, read, clock: () => new Date() }, MIN_RESPONSES);

  return async (range: TimeRange = {}) => {
    const total = createTally();
    const query = { ...survey, range };
    const checked = (await counter.confirm(query, slices)).map(({ slice }) => slice);
    const counted = await Array.fromAsync(counter.count(query, checked, createTally));
    for (const { inRange } of counted) if (inRange !== undefined) total.merge(inRange.counts);
    slices = counted.map(({ slice }) => slice);
    const [question] = total.summary().questions;
    return {
      answered: question?.answered,
      mean: question?.numbers?.mean,
      reads: takeCount(),
      slices: counted.length,
    };
  };
}

const newSurvey = () => newDefinition([{ id: 'q', type: 'rating' }]);
/** One response per second. */
const responsesTo = (survey: CompiledSurvey, from: number, to: number, given: Partial<Response> = {}) =>
  Array.from({ length: to - from }, (_, n) =>
    newResponse(survey, { createdAt: at(from + n), updatedAt: at(from + n), data: { q: 1 }, ...given }),
  );

describe('a survey that is counted in slices', () => {
  it('is read once, then only its changed slices', async () => {
    const survey = newSurvey();
    const responses = responsesTo(survey, 0, 1_050);
    await stored.store(responses);
    const sumUp = createSums(survey);
    expect(await sumUp()).toEqual({ answered: 1_050, mean: 1, reads: 1_050, slices: 11 });
    expect(await sumUp()).toEqual({ answered: 1_050, mean: 1, reads: 0, slices: 11 });

    // New responses belong to the last slice, which is split when it is large.
    await stored.store(responsesTo(survey, 1_050, 1_060));
    expect(await sumUp()).toEqual({ answered: 1_060, mean: 1, reads: 60, slices: 11 });
    await stored.store(responsesTo(survey, 1_060, 1_260));
    expect(await sumUp()).toEqual({ answered: 1_260, mean: 1, reads: 260, slices: 13 });

    await stored.collection.deleteOne({ _id: responses[150]?.id ?? '' });
    expect(await sumUp()).toEqual({ answered: 1_259, mean: 1, reads: 99, slices: 13 });
  });

  it.each<[string, Partial<Response>, Partial<Response>, object]>([
    ['corrected', {}, { data: { q: 4 } }, { answered: 250, mean: 253 / 250 }],
    ['completed', { status: 'in_progress' }, { status: 'completed' }, { answered: 250, mean: 1 }],
    ['abandoned', { status: 'in_progress' }, { status: 'abandoned' }, { answered: 249, mean: 1 }],
  ])('is read again in the slice where a response was %s', async (_, given, change, expected) => {
    const survey = newSurvey();
    const [one] = responsesTo(survey, 120, 121, given);
    if (one === undefined) throw new Error('there is one');
    await stored.store([...responsesTo(survey, 0, 120), one, ...responsesTo(survey, 121, 250)]);
    const sumUp = createSums(survey);
    await sumUp();
    await stored.change(one, { ...change, updatedAt: at(500) });
    expect(await sumUp()).toMatchObject({ ...expected, reads: 100 });
  });

  it('keeps responses with equal times in one slice', async () => {
    const survey = newSurvey();
    await stored.store([...responsesTo(survey, 0, 250, { createdAt: at(0) }), ...responsesTo(survey, 1, 50)]);
    const sumUp = createSums(survey);
    // A slice ends before a chunk that begins with a later time. Here, the third chunk of a hundred has both times.
    expect(await sumUp()).toMatchObject({ answered: 299, reads: 299, slices: 1 });
    expect(await sumUp()).toMatchObject({ answered: 299, reads: 0 });
  });

  it('is counted right if all responses of a slice are deleted', async () => {
    const survey = newSurvey();
    await stored.store(responsesTo(survey, 0, 300));
    const sumUp = createSums(survey);
    await sumUp();
    await stored.collection.deleteMany({ survey_id: survey.surveyId, created_at: { $lt: at(100) } });
    expect(await sumUp()).toMatchObject({ answered: 200, reads: 0 });
    await stored.store(responsesTo(survey, 10, 20));
    expect(await sumUp()).toMatchObject({ answered: 210, reads: 10 });
    await stored.collection.deleteMany({ survey_id: survey.surveyId });
    expect(await sumUp()).toMatchObject({ answered: 0, reads: 0 });
  });
});

describe('a slice with a response to a version that was published during the counting', () => {
  it('is counted again', async () => {
    const survey = newSurvey();
    await stored.store([...responsesTo(survey, 0, 10), ...responsesTo(survey, 10, 11, { surveyVersion: 2 })]);
    const { read } = stored.createReader();
    const counter = createSliceCounter({ store: stored.stream, read, clock: () => new Date() }, MIN_RESPONSES);
    const count = async (versions: readonly number[]) => {
      const createTally = () => createSurveyTally(new Map(versions.map((version) => [version, survey.compiled()])));
      return (await Array.fromAsync(counter.count(survey, [{}], createTally))).map(({ slice }) => slice);
    };
    expect(await counter.confirm(survey, await count([2, 1]))).toMatchObject([{ isConfirmed: true }]);
    expect(await counter.confirm(survey, await count([1]))).toEqual([{ slice: {}, isConfirmed: false }]);
  });
});

describe('a time range of a survey', () => {
  /** One response an hour, for ten days. */
  async function storeHours() {
    const survey = newSurvey();
    const responses = Array.from({ length: 240 }, (_, hour) => responsesTo(survey, hour * 3_600, hour * 3_600 + 1));
    await stored.store(responses.flat());
    return createSums(survey);
  }
  const hour = (number: number) => at(number * 3_600);

  it('is read with the rest of its first and last day, and then only at its limits', async () => {
    const sumUp = await storeHours();
    const range = { since: hour(30), until: hour(100) };
    // This reads the hours 24 to 120, and again the parts of the slices that the limits cut.
    const first = await sumUp(range);
    expect(first.answered).toBe(70);
    expect(first.reads).toBeLessThanOrEqual(96 + 96);
    const later = await sumUp({ since: hour(31), until: hour(101) });
    expect(later.answered).toBe(70);
    expect(later.reads).toBeLessThanOrEqual(96);
  });

  it('shares slices with the whole survey', async () => {
    const sumUp = await storeHours();
    expect(await sumUp({ since: hour(48), until: hour(96) })).toMatchObject({ answered: 48, reads: 48 });
    expect(await sumUp()).toMatchObject({ answered: 240, reads: 240 - 48 });
    expect(await sumUp()).toMatchObject({ answered: 240, reads: 0 });
    expect(await sumUp({ since: hour(48) })).toMatchObject({ answered: 192, reads: 0 });
  });

  it('is counted like the responses in it', async () => {
    const sumUp = await storeHours();
    const limit = fc.option(fc.integer({ min: -5, max: 250 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(limit, limit, async (since, until) => {
        const { answered } = await sumUp({
          since: since === undefined ? undefined : hour(since),
          until: until === undefined ? undefined : hour(until),
        });
        const all = Array.from({ length: 240 }, (_, number) => number);
        expect(answered).toBe(all.filter((one) => one >= (since ?? 0) && one < (until ?? 240)).length);
      }),
      { numRuns: 40 },
    );
  });
});
