import { describe, expect, it } from 'vitest';
import { readPrefer } from './import-handler.ts';

const read = (prefer?: string) => readPrefer({ requestHeader: new Headers(prefer === undefined ? {} : { prefer }) });

describe('the Prefer header', () => {
  it.each([
    [undefined, false, 0],
    ['respond-async', true, 0],
    ['Respond-Async, wait=10', true, 10_000],
    ['respond-async; x=1, WAIT = "5"', true, 5_000],
    ['wait=600', false, 25_000],
    ['wait=soon, handling=lenient', false, 0],
    ['wait=-1', false, 0],
  ])('is read from %j', (prefer, isAsync, waitMs) => {
    expect(read(prefer)).toEqual({ isAsync, waitMs });
  });
});
