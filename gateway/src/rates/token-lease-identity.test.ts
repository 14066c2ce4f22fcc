import { AppError } from '@survey/runtime/errors/app-error';
import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import { testLog } from '@survey/runtime/testing/test-log';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createLimitMetrics } from './limit-metrics.ts';
import { createIdentityLeases } from './token-lease.ts';

const LEASED = { granted: 1, remaining: 9, requestsPerMinute: 10, moreAfterMs: 60_000 };
const late = () => new AppError('DEADLINE_EXCEEDED');

/** Leases from an identity that fails with the next of these errors, and a clock that the test moves. */
function setUp() {
  const failures: AppError[] = [];
  let [time, asked] = [1_000, 0];
  const leaseTokens = async () => {
    asked += 1;
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return LEASED;
  };
  // Only this part of the client is used.
  const identity: ServiceConnection = { client: () => ({ leaseTokens }) as never, close: () => undefined };
  const metrics = createLimitMetrics(new Registry());
  const lease = createIdentityLeases({ identity, requestsPerMinute: 10, metrics, now: () => time, log: testLog });
  return {
    failures,
    asked: () => asked,
    pass(ms: number) {
      time += ms;
    },
    lease: (tenantId: string) => lease(tenantId, 'default', 1),
  };
}

describe('identity that did not reply', () => {
  it('for one tenant is still called for the next one', async () => {
    const { failures, lease } = setUp();
    failures.push(late());
    await expect(lease('slow')).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    expect(await lease('other')).toMatchObject(LEASED);
  });

  it.each([late(), new AppError('UNAVAILABLE')])(
    'twice in a row is not called for a second: $reason',
    async (error) => {
      const { failures, lease, asked, pass } = setUp();
      failures.push(error, error);
      await expect(lease('one')).rejects.toThrow();
      await expect(lease('two')).rejects.toThrow();
      await expect(lease('three')).rejects.toThrow('did not reply to recent lease requests');
      expect(asked()).toBe(2);
      pass(1_000);
      expect(await lease('three')).toMatchObject(LEASED);
    },
  );

  it('twice, with a reply in between, is called again', async () => {
    const { failures, lease } = setUp();
    failures.push(late());
    await expect(lease('slow')).rejects.toThrow();
    await lease('other');
    failures.push(late());
    await expect(lease('slow')).rejects.toThrow();
    expect(await lease('other')).toMatchObject(LEASED);
  });
});

it('identity that rejects a request after two timeouts is called again', async () => {
  const { failures, lease, pass } = setUp();
  failures.push(late(), late(), new AppError('INTERNAL'));
  await expect(lease('one')).rejects.toThrow();
  await expect(lease('two')).rejects.toThrow();
  pass(1_000);
  await expect(lease('three')).rejects.toMatchObject({ code: 'INTERNAL' });
  expect(await lease('four')).toMatchObject(LEASED);
});

it('identity that rejects requests quickly is called again', async () => {
  const { failures, lease } = setUp();
  failures.push(new AppError('INTERNAL'), new AppError('INTERNAL'), new AppError('INTERNAL'));
  for (const tenantId of ['one', 'two', 'three'])
    await expect(lease(tenantId)).rejects.toMatchObject({ code: 'INTERNAL' });
  expect(await lease('four')).toMatchObject(LEASED);
});
