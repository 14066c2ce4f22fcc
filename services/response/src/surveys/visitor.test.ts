import { describe, expect, it } from 'vitest';
import { readVisitor } from './link-service.ts';

const read = (headers: Record<string, string>) => readVisitor(new Headers(headers), '192.0.2.1');

describe('readVisitor', () => {
  it('finds nothing if no headers are sent', () => {
    expect(read({})).toEqual({ client: '192.0.2.1', password: undefined, tokens: [] });
    expect(read({ 'link-token': ' ,' }).tokens).toEqual([]);
  });

  it('reads the password unchanged', () => {
    expect(read({ 'link-password': 'let me %41in, please' }).password).toBe('let me %41in, please');
  });

  it('reads a limited number of tokens', () => {
    expect(read({ 'link-token': 'a.b , c.d' }).tokens).toEqual(['a.b', 'c.d']);
    expect(read({ 'link-token': 'x,'.repeat(1_000) }).tokens).toHaveLength(8);
  });
});
