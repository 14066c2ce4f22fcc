import type { Registry } from 'prom-client';
import { sharedCounter, sharedGauge, startAtZero } from '../telemetry/metrics.ts';

const DEAD_LETTER_KINDS = ['unreadable', 'failing'] as const;

/** The kind of a dead letter: the message was unreadable, or handling it kept failing. */
export type DeadLetterKind = (typeof DEAD_LETTER_KINDS)[number];

export type ConsumerMetrics = ReturnType<typeof createConsumerMetrics>;

export function createConsumerMetrics(
  registry: Registry,
  { group, topics }: { readonly group: string; readonly topics: readonly string[] },
) {
  const lag = sharedGauge(registry, {
    name: 'kafka_consumer_lag',
    help: 'Messages of a partition that the group has not handled yet; one replica reports it for all.',
    labelNames: ['group', 'topic', 'partition'],
    aggregator: 'max',
  });
  const waiting = sharedGauge(registry, {
    name: 'kafka_dead_letters_waiting',
    help: 'Dead letters of a topic that were not replayed and that Kafka still keeps; one replica reports it for all.',
    labelNames: ['topic'],
    aggregator: 'max',
  });
  const rebalances = sharedCounter(registry, {
    name: 'kafka_consumer_rebalances_total',
    help: 'Times that the consumer joined its group and was assigned partitions.',
    labelNames: ['group'],
    aggregator: 'sum',
  });
  const failures = sharedCounter(registry, {
    name: 'kafka_consumer_failures_total',
    help: 'Failed attempts to handle messages or to store dead letters.',
    labelNames: ['group', 'topic'],
    aggregator: 'sum',
  });
  const deadLetters = sharedCounter(registry, {
    name: 'kafka_consumer_dead_letters_total',
    help: 'Messages that were moved to the dead-letter topic: unreadable ones, and those that kept failing.',
    labelNames: ['group', 'topic', 'kind'],
    aggregator: 'sum',
  });

  startAtZero(rebalances, { group });
  for (const topic of topics) {
    startAtZero(failures, { group, topic });
    startAtZero(deadLetters, { group, topic, kind: DEAD_LETTER_KINDS });
  }

  /** The labels of all lags that were set. `forgetReported` needs them, because only Kafka knows all partitions. */
  const reportedLags = new Map<
    string,
    { readonly group: string; readonly topic: string; readonly partition: number }
  >();

  return {
    setLag(topic: string, partition: number, messages: bigint): void {
      const labels = { group, topic, partition };
      reportedLags.set(`${topic} ${partition}`, labels);
      lag.set(labels, Number(messages));
    },
    /** Sets the number of dead letters of a topic that are still to be republished or discarded. */
    setDeadLettersWaiting: (topic: string, messages: number) => waiting.set({ topic }, messages),
    /** Removes the lag and the number of dead letters, because another replica reports them now. */
    forgetReported(): void {
      for (const labels of reportedLags.values()) lag.remove(labels);
      reportedLags.clear();
      for (const topic of topics) waiting.remove({ topic });
    },
    rebalanced: () => rebalances.inc({ group }),
    failed: (topic: string) => failures.inc({ group, topic }),
    deadLettered: (topic: string, kind: DeadLetterKind) => deadLetters.inc({ group, topic, kind }),
  };
}
