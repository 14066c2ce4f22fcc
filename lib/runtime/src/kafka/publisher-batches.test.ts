import { describe, expect, it } from 'vitest';
import { toMessageBatches } from './publisher.ts';

const BROKER_LIMIT = 1_048_588;

describe('toMessageBatches', () => {
  const messageOf = (bytes: number, headers = {}) => ({
    topic: 't',
    message: { key: 'k', value: Buffer.alloc(bytes), headers },
  });
  const countsOf = (messages: ReturnType<typeof messageOf>[]) =>
    toMessageBatches(messages).map((batch) => batch.length);

  it('returns no batches for no messages', () => {
    expect(toMessageBatches([])).toEqual([]);
  });

  it('keeps the order, in batches of at most 500 messages', () => {
    const messages = Array.from({ length: 1_201 }, () => messageOf(1));
    expect(countsOf(messages)).toEqual([500, 500, 201]);
    expect(toMessageBatches(messages).flat()).toEqual(messages);
  });

  it('begins another batch at the size limit', () => {
    expect(countsOf([600_000, 300_000, 300_000, 600_000, 500_000].map((bytes) => messageOf(bytes)))).toEqual([2, 2, 1]);
  });

  it('puts an oversized message into a batch of its own', () => {
    expect(countsOf([messageOf(1), messageOf(BROKER_LIMIT), messageOf(1)])).toEqual([1, 1, 1]);
  });

  it('counts all values of headers', () => {
    const headers = { ce_id: 'x'.repeat(1_000), other: [Buffer.alloc(1_000), 'ä'.repeat(500)] };
    expect(countsOf(Array.from({ length: 500 }, () => messageOf(0, headers)))[0]).toBeLessThan(BROKER_LIMIT / 3_000);
  });

  it('accepts messages without key, value and headers', () => {
    expect(toMessageBatches([{ topic: 't', message: { key: null, value: null } }])).toHaveLength(1);
  });
});
