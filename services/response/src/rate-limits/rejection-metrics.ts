import { startAtZero } from '@survey/runtime/telemetry/start-at-zero';
import { Counter, type Registry } from 'prom-client';

const LIMITS = ['submits', 'uploads', 'lookups', 'passwords'] as const;

/** Counts a request that exceeded a limit. */
export type CountRejection = (limit: (typeof LIMITS)[number]) => void;

/** `response_client_refusals_total{limit}`: requests of clients that the service rejects. */
export function createRejectionCounter(registry: Registry): CountRejection {
  const total = new Counter({
    name: 'response_client_refusals_total',
    help: 'Public requests rejected because their client exceeded a limit, by limit.',
    labelNames: ['limit'],
    aggregator: 'sum',
    registers: [registry],
  });
  startAtZero(total, { limit: LIMITS });
  return (limit) => total.inc({ limit });
}
