import type { Kafka } from 'kafkajs';

export interface TopicSpec {
  readonly topic: string;
  readonly partitions: number;
  readonly replication: number;
  /** Topic configuration by Kafka's names, `min.insync.replicas` for example. */
  readonly config?: Readonly<Record<string, string>>;
}

/** Where messages of a topic go that cannot be read. */
export function deadLetterTopic(topic: string): string {
  return `${topic}.dead-letter`;
}

/**
 * Creates the topics that are missing. Those that exist are left as they are: another number of partitions would move
 * keys to other partitions, out of order.
 */
export async function ensureTopics(kafka: Kafka, specs: readonly TopicSpec[]): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const existing = new Set(await admin.listTopics());
    const missing = specs.filter(({ topic }) => !existing.has(topic));
    if (missing.length > 0) await admin.createTopics({ topics: missing.map(toTopicConfig) });
  } finally {
    await admin.disconnect();
  }
}

function toTopicConfig({ topic, partitions, replication, config = {} }: TopicSpec) {
  const configEntries = Object.entries(config).map(([name, value]) => ({ name, value }));
  return { topic, numPartitions: partitions, replicationFactor: replication, configEntries };
}
