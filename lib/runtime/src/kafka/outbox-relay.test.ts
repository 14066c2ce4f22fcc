import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testLog } from '../testing/test-log.ts';
import { createOutboxRelay } from './outbox-relay.ts';

const SECONDS = 200;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Runs a relay without events for a while, and counts its queries. */
async function countLooks({ isWanted, wakeUps = 0 }: { isWanted: boolean; wakeUps?: number }): Promise<number> {
  let looks = 0;
  const relay = createOutboxRelay({
    name: 'notes',
    store: {
      async findPage() {
        looks += 1;
        return [];
      },
      removeEvents: async () => {},
    },
    publisher: { publish: async () => {}, forward: async () => {}, close: async () => {} },
    lease: { acquire: async () => true, release: async () => {}, isWanted: () => isWanted },
    log: testLog,
    registry: new Registry(),
  });
  relay.start();
  await vi.advanceTimersByTimeAsync(SECONDS * 1_000);
  const before = looks;
  for (let count = 0; count < wakeUps; count += 1) {
    relay.wake();
    await vi.advanceTimersByTimeAsync(1);
  }
  const stopped = relay.stop();
  await vi.advanceTimersByTimeAsync(1);
  await stopped;
  return wakeUps > 0 ? looks - before : looks;
}

describe('a relay without events', () => {
  it('polls rarely while no other replica wants its lease', async () => {
    const looks = await countLooks({ isWanted: false });
    expect(looks).toBeGreaterThanOrEqual(SECONDS / 5);
    expect(looks).toBeLessThan(SECONDS / 2);
  });

  it('polls twice a second while another replica wants it, because that one cannot wake it', async () => {
    expect(await countLooks({ isWanted: true })).toBeGreaterThanOrEqual(2 * SECONDS - 1);
  });

  it('polls immediately when it is woken', async () => {
    expect(await countLooks({ isWanted: false, wakeUps: 3 })).toBe(3);
  });
});
