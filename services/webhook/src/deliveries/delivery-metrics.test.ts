import { testLog } from '@survey/runtime/testing/test-log';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createDeliveryMetrics } from './delivery-metrics.ts';

async function pageAfter(record: (metrics: ReturnType<typeof createDeliveryMetrics>) => void): Promise<string> {
  const registry = new Registry();
  const backlog = { measure: async () => ({ count: 7, oldestSeconds: 3 }) };
  record(
    createDeliveryMetrics({ backlog, clock: () => new Date(), registry, log: testLog, isReporter: async () => true }),
  );
  return registry.metrics();
}

describe('the page of metrics', () => {
  it('starts at 0 for every outcome and every use of a connection', async () => {
    const begun = await pageAfter(() => undefined);
    for (const outcome of ['delivered', 'bad_status', 'timeout', 'invalid_answer'])
      expect(begun).toContain(`webhook_attempts_total{outcome="${outcome}"} 0\n`);
    for (const outcome of ['delivered', 'failed'])
      expect(begun).toContain(`webhook_delivery_delay_seconds_count{outcome="${outcome}"} 0\n`);
    for (const use of ['new', 'kept', 'replaced'])
      expect(begun).toContain(`webhook_connections_total{use="${use}"} 0\n`);
  });

  it('has the delay of delivered and of failed deliveries', async () => {
    const page = await pageAfter(({ ended }) => {
      ended('delivered', 0.02);
      ended('failed', 700);
      ended('failed', 3);
    });
    const name = 'webhook_delivery_delay_seconds';
    expect(page).toContain(`${name}_bucket{le="0.025",outcome="delivered"} 1`);
    expect(page).toContain(`${name}_count{outcome="delivered"} 1`);
    expect(page).toContain(`${name}_bucket{le="600",outcome="failed"} 1`);
    expect(page).toContain(`${name}_bucket{le="3600",outcome="failed"} 2`);
    expect(page).toContain(`${name}_count{outcome="failed"} 2`);
  });

  it('counts attempts by outcome', async () => {
    const page = await pageAfter(({ attempted }) => {
      for (const outcome of ['delivered', 'bad_status', 'bad_status', 'timeout'] as const) attempted(outcome);
    });
    expect(page).toContain('webhook_attempts_total{outcome="delivered"} 1');
    expect(page).toContain('webhook_attempts_total{outcome="bad_status"} 2');
    expect(page).toContain('webhook_attempts_total{outcome="timeout"} 1');
  });

  it('counts new, kept and replaced connections', async () => {
    const page = await pageAfter(({ connected }) => {
      for (const use of ['new', 'kept', 'kept', 'replaced'] as const) connected(use);
    });
    expect(page).toContain('webhook_connections_total{use="new"} 1');
    expect(page).toContain('webhook_connections_total{use="kept"} 2');
    expect(page).toContain('webhook_connections_total{use="replaced"} 1');
  });

  it('has running attempts by lane, and open and half open breakers', async () => {
    const page = await pageAfter(({ addGauges }) =>
      addGauges({
        scheduler: { countRunning: () => ({ fresh: 3, retry: 2, slow: 1 }) },
        health: { count: () => ({ open: 5, halfOpen: 4 }) },
      }),
    );
    for (const [lane, count] of Object.entries({ fresh: 3, retry: 2, slow: 1 }))
      expect(page).toContain(`webhook_attempts_running{lane="${lane}"} ${count}`);
    expect(page).toContain('webhook_breakers{state="open"} 5');
    expect(page).toContain('webhook_breakers{state="half_open"} 4');
  });

  it('has the backlog, expired leases and suppressed duplicates', async () => {
    const page = await pageAfter(({ leaseExpired, duplicatesSuppressed }) => {
      leaseExpired();
      duplicatesSuppressed(2);
    });
    expect(page).toContain('webhook_leases_lost_total 1');
    expect(page).toContain('webhook_duplicates_suppressed_total 2');
    expect(page).toContain('webhook_deliveries_due 7');
    expect(page).toContain('webhook_oldest_due_seconds 3');
  });
});
