import { describe, expect, it } from 'vitest';
import { readVisitor } from './visitor.ts';

const read = (headers: Record<string, string>) => readVisitor(new Headers(headers), '192.0.2.1');

describe('readVisitor', () => {
  it('finds nothing where nothing was sent', () => {
    expect(read({})).toEqual({ client: '192.0.2.1', password: undefined, tokens: [] });
    expect(read({ 'link-token': ' ,' }).tokens).toEqual([]);
  });

  it('reads a password as it is', () => {
    expect(read({ 'link-password': 'let me %41in, please' }).password).toBe('let me %41in, please');
  });

  it('reads some tokens, and no more than that', () => {
    expect(read({ 'link-token': 'a.b , c.d' }).tokens).toEqual(['a.b', 'c.d']);
    expect(read({ 'link-token': 'x,'.repeat(1_000) }).tokens).toHaveLength(8);
  });
});
