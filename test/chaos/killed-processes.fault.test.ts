import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Clients } from '../support/careful-client.ts';
import { killPart, type Part } from '../support/parts.ts';
import { startTenantAtWork, type TenantAtWork } from '../support/tenant-at-work.ts';

const PATIENCE = { timeoutMs: 60_000 };

/** Resolves when the clients have got this many things more done. */
async function untilGoesOn({ acknowledged }: Clients<unknown>, more: number): Promise<void> {
  const before = acknowledged.length;
  await poll(() => acknowledged.length >= before + more, PATIENCE);
}

describe('while tenants work and respondents answer', () => {
  const all: readonly Part[] = ['webhook', 'response', 'gateway', 'survey', 'import', 'identity'];
  const parts = inject('testScope') === 'all' ? all : all.slice(0, 3);
  let tenant: TenantAtWork;
  beforeAll(async () => {
    tenant = await startTenantAtWork();
  });
  afterAll(() => tenant.close());

  it.each(parts)('all goes on after %s was killed', async (part) => {
    await untilGoesOn(tenant.clients, 4);
    await killPart(part);
    // More than the clients had in hand: some of it was begun afterwards.
    await untilGoesOn(tenant.clients, 12);
  });

  it('nothing that was acknowledged is lost or doubled, and all of it is delivered', async () => {
    const works = await tenant.clients.stop();
    expect(works.length).toBeGreaterThan(parts.length * 16);
    await tenant.expectStored(works);
    await tenant.untilDelivered(works);
  });
});
