import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenLease, type Leased } from './token-lease.ts';

const MINUTE_MS = 60_000;
/** As long as identity misses what was leased: all of a second comes back together. */
const AWAY_MS = MINUTE_MS + 1_000;

/** A quota that gateways share, as identity keeps it, and a clock that a test moves. */
function createQuota(requestsPerMinute: number) {
  let time = 1_000_000;
  let leased: { readonly at: number; readonly tokens: number }[] = [];
  const asked: number[] = [];
  const state = { requestsPerMinute, isAway: false, answerMs: 0 };

  async function lease(wanted: number): Promise<Leased> {
    asked.push(wanted);
    if (state.isAway) throw new Error('away');
    leased = leased.filter(({ at }) => at > time - AWAY_MS);
    const left = Math.max(0, state.requestsPerMinute - leased.reduce((sum, { tokens }) => sum + tokens, 0));
    const granted = Math.min(wanted, left);
    if (granted > 0) leased.push({ at: time - (time % 1_000), tokens: granted });
    const moreAfterMs = Math.min(MINUTE_MS, (leased[0]?.at ?? time) + AWAY_MS - time);
    time += state.answerMs;
    return { granted, remaining: left - granted, requestsPerMinute: state.requestsPerMinute, moreAfterMs };
  }

  return {
    asked,
    state,
    time: () => time,
    pass(ms: number) {
      time += ms;
    },
    gateway: () => createTokenLease({ lease, requestsPerMinute, now: () => time }),
  };
}

type Gateway = ReturnType<ReturnType<typeof createQuota>['gateway']>;

/** Requests one after the other, each with the time that it takes identity to answer; gives how many were let in. */
async function sendAll(gateways: readonly Gateway[], count: number, between: () => void = () => {}): Promise<number> {
  let letIn = 0;
  for (let index = 0; index < count; index += 1) {
    if (await gateways[index % gateways.length]?.take()) letIn += 1;
    // What is asked ahead has its answer.
    await Promise.resolve().then(() => undefined);
    between();
  }
  return letIn;
}

