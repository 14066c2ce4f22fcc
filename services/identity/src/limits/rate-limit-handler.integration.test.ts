import { randomUUID } from 'node:crypto';
import { RateLimitService } from '@survey/proto/survey/identity/v1/rate_limit_service_pb';
import { withOnBehalf } from '@survey/runtime/rpc/service-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import type { RateLimitDocument } from './rate-limit-store.ts';

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.close());

interface Wish {
  readonly wanted: number;
  readonly routeClass?: string;
  readonly platform?: number;
  readonly percent?: number;
}

function lease(tenantId: string, { wanted, routeClass = 'default', platform = 100, percent = 100 }: Wish) {
  const request = { routeClass, platformRequestsPerMinute: platform, percent, wanted };
  return identity.gateway.client(RateLimitService).leaseTokens(request, withOnBehalf({ subject: { tenantId } }));
}

const counters = () => identity.db.collection<RateLimitDocument>('rate_limits');

/** Lets time pass for what was leased: all of it is so much older then. */
async function age(tenantId: string, seconds: number): Promise<void> {
  const found = await counters().findOne({ _id: `${tenantId}/default` });
  const leased = (found?.leased ?? []).map(({ at, tokens }) => ({
    at: new Date(at.getTime() - seconds * 1_000),
    tokens,
  }));
  await counters().updateOne({ _id: `${tenantId}/default` }, { $set: { leased } });
}

describe('tokens of a tenant', () => {
  it('are leased as they are wanted until there are none, and told what is left', async () => {
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

  it('come back a minute after they were leased', async () => {
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

  it('are never given twice, whoever asks at the same time', async () => {
    const { tenantId } = await identity.createTenant();
    const leases = await Promise.all(Array.from({ length: 16 }, () => lease(tenantId, { wanted: 7 })));
    expect(leases.reduce((sum, { granted }) => sum + granted, 0)).toBe(100);
  });

  it('are kept apart by class, of which one may have a part only', async () => {
    const { tenantId } = await identity.createTenant();
    const heavy = { routeClass: 'heavy', percent: 10, wanted: 100 };
    expect(await lease(tenantId, heavy)).toMatchObject({ granted: 10, requestsPerMinute: 10 });
    expect(await lease(tenantId, { wanted: 100 })).toMatchObject({ granted: 100 });
    const { tenantId: small } = await identity.createTenant();
    expect(await lease(small, { ...heavy, platform: 3 })).toMatchObject({ granted: 1, requestsPerMinute: 1 });
  });

  it('are kept apart from those of others', async () => {
    const [one, other] = [await identity.createTenant(), await identity.createTenant()];
    expect(await lease(one.tenantId, { wanted: 100 })).toMatchObject({ granted: 100 });
    expect(await lease(other.tenantId, { wanted: 100 })).toMatchObject({ granted: 100 });
  });

  it('are as many as the limits of its own say, as soon as operators give it some', async () => {
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

  it('are as many as they can be', async () => {
    const { tenantId } = await identity.createTenant();
    const most = 2 ** 31 - 1;
    await identity.admin.setTenantLimits({ tenantId, limits: { requestsPerMinute: most } });
    expect(await lease(tenantId, { wanted: most })).toMatchObject({ granted: most, remaining: 0 });
  });

  it('are kept in one small record, which goes when nobody asks for it any more', async () => {
    const { tenantId } = await identity.createTenant();
    for (let index = 0; index < 10; index += 1) await lease(tenantId, { wanted: 1 });
    const [record, ...others] = await counters()
      .find({ tenant_id: tenantId as RateLimitDocument['tenant_id'] })
      .toArray();
    expect(others).toEqual([]);
    expect(record?.leased.length).toBeLessThanOrEqual(3);
    const indexes = await counters().indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { updated_at: 1 }, expireAfterSeconds: 300 }));
  });

  it('are those of the platform for a tenant that there is not any more', async () => {
    expect(await lease(randomUUID(), { wanted: 5 })).toMatchObject({ granted: 5, requestsPerMinute: 100 });
  });
});

describe('a wish for tokens', () => {
  it.each([
    ['fewer than none', { wanted: -1 }],
    ['of a class with another name', { wanted: 1, routeClass: 'a/b' }],
    ['of a platform without requests', { wanted: 1, platform: 0 }],
    ['of more than all', { wanted: 1, percent: 101 }],
  ])('is refused when it is %s', async (_what, wish) => {
    await expect(lease(randomUUID(), wish)).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' });
  });

  it('is refused when it is for no tenant', async () => {
    const request = { routeClass: 'default', platformRequestsPerMinute: 1, percent: 100, wanted: 1 };
    await expect(identity.gateway.client(RateLimitService).leaseTokens(request)).rejects.toMatchObject({
      reason: 'INTERNAL',
    });
  });
});
