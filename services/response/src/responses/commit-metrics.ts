import type { BatcherMetrics } from '@survey/runtime/flow/batcher';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Metrics of responses without a limit. */
export function createCommitMetrics(registry: Registry): BatcherMetrics {
  return createMetrics(registry, 'response_commit', '');
}

/** Metrics of responses to surveys or through links with a limit. */
export function createLimitedCommitMetrics(registry: Registry): BatcherMetrics {
  return createMetrics(registry, 'response_limited_commit', ' within limits');
}

function createMetrics(registry: Registry, prefix: string, suffix: string): BatcherMetrics {
  const waiting = new Gauge({
    name: `${prefix}_waiting`,
    help: `Responses${suffix} waiting to be written.`,
    aggregator: 'sum',
    registers: [registry],
  });
  const batch = new Histogram({
    name: `${prefix}_batch_size`,
    help: `Responses${suffix} in one write.`,
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
    aggregator: 'sum',
    registers: [registry],
  });
  const wait = new Histogram({
    name: `${prefix}_wait_seconds`,
    help: `Time from accepting a response${suffix} to the start of its write.`,
    buckets: [0.001, 0.003, 0.01, 0.025, 0.05, 0.25, 1, 5],
    aggregator: 'sum',
    registers: [registry],
  });
  const shed = new Counter({
    name: `${prefix}_shed_total`,
    help: `Responses${suffix} rejected because too many were waiting.`,
    aggregator: 'sum',
    registers: [registry],
  });
  return {
    setWaiting: (count) => waiting.set(count),
    observeBatch: (size) => batch.observe(size),
    startTimer: () => {
      const stop = wait.startTimer();
      return () => void stop();
    },
    countShed: () => shed.inc(),
  };
}
