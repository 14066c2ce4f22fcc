import { TenantLoadService } from '@survey/proto/survey/identity/v1/tenant_load_service_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import { poll } from '@survey/runtime/testing/poll';
import { testLog } from '@survey/runtime/testing/test-log';
import { describe, expect, it } from 'vitest';
import { shareLoads } from './share-loads.ts';

const loads = [
  { tenantId: 'a', requests: 9, series: 700, hasSeries: false },
  { tenantId: 'b', requests: 1, series: 700, hasSeries: true },
];

/** Shares the loads once with an identity that replies so, and returns what was sent and selected. */
async function share(reply: () => Promise<unknown>) {
  const sent: unknown[] = [];
  const selections: unknown[] = [];
  const client = {
    reportTenantLoads: (request: unknown) => {
      sent.push(request);
      return reply();
    },
  };
  const identity = { client: (service: unknown) => (service === TenantLoadService ? client : undefined) };
  const sharing = shareLoads({
    series: { takeLoads: () => loads, retain: (selection) => selections.push(selection) },
    // Only `client` is used.
    identity: identity as unknown as ServiceConnection,
    maxSeries: 1_000,
    log: testLog,
    everyMs: 5,
  });
  await poll(() => selections.length > 0);
  sharing.stop();
  return { request: sent[0], selection: selections[0] };
}

describe('sharing the loads of tenants', () => {
  it('uses the tenants that identity selects', async () => {
    const { request, selection } = await share(async () => ({ tenantIds: ['z'], isComplete: false }));
    expect(request).toEqual({ reporter: expect.stringMatching(/^[\da-f-]{36}$/), maxSeries: 800, loads });
    expect(selection).toEqual({ tenantIds: ['z'], isComplete: false });
  });

  it('selects by the own load while identity does not reply', async () => {
    const { selection } = await share(() => Promise.reject(new AppError('UNAVAILABLE')));
    expect(selection).toEqual({ tenantIds: ['a'], isComplete: false });
  });
});
