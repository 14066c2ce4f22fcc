import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Response } from '../responses/response.ts';
import { newResponse } from '../testing/new-response.ts';
import { newDefinition } from '../testing/test-definition.ts';
import { createSurveyTimes, type Interval, offsetsOf } from './survey-times.ts';

const survey = newDefinition([{ id: 'q', type: 'text' }]);

function timesOf(responses: readonly Partial<Response>[]) {
  const times = createSurveyTimes();
  for (const response of responses) times.add(newResponse(survey, response));
  return times;
}

/** A response that starts and ends at the same time. */
function at(time: string): Partial<Response> {
  const date = new Date(time);
  return { createdAt: date, startedAt: date, completedAt: date };
}

describe('the timeline', () => {
  it.each<[Interval, string, readonly string[], readonly string[]]>([
    [
      'hour',
      'Asia/Kathmandu',
      ['2024-05-01T10:14:59Z', '2024-05-01T10:15:00Z'],
      ['2024-05-01T15:00+05:45', '2024-05-01T16:00+05:45'],
    ],
    // Clocks go back from 03:00 to 02:00.
    [
      'hour',
      'Europe/Berlin',
      ['2024-10-27T00:30:00Z', '2024-10-27T01:30:00Z'],
      ['2024-10-27T02:00+02:00', '2024-10-27T02:00+01:00'],
    ],
    ['day', 'America/New_York', ['2024-01-01T04:59:59Z', '2024-01-01T05:00:00Z'], ['2023-12-31', '2024-01-01']],
    ['week', 'UTC', ['2024-05-05T23:59:59Z', '2024-05-06T00:00:00Z'], ['2024-04-29', '2024-05-06']],
    ['week', 'UTC', ['1969-12-28T12:00:00Z', '1969-12-29T12:00:00Z'], ['1969-12-22', '1969-12-29']],
  ])('by %s in %s', (interval, timeZone, given, starts) => {
    const timeline = timesOf(given.map(at)).timeline(interval, offsetsOf(timeZone));
    expect(timeline).toEqual(starts.map((start) => ({ start, started: 1, completed: 1, disqualified: 0 })));
  });

  it('counts starts in any state, completions and disqualifications in their own intervals', () => {
    const [first, second, third] = ['2024-05-01', '2024-05-02', '2024-05-03'].map(
      (day) => new Date(`${day}T12:00:00Z`),
    );
    const times = timesOf([
      { createdAt: first as Date, completedAt: second },
      { createdAt: second as Date, startedAt: first, completedAt: third, status: 'disqualified' },
      { createdAt: second as Date, completedAt: undefined, status: 'in_progress' },
      { createdAt: third as Date, completedAt: undefined, status: 'abandoned' },
    ]);
    expect(times.timeline('day', offsetsOf('UTC'))).toEqual([
      { start: '2024-05-01', started: 2, completed: 0, disqualified: 0 },
      { start: '2024-05-02', started: 1, completed: 1, disqualified: 0 },
      { start: '2024-05-03', started: 1, completed: 0, disqualified: 1 },
    ]);
    expect(times.byDay(offsetsOf('UTC'))).toEqual([{ day: '2024-05-02', count: 1 }]);
  });

  it('counts an imported response with an unknown start at its end, not at the import', () => {
    const [end, imported] = [new Date('2020-03-01T12:00:00Z'), new Date('2024-05-01T12:00:00Z')];
    const times = timesOf([{ createdAt: imported, startedAt: undefined, completedAt: end }]);
    expect(times.timeline('day', offsetsOf('UTC'))).toEqual([
      { start: '2020-03-01', started: 1, completed: 1, disqualified: 0 },
    ]);
  });

  it('ignores starts before the survey was created, except of imported and unfinished responses', () => {
    const times = createSurveyTimes({ surveyCreatedAt: new Date('2024-05-01T00:00:00Z') });
    const [createdAt, completedAt] = [new Date('2024-05-02T10:00:00Z'), new Date('2024-05-02T10:01:00Z')];
    for (const response of [
      { createdAt, completedAt, startedAt: new Date(0) },
      { createdAt, completedAt, startedAt: new Date('2024-05-02T09:59:00Z') },
      { ...at('2020-01-01T12:00:00Z'), createdAt },
      { createdAt, status: 'abandoned', completedAt: undefined, startedAt: new Date('2020-01-02T12:00:00Z') },
      { createdAt, startedAt: new Date('2020-01-03T12:00:00Z'), completedAt: new Date('2024-05-01T12:00:00Z') },
    ] as const)
      times.add(newResponse(survey, response));
    expect(times.timeline('day', offsetsOf('UTC'))).toEqual([
      { start: '2020-01-01', started: 1, completed: 1, disqualified: 0 },
      { start: '2020-01-02', started: 1, completed: 0, disqualified: 0 },
      { start: '2020-01-03', started: 1, completed: 0, disqualified: 0 },
      { start: '2024-05-01', started: 0, completed: 1, disqualified: 0 },
      { start: '2024-05-02', started: 2, completed: 2, disqualified: 0 },
    ]);
    // Two responses have a plausible start before their end. This is the lower median of the two.
    expect(times.medianSeconds()).toBe(120);
  });

  it('is limited to 5,000 intervals', () => {
    const hours = (count: number) =>
      timesOf(Array.from({ length: count }, (_, hour) => at(new Date(hour * 3_600_000).toISOString())));
    expect(hours(5_000).timeline('hour', offsetsOf('UTC'))).toHaveLength(5_000);
    const errors = [expect.objectContaining({ path: '/interval', code: 'TOO_MANY_BUCKETS' })];
    expect(() => hours(5_001).timeline('hour', offsetsOf('UTC'))).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', errors }),
    );
    expect(hours(5_001).timeline('day', offsetsOf('UTC'))).toHaveLength(209);
  });

  it('is the same if parts are counted separately and packed', () => {
    const times = fc.array(fc.date({ min: new Date('2020-01-01'), max: new Date('2022-01-01'), noInvalidDate: true }));
    fc.assert(
      fc.property(times, times, (one, other) => {
        const toResponses = (dates: readonly Date[]) => dates.map((date) => at(date.toISOString()));
        const [total, part] = [timesOf(toResponses(one)), timesOf(toResponses(other))];
        part.pack();
        total.merge(part);
        total.pack();
        const expected = timesOf(toResponses([...one, ...other]));
        const offsetAt = offsetsOf('Europe/Berlin');
        expect(total.timeline('week', offsetAt)).toEqual(expected.timeline('week', offsetAt));
        expect(total.byDay(offsetAt)).toEqual(expected.byDay(offsetAt));
      }),
      { numRuns: 30 },
    );
  });
});

