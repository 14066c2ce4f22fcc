import { describe, expect, it } from 'vitest';
import { createDateTally, createHourTally } from './question-tally.ts';

const DAY_MS = 24 * 60 * 60_000;

/** @param step days between two dates */
function datesFrom(first: string, count: number, step = 1) {
  const tally = createDateTally();
  for (let index = 0; index < count; index += 1)
    tally.add(new Date(Date.parse(first) + index * step * DAY_MS).toISOString().slice(0, 10));
  return tally.summary();
}

describe('the periods of dates', () => {
  it('are days, in order', () => {
    const tally = createDateTally();
    for (const date of ['2024-02-29', '0000-01-01', '9999-12-31', '2024-02-29']) tally.add(date);
    expect(tally.summary()).toEqual([
      { period: '0000-01-01', count: 1 },
      { period: '2024-02-29', count: 2 },
      { period: '9999-12-31', count: 1 },
    ]);
  });

  it('are months for more than 1,000 days, and years for more than 1,000 months', () => {
    expect(datesFrom('2020-01-01', 1_000)).toHaveLength(1_000);
    expect(datesFrom('2020-01-01', 1_001).slice(0, 2)).toEqual([
      { period: '2020-01', count: 31 },
      { period: '2020-02', count: 29 },
    ]);
    expect(datesFrom('1900-01-01', 1_001, 40)[0]).toEqual({ period: '1900', count: 10 });
  });

  it('are the same if parts are counted separately', () => {
    const [total, part] = [createDateTally(), createDateTally()];
    total.add('2024-01-01');
    for (const date of ['2024-01-01', '1969-12-31']) part.add(date);
    part.counts.pack();
    total.merge(part);
    expect(total.summary()).toEqual([
      { period: '1969-12-31', count: 1 },
      { period: '2024-01-01', count: 2 },
    ]);
  });
});

it('the periods of times are hours', () => {
  const tally = createHourTally();
  for (const time of ['23:59:59', '09:00', '09:30']) tally.add(time);
  expect(tally.summary()).toEqual([
    { period: '09:00', count: 2 },
    { period: '23:00', count: 1 },
  ]);
});
