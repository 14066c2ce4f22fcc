import { expect, it } from 'vitest';
import { fromLocalInput, toLocalInput } from './local-time.ts';

it.each(['2026-01-31T12:00:00.000Z', '2026-07-01T00:30:00.000Z'])('keeps the minute of %s', (iso) => {
  expect(fromLocalInput(toLocalInput(iso))).toBe(iso);
});

it.each(['', '2026-', 'x'])('reads nothing from %j', (value) => {
  expect(fromLocalInput(value)).toBeUndefined();
});
