import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin, Kafka } from 'kafkajs';

export interface TopicSpec {
  readonly topic: string;
  readonly partitions: number;
  readonly replication: number;
  /** Topic configuration by Kafka's names, `min.insync.replicas` for example. */
  readonly config?: Readonly<Record<string, string>>;
}

const LEADERS_MS = 30_000;
const LOOK_AGAIN_MS = 100;
const NOT_KNOWN_YET = new Set<unknown>([
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
]);

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
    // kafkajs's own wait for leaders gives up on a broker that has not heard of the topic yet.
    if (missing.length > 0) await admin.createTopics({ topics: missing.map(toTopicConfig), waitForLeaders: false });
    await untilLed(
      admin,
      missing.map(({ topic }) => topic),
    );
  } finally {
    await admin.disconnect();
  }
}

/** Resolves when every partition of the topics has a leader; throws when some have none after half a minute. */
async function untilLed(admin: Admin, topics: readonly string[]): Promise<void> {
  const deadline = performance.now() + LEADERS_MS;
  while (!(await areLed(admin, topics))) {
    if (performance.now() > deadline) throw new Error(`no leader for some partition of ${topics.join(', ')}`);
    await sleep(LOOK_AGAIN_MS);
  }
}

async function areLed(admin: Admin, topics: readonly string[]): Promise<boolean> {
  if (topics.length === 0) return true;
  try {
    const { topics: described } = await admin.fetchTopicMetadata({ topics: [...topics] });
    // Metadata may name a leader that does not know yet that it is one; only asking it for something tells.
    for (const topic of topics) await admin.fetchTopicOffsets(topic);
    return described.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0));
  } catch (error) {
    // Node does not see the error classes among the exports of kafkajs.
    if (error instanceof Error && 'type' in error && NOT_KNOWN_YET.has(error.type)) return false;
    throw error;
  }
}

function toTopicConfig({ topic, partitions, replication, config = {} }: TopicSpec) {
  const configEntries = Object.entries(config).map(([name, value]) => ({ name, value }));
  return { topic, numPartitions: partitions, replicationFactor: replication, configEntries };
}
