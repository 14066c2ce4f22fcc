import type { BatcherMetrics } from '@survey/runtime/flow/batcher';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Those of responses that nothing limits. */
export function createCommitMetrics(registry: Registry): BatcherMetrics {
  return createMetrics(registry, 'response_commit', '');
}

/** Those of responses to surveys and through links with a limit. */
export function createLimitedCommitMetrics(registry: Registry): BatcherMetrics {
  return createMetrics(registry, 'response_limited_commit', ' within limits');
}

function createMetrics(registry: Registry, prefix: string, which: string): BatcherMetrics {
  const waiting = new Gauge({
    name: `${prefix}_waiting`,
    help: `Responses${which} that wait for their write to begin.`,
    aggregator: 'sum',
    registers: [registry],
  });
  const batch = new Histogram({
    name: `${prefix}_batch_size`,
    help: `Responses${which} that one write carries.`,
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
    aggregator: 'sum',
    registers: [registry],
  });
  const wait = new Histogram({
    name: `${prefix}_wait_seconds`,
    help: `Time from the acceptance of a response${which} to the beginning of its write.`,
    buckets: [0.001, 0.003, 0.01, 0.025, 0.05, 0.25, 1, 5],
    aggregator: 'sum',
    registers: [registry],
  });
  const shed = new Counter({
    name: `${prefix}_shed_total`,
    help: `Responses${which} refused because too many were waiting.`,
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