describe('the median time', () => {
  const took = (seconds: number): Partial<Response> => {
    const startedAt = new Date('2024-05-01T10:00:00Z');
    return { startedAt, completedAt: new Date(startedAt.getTime() + seconds * 1_000) };
  };

  it.each([
    [[], undefined],
    [[7], 7],
    [[5, 30, 99], 30],
    [[5, 30, 99, 100], 30],
  ])('of %j seconds is %s', (seconds, median) => {
    expect(timesOf(seconds.map(took)).medianSeconds()).toBe(median);
  });

  it('is accurate to 1 %', () => {
    for (const seconds of [101, 250, 3_600, 86_400]) {
      const median = timesOf([took(seconds)]).medianSeconds() ?? 0;
      expect(Math.abs(median / seconds - 1)).toBeLessThan(0.01);
    }
  });

  it('ignores starts that equal the end: imports without a start have them', () => {
    expect(timesOf([took(0), took(0), took(40)]).medianSeconds()).toBe(40);
    expect(timesOf([took(0), took(0)]).medianSeconds()).toBeUndefined();
  });

  it('ignores unknown starts, starts after the end, and responses that are not completed', () => {
    const others = [{ startedAt: undefined }, took(-5), { ...took(5), status: 'disqualified' as const }];
    expect(timesOf(others).medianSeconds()).toBeUndefined();
  });
});
