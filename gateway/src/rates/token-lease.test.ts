import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenLease, type LeaseReply } from './token-lease.ts';

const MINUTE_MS = 60_000;
/** Identity counts leased tokens for this time. Tokens of one second return together. */
const AWAY_MS = MINUTE_MS + 1_000;

/** Fakes identity's rate limit for several gateways, with a clock that the test moves. */
function createQuota(requestsPerMinute: number) {
  let time = 1_000_000;
  let leased: { readonly at: number; readonly tokens: number }[] = [];
  const asked: number[] = [];
  const state = { requestsPerMinute, isAway: false, replyMs: 0 };

  async function lease(wanted: number): Promise<LeaseReply> {
    asked.push(wanted);
    if (state.isAway) throw new Error('away');
    leased = leased.filter(({ at }) => at > time - AWAY_MS);
    const left = Math.max(0, state.requestsPerMinute - leased.reduce((sum, { tokens }) => sum + tokens, 0));
    const granted = Math.min(wanted, left);
    if (granted > 0) leased.push({ at: time - (time % 1_000), tokens: granted });
    const moreAfterMs = Math.min(MINUTE_MS, (leased[0]?.at ?? time) + AWAY_MS - time);
    time += state.replyMs;
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

/** Sends requests one after another, with this reply time of identity. Returns the number of admitted ones. */
async function sendAll(gateways: readonly Gateway[], count: number, between: () => void = () => {}): Promise<number> {
  let letIn = 0;
  for (let index = 0; index < count; index += 1) {
    if (await gateways[index % gateways.length]?.take()) letIn += 1;
    // Wait until a lease in the background has completed.
    await Promise.resolve().then(() => undefined);
    between();
  }
  return letIn;
}

describe('a rate limit at a gateway', () => {
  it.each([1, 3, 10, 100, 6_000])('of %i requests per minute admits that many in a burst', async (limit) => {
    const quota = createQuota(limit);
    expect(await sendAll([quota.gateway()], limit + 50)).toBe(limit);
  });

  it.each([1, 10, 100])('admits that many of concurrent requests', async (limit) => {
    const gateway = createQuota(limit).gateway();
    const outcomes = await Promise.all(Array.from({ length: limit * 2 }, async () => gateway.take()));
    expect(outcomes.filter(Boolean)).toHaveLength(limit);
  });

  it.each([10, 100, 6_000])('of %i admits that many at two gateways together', async (limit) => {
    const quota = createQuota(limit);
    expect(await sendAll([quota.gateway(), quota.gateway()], limit * 2)).toBe(limit);
  });

  it('lets one gateway use the tokens that the other does not need', async () => {
    const quota = createQuota(100);
    const [idle, busy] = [quota.gateway(), quota.gateway()];
    await sendAll([idle], 1);
    expect(await sendAll([busy], 200)).toBeGreaterThanOrEqual(95);
  });

  it('admits the full limit and hardly more in any minute, at ten times the load', async () => {
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

  it('keeps returned tokens no longer than identity counts them', async () => {
    const quota = createQuota(600);
    const gateway = quota.gateway();
    await Promise.all(Array.from({ length: 500 }, async () => gateway.take()));
    for (let count = 0; count < 400; count += 1) gateway.giveBack();
    // So few requests need no tokens: the gateway calls identity only to refresh the limit.
    await sendAll([gateway], 15, () => quota.pass(4_000));
    quota.pass(2_000);
    expect(await sendAll([gateway], 1_000)).toBeLessThanOrEqual(600 + 10);
  });

  it('admits all requests of a tenant below the limit', async () => {
    const quota = createQuota(10);
    const gateways = [quota.gateway(), quota.gateway()];
    expect(await sendAll(gateways, 90, () => quota.pass(7_000))).toBe(90);
  });

  it('admits most of the limit and hardly more in any minute if identity is slow', async () => {
    const limit = 120;
    const quota = createQuota(limit);
    quota.state.replyMs = 1_400;
    const gateways = [quota.gateway(), quota.gateway()];
    const letIn: number[] = [];
    for (const end = quota.time() + 5 * MINUTE_MS; quota.time() < end; quota.pass(100)) {
      for (const gateway of gateways) {
        const outcomes = await Promise.all(Array.from({ length: 20 }, async () => gateway.take()));
        letIn.push(...outcomes.filter(Boolean).map(() => quota.time()));
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

describe('lease requests to identity', () => {
  it('are not sent while leased tokens are left', async () => {
    const quota = createQuota(6_000);
    const gateway = quota.gateway();
    expect(gateway.take()).toBeInstanceOf(Promise);
    await sendAll([gateway], 1);
    expect(gateway.take()).toBe(true);
    await sendAll([gateway], 2_000, () => quota.pass(20));
    expect(quota.asked.length).toBeLessThan(100);
  });

  it('pause after a lease of too few tokens', async () => {
    const quota = createQuota(10);
    const gateway = quota.gateway();
    await sendAll([gateway], 11);
    const before = quota.asked.length;
    expect(await sendAll([gateway], 1_000, () => quota.pass(1))).toBe(0);
    expect(quota.asked.length).toBe(before);
    await sendAll([gateway], 10, () => quota.pass(1_000));
    expect(quota.asked.length).toBeLessThanOrEqual(before + 5);
  });

  it('refresh the limit every few seconds', async () => {
    const quota = createQuota(6_000);
    const gateway = quota.gateway();
    await sendAll([gateway], 2);
    quota.state.requestsPerMinute = 12;
    await sendAll([gateway], 5, () => quota.pass(1_000));
    expect(gateway.requestsPerMinute()).toBe(12);
    expect(gateway.remaining()).toBeLessThan(60);
  });

  it('are for a single token if a tenant with a small limit sends few requests', async () => {
    const quota = createQuota(10);
    await sendAll([quota.gateway()], 9, () => quota.pass(7_000));
    expect(quota.asked.reduce((sum, wanted) => sum + wanted, 0)).toBeLessThanOrEqual(10);
  });
});

describe('reported limits', () => {
  it('include remaining tokens and the reset', async () => {
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

  it('include a returned token', async () => {
    const gateway = createQuota(10).gateway();
    await sendAll([gateway], 1);
    gateway.giveBack();
    expect(gateway.remaining()).toBe(10);
  });
});

describe('while identity fails', () => {
  it('a gateway admits the share of a second of the last limit, each second', async () => {
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

  it.each([1, 3, 7, 61, 100])('a gateway admits no more than a limit of %i per minute', async (limit) => {
    const quota = createQuota(limit);
    const gateway = quota.gateway();
    quota.state.isAway = true;
    const letIn = await sendAll([gateway], 599, () => quota.pass(100));
    expect(letIn).toBeLessThanOrEqual(limit + 1);
    expect(letIn).toBeGreaterThanOrEqual(Math.floor(limit * 0.9));
  });

  it('a gateway with a small limit also notices the recovery soon', async () => {
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

  it('requests do not wait for it, and it is not called for each', async () => {
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

  it('a used-up limit stays so until its reset', async () => {
    const quota = createQuota(60);
    const gateway = quota.gateway();
    await sendAll([gateway], 61);
    quota.state.isAway = true;
    expect(await sendAll([gateway], 590, () => quota.pass(100))).toBe(0);
    quota.pass(1_000);
    expect(await sendAll([gateway], 100, () => quota.pass(100))).toBeGreaterThanOrEqual(10);
  });

  it('a gateway grants itself no more than that in addition to its leased tokens', async () => {
    const quota = createQuota(600);
    const gateway = quota.gateway();
    await sendAll([gateway], 1);
    quota.state.isAway = true;
    expect(await sendAll([gateway], 100)).toBeLessThanOrEqual(20);
  });

  it('a gateway also serves tenants whose limit it never received', async () => {
    const quota = createQuota(60);
    quota.state.isAway = true;
    expect(await sendAll([quota.gateway()], 10)).toBe(1);
  });

  it('limits are shared again after the recovery', async () => {
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
