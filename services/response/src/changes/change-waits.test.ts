import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { describe, expect, it } from 'vitest';
import { createChangeWaits } from './change-service.ts';

const LONG_MS = 600_000;

function setUp() {
  const waits = createChangeWaits({ perTenant: 2, total: 3 });
  const begin = (tenantId: string, client = new AbortController()) =>
    waits.run(toTenantId(tenantId), client.signal, (wait) => wait(LONG_MS));
  return { waits, begin };
}

describe('waiting requests', () => {
  it('are limited for each tenant and in total', async () => {
    const { waits, begin } = setUp();
    const running = [begin('ours'), begin('ours')];
    await expect(begin('ours')).rejects.toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      quota: { name: 'waits', requests: 2 },
    });
    running.push(begin('theirs'));
    await expect(begin('others')).rejects.toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: 1 });
    await waits.stop();
    expect(await Promise.all(running)).toEqual([false, false, false]);
  });

  it('end when the client disconnects, and free their slot', async () => {
    const { begin } = setUp();
    const clients = [new AbortController(), new AbortController()];
    const running = clients.map((one) => begin('ours', one));
    for (const one of clients) one.abort();
    expect(await Promise.all(running)).toEqual([false, false]);
    const again = new AbortController();
    const next = begin('ours', again);
    again.abort();
    expect(await next).toBe(false);
  });

  it('do not begin after the stop', async () => {
    const { waits, begin } = setUp();
    await waits.stop();
    expect(await begin('ours')).toBe(false);
  });
});
