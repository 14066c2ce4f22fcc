import type { Registry } from 'prom-client';
import { sharedCounter, sharedGauge } from './metrics.ts';

/** What is measured of one consumer group's member. */
export interface ConsumerMetrics {
  /** Messages of a partition that are not handled yet. */
  lag(topic: string, partition: number, messages: bigint): void;
  /** The member has other partitions now; the lag of those before is for others to tell. */
  rebalanced(): void;
  failed(topic: string): void;
  deadLettered(topic: string): void;
}

export function createConsumerMetrics(registry: Registry, group: string): ConsumerMetrics {
  const lag = sharedGauge(registry, {
    name: 'kafka_consumer_lag',
    help: 'Messages of an assigned partition that are not handled yet, as of the last fetch.',
    labelNames: ['group', 'topic', 'partition'],
    aggregator: 'sum',
  });
  const rebalances = sharedCounter(registry, {
    name: 'kafka_consumer_rebalances_total',
    help: 'How often the consumer joined its group and was given partitions.',
    labelNames: ['group'],
    aggregator: 'sum',
  });
  const failures = sharedCounter(registry, {
    name: 'kafka_consumer_failures_total',
    help: 'Attempts to handle messages that failed; each is tried again.',
    labelNames: ['group', 'topic'],
    aggregator: 'sum',
  });
  const deadLetters = sharedCounter(registry, {
    name: 'kafka_consumer_dead_letters_total',
    help: 'Messages that could not be read and were moved to the dead-letter topic.',
    labelNames: ['group', 'topic'],
    aggregator: 'sum',
  });
  const assigned = new Map<string, { group: string; topic: string; partition: number }>();

  return {
    lag(topic, partition, messages) {
      const labels = { group, topic, partition };
      assigned.set(`${topic} ${partition}`, labels);
      lag.set(labels, Number(messages));
    },
    rebalanced() {
      rebalances.inc({ group });
      for (const labels of assigned.values()) lag.remove(labels);
      assigned.clear();
    },
    failed: (topic) => failures.inc({ group, topic }),
    deadLettered: (topic) => deadLetters.inc({ group, topic }),
  };
}