describe('a quota in the hands of a gateway', () => {
  it.each([1, 3, 10, 100, 6_000])('of %i requests in a minute lets in just as many at once', async (limit) => {
    const quota = createQuota(limit);
    expect(await sendAll([quota.gateway()], limit + 50)).toBe(limit);
  });

  it.each([1, 10, 100])('lets in just as many of those that come at the same time', async (limit) => {
    const gateway = createQuota(limit).gateway();
    const answers = await Promise.all(Array.from({ length: limit * 2 }, async () => gateway.take()));
    expect(answers.filter(Boolean)).toHaveLength(limit);
  });

  it.each([10, 100, 6_000])('of %i lets in just as many at two gateways together', async (limit) => {
    const quota = createQuota(limit);
    expect(await sendAll([quota.gateway(), quota.gateway()], limit * 2)).toBe(limit);
  });

  it('lets one gateway have what the other does not need', async () => {
    const quota = createQuota(100);
    const [idle, busy] = [quota.gateway(), quota.gateway()];
    await sendAll([idle], 1);
    expect(await sendAll([busy], 200)).toBeGreaterThanOrEqual(95);
  });

  it('lets in nearly nothing more than the limit in any minute, and all of it, while ten times as many come', async () => {
    const limit = 600;
    const quota = createQuota(limit);
    const gateways = [quota.gateway(), quota.gateway()];
    let letIn = 0;
    for (let minute = 1; minute <= 5; minute += 1) {
      letIn += await sendAll(gateways, limit * 10, () => quota.pass(MINUTE_MS / (limit * 10)));
      expect(letIn).toBeLessThanOrEqual(limit * minute * 1.05);
      expect(letIn).toBeGreaterThanOrEqual(limit * minute * 0.95);
    }
  });

  it('keeps what was given back no longer than identity misses it', async () => {
    const quota = createQuota(600);
    const gateway = quota.gateway();
    await Promise.all(Array.from({ length: 500 }, async () => gateway.take()));
    for (let count = 0; count < 400; count += 1) gateway.giveBack();
    // Few requests, so that identity is asked for the limit again and again, and for no tokens.
    await sendAll([gateway], 15, () => quota.pass(4_000));
    quota.pass(2_000);
    expect(await sendAll([gateway], 1_000)).toBeLessThanOrEqual(600 + 10);
  });

  it('gives a tenant that stays below it all that it asks for', async () => {
    const quota = createQuota(10);
    const gateways = [quota.gateway(), quota.gateway()];
    expect(await sendAll(gateways, 90, () => quota.pass(7_000))).toBe(90);
  });

  it('lets in nearly nothing more than the limit in any minute, and most of it, when identity answers late', async () => {
    const limit = 120;
    const quota = createQuota(limit);
    quota.state.answerMs = 1_400;
    const gateways = [quota.gateway(), quota.gateway()];
    const letIn: number[] = [];
    for (const end = quota.time() + 5 * MINUTE_MS; quota.time() < end; quota.pass(100)) {
      for (const gateway of gateways) {
        const answers = await Promise.all(Array.from({ length: 20 }, async () => gateway.take()));
        letIn.push(...answers.filter(Boolean).map(() => quota.time()));
      }
      const lately = letIn.filter((at) => at > quota.time() - MINUTE_MS);
      expect(lately.length).toBeLessThanOrEqual(limit + gateways.length * Math.ceil(limit / 60));
    }
    expect(letIn.length).toBeGreaterThanOrEqual(limit * 4);
  });

  it('never lets in more than the limit and what gateways have in hand, whenever requests come', async () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 80 })), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 300 }), steps, async (limit, moments) => {
        const quota = createQuota(limit);
        const gateways = [quota.gateway(), quota.gateway()];
        const history: { at: number; letIn: number }[] = [];
        let time = 0;
        for (const [ms, count] of moments) {
          quota.pass(ms);
          time += ms;
          history.push({ at: time, letIn: await sendAll(gateways, count) });
          const lately = history.filter(({ at }) => at > time - MINUTE_MS);
          const inHand = gateways.length * Math.ceil(limit / 60);
          expect(lately.reduce((sum, { letIn }) => sum + letIn, 0)).toBeLessThanOrEqual(limit + inHand);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('what is asked of identity', () => {
  it('is little: nothing for requests that there are tokens for', async () => {
    const quota = createQuota(6_000);
    const gateway = quota.gateway();
    expect(gateway.take()).toBeInstanceOf(Promise);
    await sendAll([gateway], 1);
    expect(gateway.take()).toBe(true);
    await sendAll([gateway], 2_000, () => quota.pass(20));
    expect(quota.asked.length).toBeLessThan(100);
  });

  it('is nothing for a while after there were too few', async () => {
    const quota = createQuota(10);
    const gateway = quota.gateway();
    await sendAll([gateway], 11);
    const before = quota.asked.length;
    expect(await sendAll([gateway], 1_000, () => quota.pass(1))).toBe(0);
    expect(quota.asked.length).toBe(before);
    await sendAll([gateway], 10, () => quota.pass(1_000));
    expect(quota.asked.length).toBeLessThanOrEqual(before + 5);
  });

  it('is what the limit is now, every few seconds', async () => {
    const quota = createQuota(6_000);
    const gateway = quota.gateway();
    await sendAll([gateway], 2);
    quota.state.requestsPerMinute = 12;
    await sendAll([gateway], 5, () => quota.pass(1_000));
    expect(gateway.requestsPerMinute()).toBe(12);
    expect(gateway.remaining()).toBeLessThan(60);
  });

  it('is nothing more than a token for a request of a tenant with a small limit that comes seldom', async () => {
    const quota = createQuota(10);
    await sendAll([quota.gateway()], 9, () => quota.pass(7_000));
    expect(quota.asked.reduce((sum, wanted) => sum + wanted, 0)).toBeLessThanOrEqual(10);
  });
});

describe('what a gateway tells', () => {
  it('is what is left and when there is more', async () => {
    const quota = createQuota(10);
    const gateway = quota.gateway();
    await sendAll([gateway], 3);
    expect([gateway.requestsPerMinute(), gateway.remaining(), gateway.secondsToMore()]).toEqual([10, 7, 60]);
    await sendAll([gateway], 10);
    quota.pass(21_500);
    expect(gateway.take()).toBeInstanceOf(Promise);
    await sendAll([gateway], 1);
    expect([gateway.remaining(), gateway.secondsToMore()]).toEqual([0, 40]);
  });

  it('is one more for a token that was given back', async () => {
    const gateway = createQuota(10).gateway();
    await sendAll([gateway], 1);
    gateway.giveBack();
    expect(gateway.remaining()).toBe(10);
  });
});

describe('while identity cannot tell', () => {
  it('a gateway lets in what a second brings of the limit that it knows, each second', async () => {
    const quota = createQuota(600);
    const gateway = quota.gateway();
    await sendAll([gateway], 1);
    quota.pass(MINUTE_MS);
    quota.state.isAway = true;
    expect(await sendAll([gateway], 50)).toBe(10);
    quota.pass(1_000);
    expect(await sendAll([gateway], 50)).toBe(10);
    quota.pass(30_000);
    expect(await sendAll([gateway], 50)).toBe(10);
  });

  it.each([1, 3, 7, 61, 100])('a gateway lets in no more than a limit of %i in a minute', async (limit) => {
    const quota = createQuota(limit);
    const gateway = quota.gateway();
    quota.state.isAway = true;
    const letIn = await sendAll([gateway], 599, () => quota.pass(100));
    expect(letIn).toBeLessThanOrEqual(limit + 1);
    expect(letIn).toBeGreaterThanOrEqual(Math.floor(limit * 0.9));
  });

  it('a gateway with a small limit, too, hears soon that it can again', async () => {
    const quota = createQuota(3);
    const gateway = quota.gateway();
    quota.state.isAway = true;
    expect(await sendAll([gateway], 3)).toBe(1);
    quota.state.isAway = false;
    quota.pass(1_000);
    expect(gateway.take()).toBe(false);
    await sendAll([], 1);
    await Promise.resolve();
    expect(gateway.take()).toBe(true);
  });

  it('no request waits for it any more, and it is not asked for each', async () => {
    const quota = createQuota(600);
    const gateway = quota.gateway();
    quota.state.isAway = true;
    await sendAll([gateway], 1);
    const before = quota.asked.length;
    for (let index = 0; index < 100; index += 1) {
      expect(typeof gateway.take()).toBe('boolean');
      quota.pass(100);
      await sendAll([], 1);
    }
    expect(quota.asked.length - before).toBeLessThanOrEqual(11);
  });

  it('what was told to be used up stays so until there would be more', async () => {
    const quota = createQuota(60);
    const gateway = quota.gateway();
    await sendAll([gateway], 61);
    quota.state.isAway = true;
    expect(await sendAll([gateway], 590, () => quota.pass(100))).toBe(0);
    quota.pass(1_000);
    expect(await sendAll([gateway], 100, () => quota.pass(100))).toBeGreaterThanOrEqual(10);
  });

  it('a gateway has no more than that beside what it has in hand', async () => {
    const quota = createQuota(600);
    const gateway = quota.gateway();
    await sendAll([gateway], 1);
    quota.state.isAway = true;
    expect(await sendAll([gateway], 100)).toBeLessThanOrEqual(20);
  });

  it('a gateway goes on with what it never heard of too', async () => {
    const quota = createQuota(60);
    quota.state.isAway = true;
    expect(await sendAll([quota.gateway()], 10)).toBe(1);
  });

  it('all is as before when it can tell again', async () => {
    const quota = createQuota(60);
    const gateway = quota.gateway();
    quota.state.isAway = true;
    await sendAll([gateway], 5);
    quota.state.isAway = false;
    quota.pass(1_000);
    expect(await sendAll([gateway], 100)).toBeGreaterThanOrEqual(60);
    expect(await sendAll([gateway], 100)).toBe(0);
  });
});
