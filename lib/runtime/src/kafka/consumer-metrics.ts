import type { Registry } from 'prom-client';
import { sharedCounter, sharedGauge } from '../telemetry/shared-metrics.ts';

const KINDS = ['unreadable', 'failing'] as const;

/** Why a message is a dead letter: it could not be read, or the work on it failed time and again. */
export type DeadLetterKind = (typeof KINDS)[number];

/** What is measured of a consumer group. */
export interface ConsumerMetrics {
  /** Messages of a partition that are not handled yet. */
  lag(topic: string, partition: number, messages: bigint): void;
  /** Another replica reports the lag now. */
  forgetLag(): void;
  rebalanced(): void;
  failed(topic: string): void;
  deadLettered(topic: string, kind: DeadLetterKind): void;
}

export function createConsumerMetrics(
  registry: Registry,
  { group, topics }: { readonly group: string; readonly topics: readonly string[] },
): ConsumerMetrics {
  const lag = sharedGauge(registry, {
    name: 'kafka_consumer_lag',
    help: 'Messages of a partition that the group has not handled yet; one replica reports it for all.',
    labelNames: ['group', 'topic', 'partition'],
    aggregator: 'max',
  });
  const rebalances = sharedCounter(registry, {
    name: 'kafka_consumer_rebalances_total',
    help: 'How often the consumer joined its group and was given partitions.',
    labelNames: ['group'],
    aggregator: 'sum',
  });
  const failures = sharedCounter(registry, {
    name: 'kafka_consumer_failures_total',
    help: 'Attempts to handle messages, or to move them to the dead letters, that failed.',
    labelNames: ['group', 'topic'],
    aggregator: 'sum',
  });
  const deadLetters = sharedCounter(registry, {
    name: 'kafka_consumer_dead_letters_total',
    help: 'Messages that were moved to the dead-letter topic: unreadable ones, and those that failed time and again.',
    labelNames: ['group', 'topic', 'kind'],
    aggregator: 'sum',
  });

  // What was never there before its first increase does not seem to increase.
  rebalances.inc({ group }, 0);
  for (const topic of topics) {
    failures.inc({ group, topic }, 0);
    for (const kind of KINDS) deadLetters.inc({ group, topic, kind }, 0);
  }

  const reported = new Map<string, { readonly group: string; readonly topic: string; readonly partition: number }>();

  return {
    lag(topic, partition, messages) {
      const labels = { group, topic, partition };
      reported.set(`${topic} ${partition}`, labels);
      lag.set(labels, Number(messages));
    },
    forgetLag() {
      for (const labels of reported.values()) lag.remove(labels);
      reported.clear();
    },
    rebalanced: () => rebalances.inc({ group }),
    failed: (topic) => failures.inc({ group, topic }),
    deadLettered: (topic, kind) => deadLetters.inc({ group, topic, kind }),
  };
}
