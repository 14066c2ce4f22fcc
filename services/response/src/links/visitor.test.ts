import { describe, expect, it } from 'vitest';
import { readVisitor } from './visitor.ts';

describe('readVisitor', () => {
  it('finds nothing where nothing was sent', () => {
    expect(readVisitor(new Headers())).toEqual({ password: undefined, tokens: [''] });
  });

  it('reads a password as it is', () => {
    expect(readVisitor(new Headers({ 'link-password': 'let me %41in, please' })).password).toBe('let me %41in, please');
  });

  it('reads some tokens, and no more than that', () => {
    expect(readVisitor(new Headers({ 'link-token': 'a.b , c.d' })).tokens).toEqual(['a.b', 'c.d']);
    expect(readVisitor(new Headers({ 'link-token': 'x,'.repeat(1_000) })).tokens).toHaveLength(8);
  });
});
