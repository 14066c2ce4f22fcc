import { describe, expect, it } from 'vitest';
import { toResponseBatches } from './response-batches.ts';

describe('toResponseBatches', () => {
  it('keeps the order and holds 200 responses at most', () => {
    const responses = Array.from({ length: 401 }, (_, index) => ({ answers: { index }, metadata: undefined }));
    const batches = toResponseBatches(responses);
    expect(batches.map(({ length }) => length)).toEqual([200, 200, 1]);
    expect(batches.flat()).toEqual(responses);
  });

  it('holds a mebibyte of answers and metadata at most, or one response', () => {
    const large = { answers: { text: 'x'.repeat(700_000) }, metadata: undefined };
    const described = { answers: {}, metadata: { text: 'x'.repeat(700_000) } };
    const small = { answers: {}, metadata: undefined };
    expect(toResponseBatches([large, large, small]).map(({ length }) => length)).toEqual([1, 2]);
    expect(toResponseBatches([large, described]).map(({ length }) => length)).toEqual([1, 1]);
  });

  it('makes none of nothing', () => {
    expect(toResponseBatches([])).toEqual([]);
  });
});
