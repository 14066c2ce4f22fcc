import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Lease } from '../mongo/lease.ts';
import { closeAfterEach } from '../testing/close-after-each.ts';
import { poll } from '../testing/poll.ts';
import { createPeriodicWorker } from './loop.ts';

const LONG = 60_000;
const open = closeAfterEach();

interface Differently {
  readonly everyMs?: number;
  readonly idleEveryMs?: number;
  readonly lease?: Lease;
}

/** A running worker, and its log lines. */
function start(work: (isStopped: () => boolean) => Promise<unknown>, { everyMs = 1, ...options }: Differently = {}) {
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  const worker = createPeriodicWorker({ everyMs, work, failure: 'cannot dust the shelves', log, ...options });
  open.push({ close: worker.stop });
  worker.start();
  return { worker, logged };
}

describe('a periodic worker', () => {
  it('works immediately', async () => {
    let runs = 0;
    const work = async () => {
      runs += 1;
    };
    start(work, { everyMs: LONG });
    await poll(() => runs === 1);
  });

  it('works again after each pause, one run at a time', async () => {
    let runs = 0;
    let together = 0;
    let most = 0;
    start(async () => {
      together += 1;
      most = Math.max(most, together);
      await Promise.resolve();
      runs += 1;
      together -= 1;
    });
    await poll(() => runs >= 5);
    expect(most).toBe(1);
  });

  it('continues after failures, and logs one warning per series', async () => {
    const outcomes = ['fails', 'fails', 'works', 'fails', 'fails', 'works'];
    let runs = 0;
    const { logged } = start(async () => {
      runs += 1;
      if (outcomes[runs - 1] === 'fails') throw new Error(`broom ${runs}`);
    });
    await poll(() => runs > outcomes.length);
    expect(logged).toEqual([
      expect.stringMatching(/broom 1.*cannot dust the shelves, retrying/s),
      expect.stringMatching(/broom 4/),
    ]);
  });

  it('stops during a pause or after the current run, and signals that run', async () => {
    const begun = Promise.withResolvers<void>();
    let ended = false;
    const { worker } = start(
      async (isStopped) => {
        begun.resolve();
        await poll(isStopped);
        ended = true;
      },
      { everyMs: LONG },
    );
    await begun.promise;
    await worker.stop();
    expect(ended).toBe(true);
  });

  it('works when it is woken, before the pause ends', async () => {
    let runs = 0;
    const { worker } = start(async () => (runs += 1), { everyMs: LONG });
    await poll(() => runs === 1);
    worker.wake();
    await poll(() => runs === 2);
  });

  it('can be stopped before it is started', async () => {
    const worker = createPeriodicWorker({
      everyMs: 1,
      work: async () => {},
      failure: 'it',
      log: pino({ enabled: false }),
    });
    await worker.stop();
  });
});

describe('a periodic worker with a lease', () => {
  function createFakeLease(isFree: () => boolean) {
    const calls: string[] = [];
    const lease: Lease = {
      async acquire() {
        calls.push('acquire');
        return isFree();
      },
      async release() {
        calls.push('release');
      },
    };
    return { lease, calls };
  }

  it('works only while it holds the lease, and releases it', async () => {
    let free = false;
    let runs = 0;
    const { lease, calls } = createFakeLease(() => free);
    const work = async () => {
      runs += 1;
    };
    const { worker } = start(work, { lease });
    await poll(() => calls.length >= 3);
    expect(runs).toBe(0);
    free = true;
    await poll(() => runs >= 2);
    await worker.stop();
    expect(calls.filter((call) => call === 'release')).toHaveLength(1);
    expect(calls.at(-1)).toBe('release');
  });

  it('handles a failed acquire or release like other failures', async () => {
    const lease: Lease = {
      acquire: () => Promise.reject(new Error('no lease office')),
      release: () => Promise.reject(new Error('closed')),
    };
    const { worker, logged } = start(async () => {}, { lease });
    await poll(() => logged.length > 0);
    await worker.stop();
    expect(logged).toEqual([expect.stringContaining('no lease office'), expect.stringContaining('cannot release')]);
  });
});
