import { describe, expect, it } from 'vitest';
import { idOfKey, readIdempotencyKey } from './idempotency.ts';

describe('readIdempotencyKey', () => {
  it('takes 1 to 255 visible ASCII characters', () => {
    for (const key of ['k', '!~', 'x'.repeat(255)]) expect(readIdempotencyKey(key)).toBe(key);
    expect(readIdempotencyKey(null)).toBeUndefined();
  });

  it.each(['', ' ', 'a b', 'é', 'a\u0000', 'x'.repeat(256), 'one, two'])('refuses %j', (key) => {
    expect(() => readIdempotencyKey(key)).toThrow(expect.objectContaining({ reason: 'INVALID_REQUEST' }));
  });
});

describe('idOfKey', () => {
  it('is the same for the same key in the same scope alone', () => {
    const id = idOfKey('public', 'tenant', 'survey', 'key');
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(idOfKey('public', 'tenant', 'survey', 'key')).toBe(id);
    const others = [
      idOfKey('tenant', 'tenant', 'survey', 'key'),
      idOfKey('public', 'tenant2', 'survey', 'key'),
      idOfKey('public', 'tenant', 'survey2', 'key'),
      idOfKey('public', 'tenant', 'survey', 'Key'),
      idOfKey('public', 'tenantsurvey', '', 'key'),
    ];
    expect(new Set([id, ...others]).size).toBe(6);
  });
});
