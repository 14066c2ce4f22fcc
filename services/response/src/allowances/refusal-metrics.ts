import { Counter, type Registry } from 'prom-client';

/** Counts a request that was refused because its client had made too many. */
export type CountRefusal = (limit: 'submits' | 'uploads' | 'lookups' | 'passwords') => void;

/** `response_client_refusals_total{limit}`. */
export function createRefusalCounter(registry: Registry): CountRefusal {
  const total = new Counter({
    name: 'response_client_refusals_total',
    help: 'Public requests refused because their client had made too many, by what it had made too many of.',
    labelNames: ['limit'],
    aggregator: 'sum',
    registers: [registry],
  });
  return (limit) => total.inc({ limit });
}
