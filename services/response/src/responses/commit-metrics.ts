import { Gauge, Histogram, type Registry } from 'prom-client';

/** What operators see of the group commit. */
export interface CommitMetrics {
  setWaiting(count: number): void;
  observeBatch(size: number): void;
  /** Measures how long a response waits for its write to begin. */
  startTimer(): () => void;
}

export function createCommitMetrics(registry: Registry): CommitMetrics {
  const waiting = new Gauge({
    name: 'response_commit_waiting',
    help: 'Responses that wait for their write to begin.',
    aggregator: 'sum',
    registers: [registry],
  });
  const batch = new Histogram({
    name: 'response_commit_batch_size',
    help: 'Responses that one write carries.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
    aggregator: 'sum',
    registers: [registry],
  });
  const wait = new Histogram({
    name: 'response_commit_wait_seconds',
    help: 'Time from the acceptance of a response to the beginning of its write.',
    buckets: [0.001, 0.003, 0.01, 0.05, 0.25, 1, 5],
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
  };
}
