import { describe, expect, it } from 'vitest';
import { toExcerpt } from './answer.ts';

describe('the excerpt of an answer', () => {
  it('is its first 1000 characters, none of them cut', () => {
    expect(toExcerpt(Buffer.from('a'.repeat(1_001)))).toBe('a'.repeat(1_000));
    expect(toExcerpt(Buffer.from('😀'.repeat(1_001)))).toBe('😀'.repeat(1_000));
  });

  it('leaves out a character that the end of the bytes cuts', () => {
    expect(toExcerpt(Buffer.from('aë').subarray(0, 2))).toBe('a');
  });

  it('replaces NUL and what is not UTF-8', () => {
    expect(toExcerpt(Buffer.from('610062ff63eda08064', 'hex'))).toBe('a\u{fffd}b\u{fffd}c\u{fffd}\u{fffd}\u{fffd}d');
  });

  it('is empty for no body', () => {
    expect(toExcerpt(new Uint8Array())).toBe('');
  });
});
