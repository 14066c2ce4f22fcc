import { EventEmitter } from 'node:events';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Response } from 'express';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createLimitMetrics } from './limit-metrics.ts';
import type { RouteClass } from './route-class.ts';
import { createTenantLimits } from './tenant-limits.ts';

/** A fake response: its headers, and a function that ends it. */
function createResponse() {
  const headers = new Map<string, string>();
  const events = new EventEmitter();
  const reply = Object.assign(events, {
    destroyed: false,
    setHeader: (name: string, value: string) => headers.set(name, value),
  });
  return {
    // Only these members are used.
    response: reply as unknown as Response,
    headers,
    end: () => events.emit('close'),
    isWatched: () => events.listenerCount('close') > 0,
    destroy: () => {
      reply.destroyed = true;
    },
  };
}

interface Given {
  readonly requestsPerMinute: number;
  readonly concurrentRequests?: number;
  /** Requests per minute to heavy routes. */
  readonly heavy?: number;
}

/** Tenants' limits. One tenant has limits of its own. */
function setUp({ requestsPerMinute, concurrentRequests, heavy = requestsPerMinute }: Given) {
  const registry = new Registry();
  const left: Record<RouteClass, number> = { default: requestsPerMinute, heavy };
  const limits = createTenantLimits({
    async lease(_tenantId, routeClass, wanted) {
      const granted = Math.min(wanted, left[routeClass]);
      left[routeClass] -= granted;
      const own = routeClass === 'heavy' ? heavy : requestsPerMinute;
      return {
        granted,
        remaining: left[routeClass],
        requestsPerMinute: own,
        moreAfterMs: 42_000,
        concurrentRequests,
      };
    },
    platform: { requestsPerMinute, concurrentRequests: 4 },
    metrics: createLimitMetrics(registry),
    now: () => 1_000,
  });
  /** Sends requests one after another. Returns a response or an error for each. */
  async function enter(count: number, routeClass: RouteClass = 'default', tenantId = 'tenant-1') {
    const outcomes: (ReturnType<typeof createResponse> | AppError)[] = [];
    for (let index = 0; index < count; index += 1) {
      const reply = createResponse();
      try {
        await limits.enter(tenantId, routeClass, reply.response);
        outcomes.push(reply);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        reply.end();
        outcomes.push(error);
      }
    }
    return outcomes;
  }
  return { limits, registry, enter };
}

const isRejection = (outcome: unknown) => outcome instanceof AppError;

describe('the rate limit of a tenant', () => {
  it('is reported with each reply: limit, remaining requests and reset', async () => {
    const { enter } = setUp({ requestsPerMinute: 10, concurrentRequests: 100 });
    const [first, second] = await enter(2);
    expect(first).toMatchObject({
      headers: new Map([
        ['ratelimit-policy', '"default";q=10;w=60'],
        ['ratelimit', '"default";r=9;t=42'],
      ]),
    });
    expect(second).toMatchObject({
      headers: new Map([
        ['ratelimit-policy', '"default";q=10;w=60'],
        ['ratelimit', '"default";r=8;t=42'],
      ]),
    });
  });

  it('rejects requests above it, with Retry-After', async () => {
    const { enter, registry } = setUp({ requestsPerMinute: 10, concurrentRequests: 100 });
    const outcomes = await enter(13);
    expect(outcomes.map(isRejection)).toEqual([...Array(10).fill(false), ...Array(3).fill(true)]);
    expect(outcomes.at(-1)).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      retryAfterSeconds: 42,
      quota: { name: 'default', requests: 10, windowSeconds: 60 },
    });
    expect(await registry.metrics()).toContain(
      'gateway_limit_refusals_total{limit="tenant_rate",route_class="default"} 3\n',
    );
  });

  it('does not affect other tenants', async () => {
    const left = new Map<string, number>();
    const limits = createTenantLimits({
      async lease(tenantId, _routeClass, wanted) {
        const granted = Math.min(wanted, left.get(tenantId) ?? 5);
        left.set(tenantId, (left.get(tenantId) ?? 5) - granted);
        return { granted, remaining: 0, requestsPerMinute: 5, moreAfterMs: 1, concurrentRequests: undefined };
      },
      platform: { requestsPerMinute: 5, concurrentRequests: 100 },
      metrics: createLimitMetrics(new Registry()),
      now: () => 1_000,
    });
    const enter = async (tenantId: string) => limits.enter(tenantId, 'default', createResponse().response);
    for (let index = 0; index < 5; index += 1) await enter('one');
    await expect(enter('one')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    for (let index = 0; index < 5; index += 1) await enter('other');
  });

  it('does not delay requests while leased tokens are left', async () => {
    const { limits, enter } = setUp({ requestsPerMinute: 6_000, concurrentRequests: 100 });
    await enter(1);
    expect(limits.enter('tenant-1', 'default', createResponse().response)).toBeUndefined();
  });
});

