import { Counter, type Registry } from 'prom-client';

const LIMITS = ['submits', 'uploads', 'lookups', 'passwords'] as const;

/** Counts a request that was refused because its client had made too many. */
export type CountRefusal = (limit: (typeof LIMITS)[number]) => void;

/** `response_client_refusals_total{limit}`. */
export function createRefusalCounter(registry: Registry): CountRefusal {
  const total = new Counter({
    name: 'response_client_refusals_total',
    help: 'Public requests refused because their client had made too many, by what it had made too many of.',
    labelNames: ['limit'],
    aggregator: 'sum',
    registers: [registry],
  });
  // What was never there before its first increase does not seem to increase.
  for (const limit of LIMITS) total.inc({ limit }, 0);
  return (limit) => total.inc({ limit });
}
