import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Clients } from '../support/retrying-client.ts';
import { killProcess, type StackProcess } from '../support/stack-processes.ts';
import { type BusyTenant, startBusyTenant } from '../support/tenant-at-work.ts';

/** Resolves when the clients have completed this many more operations. */
async function untilProgress({ acknowledged }: Clients<unknown>, more: number): Promise<void> {
  const before = acknowledged.length;
  await poll(() => acknowledged.length >= before + more);
}

describe('while tenants work and respondents answer', () => {
  const all: readonly StackProcess[] = ['webhook', 'response', 'gateway', 'survey', 'import', 'identity'];
  // In `npm test`, other files kill the response service.
  const parts = inject('testScope') === 'all' ? all : all.slice(0, 1);
  let tenant: BusyTenant;
  beforeAll(async () => {
    tenant = await startBusyTenant();
  });
  afterAll(() => tenant.close());

  it.each(parts)('everything continues after %s was killed', async (part) => {
    await untilProgress(tenant.clients, 4);
    await killProcess(part);
    // More than the clients have in flight, so some were started afterwards.
    await untilProgress(tenant.clients, 12);
  });

  it('everything acknowledged is stored once and delivered', async () => {
    const works = await tenant.clients.stop();
    expect(works.length).toBeGreaterThan(parts.length * 16);
    await tenant.expectStored(works);
    await tenant.untilDelivered(works);
  });
});
