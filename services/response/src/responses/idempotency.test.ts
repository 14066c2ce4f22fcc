import { describe, expect, it } from 'vitest';
import { toId, toKeyBytes } from './idempotency.ts';

describe('toKeyBytes', () => {
  it('differs for every key and scope', () => {
    const of = (kind: 'public' | 'tenant', id: string, key: string) =>
      Buffer.from(toKeyBytes({ kind, id }, key)).toString();
    const all = [
      of('public', 'survey', 'key'),
      of('tenant', 'survey', 'key'),
      of('public', 'survey2', 'key'),
      of('public', 'survey', 'Key'),
      of('public', 'surveykey', ''),
    ];
    expect(new Set(all).size).toBe(all.length);
    expect(of('public', 'survey', 'key')).toBe(all[0]);
  });
});

describe('toId', () => {
  it('makes a version 8 UUID', () => {
    expect(toId(new Uint8Array(16).fill(0xff))).toBe('ffffffff-ffff-8fff-bfff-ffffffffffff');
    expect(toId(new Uint8Array(16))).toBe('00000000-0000-8000-8000-000000000000');
  });
});
