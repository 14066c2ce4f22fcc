import { describe, expect, it } from 'vitest';
import { toIdempotencyKeyBytes, uuidOfHash } from './response-sealer.ts';

describe('toIdempotencyKeyBytes', () => {
  it('differs for every key and scope', () => {
    const bytesOf = (kind: 'public' | 'tenant', id: string, key: string) =>
      Buffer.from(toIdempotencyKeyBytes({ kind, id }, key)).toString();
    const all = [
      bytesOf('public', 'survey', 'key'),
      bytesOf('tenant', 'survey', 'key'),
      bytesOf('public', 'survey2', 'key'),
      bytesOf('public', 'survey', 'Key'),
      bytesOf('public', 'surveykey', ''),
    ];
    expect(new Set(all).size).toBe(all.length);
    expect(bytesOf('public', 'survey', 'key')).toBe(all[0]);
  });
});

describe('toId', () => {
  it('makes a version 8 UUID', () => {
    expect(uuidOfHash(new Uint8Array(16).fill(0xff))).toBe('ffffffff-ffff-8fff-bfff-ffffffffffff');
    expect(uuidOfHash(new Uint8Array(16))).toBe('00000000-0000-8000-8000-000000000000');
  });
});
