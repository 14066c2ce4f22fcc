import { randomUUID } from 'node:crypto';
import { RateLimitService } from '@survey/proto/survey/identity/v1/rate_limit_service_pb';
import { callOptionsFor } from '@survey/runtime/rpc/service-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import type { RateLimitDocument } from './rate-limit-store.ts';

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.close());

interface TokenRequest {
  readonly wanted: number;
  readonly routeClass?: string;
  readonly platform?: number;
  readonly percent?: number;
}

function lease(tenantId: string, { wanted, routeClass = 'default', platform = 100, percent = 100 }: TokenRequest) {
  const request = { routeClass, platformRequestsPerMinute: platform, percent, wanted };
  return identity.gateway.client(RateLimitService).leaseTokens(request, callOptionsFor({ claims: { tenantId } }));
}

const counters = () => identity.db.collection<RateLimitDocument>('rate_limits');

/** Makes all leased tokens older by a number of seconds. */
async function age(tenantId: string, seconds: number): Promise<void> {
  const found = await counters().findOne({ _id: `${tenantId}/default` });
  const leased = (found?.leased ?? []).map(({ at, tokens }) => ({
    at: new Date(at.getTime() - seconds * 1_000),
    tokens,
  }));
  await counters().updateOne({ _id: `${tenantId}/default` }, { $set: { leased } });
}

describe('leasing tokens', () => {
  it('grants requested tokens until none are left, and returns the rest', async () => {
    const { tenantId } = await identity.createTenant();
    expect(await lease(tenantId, { wanted: 60 })).toMatchObject({ granted: 60, remaining: 40, requestsPerMinute: 100 });
    expect(await lease(tenantId, { wanted: 0 })).toMatchObject({ granted: 0, remaining: 40 });
    expect(await lease(tenantId, { wanted: 60 })).toMatchObject({ granted: 40, remaining: 0 });
    const none = await lease(tenantId, { wanted: 60 });
    expect(none).toMatchObject({ granted: 0, remaining: 0 });
    expect(none.moreAfterMs).toBeGreaterThan(50_000);
    expect(none.moreAfterMs).toBeLessThanOrEqual(60_000);
    expect(none.concurrentRequests).toBeUndefined();
  });

  it('returns tokens a minute after their lease', async () => {
    const { tenantId } = await identity.createTenant();
    await lease(tenantId, { wanted: 70 });
    await age(tenantId, 40);
    await lease(tenantId, { wanted: 30 });
    await age(tenantId, 10);
    const before = await lease(tenantId, { wanted: 100 });
    expect(before.granted).toBe(0);
    expect(before.moreAfterMs).toBeLessThanOrEqual(11_000);
    await age(tenantId, 11);
    expect(await lease(tenantId, { wanted: 100 })).toMatchObject({ granted: 70, remaining: 0 });
    await age(tenantId, 61);
    expect(await lease(tenantId, { wanted: 10 })).toMatchObject({ granted: 10, remaining: 90 });
  });

  it('never grants a token twice for concurrent requests', async () => {
    const { tenantId } = await identity.createTenant();
    const leases = await Promise.all(Array.from({ length: 16 }, () => lease(tenantId, { wanted: 7 })));
    expect(leases.reduce((sum, { granted }) => sum + granted, 0)).toBe(100);
  });

  it('counts classes separately, each with its percentage', async () => {
    const { tenantId } = await identity.createTenant();
    const heavy = { routeClass: 'heavy', percent: 10, wanted: 100 };
    expect(await lease(tenantId, heavy)).toMatchObject({ granted: 10, requestsPerMinute: 10 });
    expect(await lease(tenantId, { wanted: 100 })).toMatchObject({ granted: 100 });
    const { tenantId: small } = await identity.createTenant();
    expect(await lease(small, { ...heavy, platform: 3 })).toMatchObject({ granted: 1, requestsPerMinute: 1 });
  });

  it('counts tenants separately', async () => {
    const [one, other] = [await identity.createTenant(), await identity.createTenant()];
    expect(await lease(one.tenantId, { wanted: 100 })).toMatchObject({ granted: 100 });
    expect(await lease(other.tenantId, { wanted: 100 })).toMatchObject({ granted: 100 });
  });

  it('uses limits of the tenant as soon as operators set them', async () => {
    const { tenantId } = await identity.createTenant();
    await lease(tenantId, { wanted: 90 });
    await identity.admin.setTenantLimits({ tenantId, limits: { requestsPerMinute: 200, concurrentRequests: 7 } });
    expect(await lease(tenantId, { wanted: 100 })).toMatchObject({
      granted: 100,
      remaining: 10,
      requestsPerMinute: 200,
      concurrentRequests: 7,
    });
    await identity.admin.setTenantLimits({ tenantId, limits: { requestsPerMinute: 50 } });
    expect(await lease(tenantId, { wanted: 1 })).toMatchObject({ granted: 0, remaining: 0, requestsPerMinute: 50 });
  });

  it('supports the maximum limit', async () => {
    const { tenantId } = await identity.createTenant();
    const most = 2 ** 31 - 1;
    await identity.admin.setTenantLimits({ tenantId, limits: { requestsPerMinute: most } });
    expect(await lease(tenantId, { wanted: most })).toMatchObject({ granted: most, remaining: 0 });
  });

  it('keeps one small record, which expires when unused', async () => {
    const { tenantId } = await identity.createTenant();
    for (let index = 0; index < 10; index += 1) await lease(tenantId, { wanted: 1 });
    const [record, ...others] = await counters()
      .find({ tenant_id: tenantId as RateLimitDocument['tenant_id'] })
      .toArray();
    expect(others).toEqual([]);
    const leased = record?.leased ?? [];
    // One entry for each second.
    expect(leased.filter(({ at }) => at.getMilliseconds() > 0)).toEqual([]);
    expect(new Set(leased.map(({ at }) => at.getTime())).size).toBe(leased.length);
    expect(leased.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(10);
    const indexes = await counters().indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { updated_at: 1 }, expireAfterSeconds: 300 }));
  });

  it('uses the platform limit for an unknown tenant', async () => {
    expect(await lease(randomUUID(), { wanted: 5 })).toMatchObject({ granted: 5, requestsPerMinute: 100 });
  });
});

