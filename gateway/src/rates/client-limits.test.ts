import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { AppError } from '@survey/runtime/errors/app-error';
import { parseRanges } from '@survey/runtime/flow/client-address';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createClientLimits } from './client-limits.ts';
import { createLimitMetrics } from './limit-metrics.ts';

function setUp() {
  let time = 1_000;
  const registry = new Registry();
  const limits = createClientLimits({
    publicRequestsPerMinute: 6,
    concurrentPublicRequests: 2,
    failedTokensPerMinute: 6,
    unlimited: parseRanges(['127.0.0.0/8', '::1/128']),
    metrics: createLimitMetrics(registry),
    now: () => time,
  });
  const enter = (from: string) => limits.countRequest(limits.clientAt(from), 'default');
  let runs = 0;
  /** Sends an invalid or a valid token. */
  async function authenticate(address: string, as: 'stranger' | 'user' | 'known user'): Promise<string> {
    const request = {
      client: limits.clientAt(address),
      routeClass: 'default',
      wasValid: () => as === 'known user',
    } as const;
    const run = async () => {
      runs += 1;
      if (as === 'stranger') throw new AppError('INVALID_TOKEN');
      return 'admitted';
    };
    return limits.authenticate(request, run).catch((error: AppError) => error.code);
  }
  return {
    limits,
    enter,
    registry,
    authenticate,
    runs: () => runs,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

const address = '192.0.2.1';

/** Returns how many of the requests are admitted. */
function countOf(tries: number, attempt: () => void): number {
  let count = 0;
  for (let index = 0; index < tries; index += 1) {
    try {
      attempt();
      count += 1;
    } catch (error) {
      expect(error).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    }
  }
  return count;
}

describe('a client with invalid tokens', () => {
  it('is rejected at the limit, before any check, and may try again later', async () => {
    const { authenticate, runs, pass } = setUp();
    for (let index = 0; index < 3; index += 1) expect(await authenticate(address, 'stranger')).toBe('INVALID_TOKEN');
    expect(await authenticate(address, 'stranger')).toBe('TOO_MANY_REQUESTS');
    expect(await authenticate(address, 'user')).toBe('TOO_MANY_REQUESTS');
    expect(runs()).toBe(3);
    pass(10_000);
    expect(await authenticate(address, 'user')).toBe('admitted');
  });

  it('gets Retry-After', async () => {
    const { authenticate, limits } = setUp();
    for (let index = 0; index < 3; index += 1) await authenticate(address, 'stranger');
    const request = { client: limits.clientAt(address), routeClass: 'default', wasValid: () => false } as const;
    await expect(limits.authenticate(request, async () => 'admitted')).rejects.toMatchObject({
      retryAfterSeconds: 10,
      quota: { name: 'failures', requests: 6, windowSeconds: 60 },
    });
  });

  it('has a limit of concurrent requests, and known users at its address are admitted', async () => {
    const { limits, authenticate, registry } = setUp();
    const request = { client: limits.clientAt(address), routeClass: 'default', wasValid: () => false } as const;
    const { promise, reject } = Promise.withResolvers<string>();
    const guesses = Array.from({ length: 136 }, () => limits.authenticate(request, () => promise));
    await expect(guesses[128]).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      retryAfterSeconds: 1,
      quota: { name: 'concurrent-failures', requests: 128, windowSeconds: undefined },
    });
    expect([await authenticate(address, 'user'), await authenticate('192.0.2.2', 'user')]).toEqual([
      'TOO_MANY_REQUESTS',
      'admitted',
    ]);
    expect(await authenticate(address, 'known user')).toBe('admitted');
    // The outcome of the guesses does not matter, so let them fail.
    reject(new AppError('UNAVAILABLE'));
    const codes = (await Promise.allSettled(guesses)).map((guess) => 'reason' in guess && guess.reason.code);
    expect(codes).toEqual([...Array(128).fill('UNAVAILABLE'), ...Array(8).fill('TOO_MANY_REQUESTS')]);
    expect(await registry.metrics()).toMatch(/gateway_limit_refusals_total\{limit="client_failures"[^}]*\} 9\n/);
    expect(await authenticate(address, 'user')).toBe('admitted');
  });

  it('does not lock out known callers behind its address', async () => {
    const { authenticate } = setUp();
    for (let index = 0; index < 20; index += 1) await authenticate(address, 'stranger');
    for (let index = 0; index < 20; index += 1) expect(await authenticate(address, 'known user')).toBe('admitted');
  });

  it('does not lock out other addresses, except in its own IPv6 network', async () => {
    const { authenticate } = setUp();
    for (let index = 0; index < 3; index += 1) await authenticate(`2001:db8::${index}`, 'stranger');
    expect(await authenticate('2001:db8::ffff', 'user')).toBe('TOO_MANY_REQUESTS');
    expect(await authenticate('2001:db8:0:1::1', 'user')).toBe('admitted');
  });

  it('shows in the metrics', async () => {
    const { authenticate, registry } = setUp();
    for (let index = 0; index < 5; index += 1) await authenticate(address, 'stranger');
    expect(await registry.metrics()).toContain(
      'gateway_limit_refusals_total{limit="client_failures",route_class="default"} 2\n',
    );
  });
});

