import { ApiError } from '@survey/client';
import { expect, it } from 'vitest';
import { addSample, estimate, pauseBeforeNextRead, type Sample, stepOf } from './import-state.tsx';

const errorOf = (status: number) => new ApiError('x', { code: 'IMPORT_NOT_FOUND', status, errors: [] });

it.each([
  ['nothing is read yet', undefined, null, 1_000],
  ['the import runs', { status: 'running' }, null, 1_000],
  ['the import has ended', { status: 'completed' }, null, false],
  ['the platform cannot be reached', { status: 'running' }, new TypeError('fetch failed'), 1_000],
  ['the platform is overloaded', undefined, errorOf(503), 1_000],
  ['there are too many requests', undefined, errorOf(429), 1_000],
  ['the import does not exist', undefined, errorOf(404), false],
  ['the user may not read it any more', { status: 'running' }, errorOf(403), false],
] as const)('decides about the next read if %s', (_case, item, error, pause) => {
  expect(pauseBeforeNextRead(item, error)).toBe(pause);
});

it('estimates speed and remaining time from the first and the last sample', () => {
  const samples = [
    { at: 1000, bytes: 100, rows: 10 },
    { at: 2000, bytes: 150, rows: 20 },
    { at: 3000, bytes: 300, rows: 50 },
  ];
  expect(estimate(samples, 500)).toEqual({ rowsPerSecond: 20, millisecondsLeft: 2000 });
  expect(estimate(samples, 150, 'rows')).toEqual({ rowsPerSecond: 20, millisecondsLeft: 5000 });
});

it('does not know the remaining time while nothing is read, and nothing with one sample', () => {
  const still = { bytes: 100, rows: 10 };
  expect(
    estimate(
      [
        { at: 1, ...still },
        { at: 2, ...still },
      ],
      500,
    ),
  ).toEqual({
    rowsPerSecond: 0,
    millisecondsLeft: undefined,
  });
  expect(estimate([{ at: 1, ...still }], 500)).toBeUndefined();
  expect(estimate([], 500)).toBeUndefined();
});

it('keeps the latest samples, each once', () => {
  let samples: readonly Sample[] = [];
  for (let at = 0; at < 100; at += 1)
    samples = addSample(addSample(samples, { at, bytes: at, rows: at }), { at, bytes: at, rows: at });
  expect([samples.length, samples[0]?.at, samples.at(-1)?.at]).toEqual([15, 85, 99]);
});

it('knows whether an import reads its file or stores responses', () => {
  const file = { bytes: 50, total_bytes: 100 };
  expect(stepOf({ ...file, rows: 0, read: 30 })).toEqual({ isStoring: false, done: 50, total: 100 });
  expect(stepOf({ ...file, bytes: 100, rows: 20, read: 60 })).toEqual({ isStoring: true, done: 20, total: 60 });
  expect(stepOf({ ...file, rows: 20 })).toEqual({ isStoring: false, done: 50, total: 100 });
});
