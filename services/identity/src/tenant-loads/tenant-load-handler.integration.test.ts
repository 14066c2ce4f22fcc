import { randomUUID } from 'node:crypto';
import { TenantLoadService } from '@survey/proto/survey/identity/v1/tenant_load_service_pb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import type { TenantLoadDocument } from './tenant-load-store.ts';

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.close());

const reports = () => identity.db.collection<TenantLoadDocument>('tenant_loads');

async function report(reporter: string, requests: Readonly<Record<string, number>>, maxSeries = 20) {
  const loads = Object.entries(requests).map(([tenantId, count]) => ({
    tenantId,
    requests: count,
    series: 10,
    hasSeries: false,
  }));
  const reply = await identity.gateway.client(TenantLoadService).reportTenantLoads({ reporter, loads, maxSeries });
  return { tenantIds: reply.tenantIds, isComplete: reply.isComplete };
}

describe('the loads of tenants', () => {
  it('are merged over all gateways, with the last report of each for three minutes', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    expect(await report(one, { a: 5, b: 4 })).toEqual({ tenantIds: ['a', 'b'], isComplete: true });
    expect(await report(other, { c: 7, b: 4 })).toEqual({ tenantIds: ['b', 'c'], isComplete: false });
    expect(await report(one, { a: 9 })).toEqual({ tenantIds: ['a', 'c'], isComplete: false });
    expect(await reports().countDocuments()).toBe(2);
    await reports().updateOne({ _id: one }, { $set: { reported_at: new Date(Date.now() - 180_001) } });
    expect(await report(other, { c: 7 })).toEqual({ tenantIds: ['c'], isComplete: true });
    const indexes = await reports().indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { reported_at: 1 }, expireAfterSeconds: 180 }));
  });

  it.each([
    ['without an id of the gateway', () => report('gateway-1', {})],
    ['of a tenant without an id', () => report(randomUUID(), { '': 1 })],
    ['with a negative number', () => report(randomUUID(), { a: -1 })],
    [
      'with too many tenants',
      () => report(randomUUID(), Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [index, 1]))),
    ],
  ])('are rejected %s', async (_case, send) => {
    await expect(send()).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