describe('the usage of a tenant', () => {
  const usageOf = async (owner: Awaited<ReturnType<TestIdentity['createTenant']>>) =>
    (await identity.call(owner, 'GET', '/v1/tenant/usage')).body;

  it('has the leased tokens of the last minute, and the limits', async () => {
    const owner = await identity.createTenant();
    const none = {
      rate_limits: [
        { policy: 'default', used: 0 },
        { policy: 'heavy', used: 0 },
      ],
    };
    expect(await usageOf(owner)).toEqual(none);
    await lease(owner.tenantId, { wanted: 30 });
    await lease(owner.tenantId, { wanted: 12 });
    await lease(owner.tenantId, { routeClass: 'heavy', percent: 25, wanted: 5 });
    expect(await usageOf(owner)).toEqual({
      rate_limits: [
        { policy: 'default', requests_per_minute: 100, used: 42 },
        { policy: 'heavy', requests_per_minute: 25, used: 5 },
      ],
    });
    await age(owner.tenantId, 62);
    expect(await usageOf(owner)).toMatchObject({ rate_limits: [{ used: 0 }, { used: 5 }] });
    expect(await usageOf(await identity.createTenant())).toEqual(none);
  });

  it('needs the permission to read the tenant', async () => {
    const owner = await identity.createTenant();
    const reply = await identity.call({ ...owner, permissions: ['surveys:read'] }, 'GET', '/v1/tenant/usage');
    expect(reply.status).toBe(403);
  });
});

describe('a request for tokens', () => {
  it.each([
    ['negative', { wanted: -1 }],
    ['of an invalid class', { wanted: 1, routeClass: 'a/b' }],
    ['with a platform limit of 0', { wanted: 1, platform: 0 }],
    ['of more than 100 percent', { wanted: 1, percent: 101 }],
  ])('is rejected when it is %s', async (_case, request) => {
    await expect(lease(randomUUID(), request)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('is rejected without a tenant', async () => {
    const request = { routeClass: 'default', platformRequestsPerMinute: 1, percent: 100, wanted: 1 };
    await expect(identity.gateway.client(RateLimitService).leaseTokens(request)).rejects.toMatchObject({
      code: 'INTERNAL',
    });
  });
});