describe('a client with valid tokens', () => {
  it('is not limited', async () => {
    const { authenticate } = setUp();
    for (let index = 0; index < 50; index += 1) expect(await authenticate(address, 'user')).toBe('admitted');
  });

  it('is not limited after internal errors', async () => {
    const { limits, authenticate } = setUp();
    const request = { client: limits.clientAt(address), routeClass: 'default', wasValid: () => false } as const;
    const fail = () => Promise.reject(new AppError('UNAVAILABLE'));
    for (let index = 0; index < 50; index += 1)
      await expect(limits.authenticate(request, fail)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await authenticate(address, 'user')).toBe('admitted');
  });
});

describe('a client of the public routes', () => {
  it('may send half of a minute’s requests in a burst, then at the rate of the limit', async () => {
    const { enter, registry, pass } = setUp();
    expect(countOf(10, () => enter(address))).toBe(3);
    expect(() => enter(address)).toThrow(
      expect.objectContaining({ retryAfterSeconds: 10, quota: { name: 'public', requests: 6, windowSeconds: 60 } }),
    );
    expect(countOf(10, () => enter('192.0.2.2'))).toBe(3);
    pass(10_000);
    expect(countOf(10, () => enter(address))).toBe(1);
    expect(await registry.metrics()).toMatch(/gateway_limit_refusals_total\{limit="client_rate"[^}]*\} 24\n/);
  });
});

describe('a client of the public routes', () => {
  const newResponse = () => new ServerResponse(new IncomingMessage(new Socket()));

  it('has a limit of concurrent requests, until their responses close', () => {
    const { limits } = setUp();
    const hold = (from: string, response: ServerResponse) =>
      limits.holdUntilClosed(limits.clientAt(from), 'default', response);
    const [first, second] = [newResponse(), newResponse()];
    for (const response of [first, second]) hold(address, response);
    expect(() => hold(address, newResponse())).toThrow(
      expect.objectContaining({ quota: { name: 'concurrent-public', requests: 2, windowSeconds: undefined } }),
    );
    hold('192.0.2.2', newResponse());
    first.emit('close');
    hold(address, newResponse());
    expect(countOf(3, () => hold('::1', newResponse()))).toBe(3);
  });
});

it.each(['127.0.0.1', '::1'])('a client at %s is not limited if its address is exempt', async (own) => {
  const { enter, authenticate } = setUp();
  expect(countOf(50, () => enter(own))).toBe(50);
  for (let index = 0; index < 50; index += 1) expect(await authenticate(own, 'stranger')).toBe('INVALID_TOKEN');
});