describe('requests of heavy routes', () => {
  it('count against both limits, and report both', async () => {
    const { enter } = setUp({ requestsPerMinute: 100, heavy: 10, concurrentRequests: 100 });
    const [, outcome] = [...(await enter(1)), ...(await enter(1, 'heavy'))];
    expect(outcome).toMatchObject({
      headers: new Map([
        ['ratelimit-policy', '"default";q=100;w=60, "heavy";q=10;w=60'],
        ['ratelimit', '"default";r=98;t=42, "heavy";r=9;t=42'],
      ]),
    });
  });

  it('are rejected at their own limit without using the other one', async () => {
    const { enter, registry } = setUp({ requestsPerMinute: 100, heavy: 10, concurrentRequests: 100 });
    const outcomes = await enter(30, 'heavy');
    expect(outcomes.filter(isRejection)).toHaveLength(20);
    expect(outcomes.at(-1)).toMatchObject({ quota: { name: 'heavy', requests: 10, windowSeconds: 60 } });
    expect((await enter(100)).filter(isRejection)).toHaveLength(10);
    expect(await registry.metrics()).toContain(
      'gateway_limit_refusals_total{limit="tenant_rate",route_class="heavy"} 20\n',
    );
  });

  it('are rejected at the limit of all requests without using their own', async () => {
    const { enter } = setUp({ requestsPerMinute: 20, heavy: 10, concurrentRequests: 100 });
    await enter(15);
    const outcomes = await enter(10, 'heavy');
    expect(outcomes.filter(isRejection)).toHaveLength(5);
    expect(outcomes.at(-1)).toMatchObject({ quota: { name: 'default', requests: 20 } });
  });
});

describe('concurrent requests of a tenant', () => {
  it('are limited by the platform’s default, and free slots when they end', async () => {
    const { enter, registry } = setUp({ requestsPerMinute: 1_000 });
    const outcomes = await enter(6);
    expect(outcomes.map(isRejection)).toEqual([false, false, false, false, true, true]);
    expect(outcomes.at(-1)).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      retryAfterSeconds: 1,
      quota: { name: 'concurrent', requests: 4, windowSeconds: undefined },
    });
    for (const outcome of outcomes.slice(0, 2)) if (!(outcome instanceof AppError)) outcome.end();
    expect((await enter(3)).map(isRejection)).toEqual([false, false, true]);
    expect(await registry.metrics()).toContain(
      'gateway_limit_refusals_total{limit="tenant_concurrency",route_class="default"} 3\n',
    );
  });

  it('are limited by its individual limit', async () => {
    const { enter } = setUp({ requestsPerMinute: 1_000, concurrentRequests: 8 });
    expect((await enter(10)).filter(isRejection)).toHaveLength(2);
  });

  it('are fewer on heavy routes, which leave capacity for others', async () => {
    const { enter } = setUp({ requestsPerMinute: 1_000, concurrentRequests: 8 });
    const outcomes = await enter(4, 'heavy');
    expect(outcomes.map(isRejection)).toEqual([false, false, true, true]);
    expect(outcomes.at(-1)).toMatchObject({ quota: { name: 'concurrent-heavy', requests: 2 } });
    expect((await enter(8)).filter(isRejection)).toHaveLength(2);
  });

  it('are limited by its individual limit from the first burst on', async () => {
    const { limits } = setUp({ requestsPerMinute: 1_000, concurrentRequests: 8 });
    const entering = Array.from({ length: 10 }, async () =>
      limits.enter('tenant-1', 'default', createResponse().response),
    );
    const outcomes = await Promise.allSettled(entering);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2);
  });

  it('may be more as soon as its limit is raised, even if all slots are taken', async () => {
    let [time, concurrentRequests] = [1_000, 1];
    const limits = createTenantLimits({
      lease: async (_tenantId, _routeClass, granted) => ({
        granted,
        remaining: 100,
        requestsPerMinute: 1_000,
        moreAfterMs: 1,
        concurrentRequests,
      }),
      platform: { requestsPerMinute: 1_000, concurrentRequests: 4 },
      metrics: createLimitMetrics(new Registry()),
      now: () => time,
    });
    const enter = async () => limits.enter('tenant-1', 'default', createResponse().response);
    await enter();
    await expect(enter()).rejects.toMatchObject({ quota: { name: 'concurrent', requests: 1 } });
    concurrentRequests = 2;
    time += 5_000;
    await expect(enter()).rejects.toMatchObject({ quota: { name: 'concurrent', requests: 1 } });
    await enter();
  });

  it('do not use the rate limit if they are rejected', async () => {
    const { enter } = setUp({ requestsPerMinute: 10, concurrentRequests: 4 });
    const outcomes = await enter(20);
    expect(outcomes.filter(isRejection)).toHaveLength(16);
    expect(outcomes.at(-1)).toMatchObject({ quota: { name: 'concurrent' } });
    for (const outcome of outcomes) if (!(outcome instanceof AppError)) outcome.end();
    const [next] = await enter(1);
    expect(next).toMatchObject({
      headers: new Map([
        ['ratelimit-policy', '"default";q=10;w=60'],
        ['ratelimit', '"default";r=5;t=42'],
      ]),
    });
  });

  it('exclude those whose clients disconnected during the lease', async () => {
    const { limits, enter } = setUp({ requestsPerMinute: 1_000 });
    const reply = createResponse();
    const entering = limits.enter('tenant-1', 'default', reply.response);
    reply.destroy();
    await entering;
    expect(reply.isWatched()).toBe(false);
    expect((await enter(5)).map(isRejection)).toEqual([false, false, false, false, true]);
  });

  it('exclude those above the rate limit', async () => {
    const { enter } = setUp({ requestsPerMinute: 5, concurrentRequests: 6 });
    const outcomes = await enter(40);
    expect(outcomes.filter(isRejection)).toHaveLength(35);
    expect(outcomes.at(-1)).toMatchObject({ quota: { name: 'default' } });
  });

  it('exclude those whose clients have disconnected', async () => {
    const { limits } = setUp({ requestsPerMinute: 1_000 });
    for (let index = 0; index < 20; index += 1) {
      const reply = createResponse();
      reply.destroy();
      await limits.enter('tenant-1', 'default', reply.response);
      expect(reply.isWatched()).toBe(false);
    }
  });
});
