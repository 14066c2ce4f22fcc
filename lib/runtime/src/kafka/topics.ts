import { setTimeout as sleep } from 'node:timers/promises';
import { stateTopics } from '@survey/proto/catalog';
import type { Admin, ITopicMetadata, Kafka } from 'kafkajs';
import type { Logger } from 'pino';
import { withAdmin } from './kafka-client.ts';

export interface TopicSpec {
  readonly topic: string;
  readonly partitions: number;
  readonly replication: number;
  /** Topic configuration with Kafka's names, such as `min.insync.replicas`. */
  readonly config: Readonly<Record<string, string>>;
}

/** The settings that all topics of an installation share. */
interface TopicShape {
  readonly partitions: number;
  readonly replication: number;
  /** Replicas that must store a message. With fewer in sync, Kafka rejects messages. */
  readonly minInsync: number;
}

/** Kafka's own default, set explicitly: with a smaller default of the cluster, a large event would block its outbox. */
const MAX_MESSAGE_BYTES = 1_048_588;
/** Maximum size of the headers of a dead letter, in addition to a message of maximum size. */
const DEAD_LETTER_BYTES = 16_384;
/**
 * Retention of dead letters: 7 days. Kafka keeps the offsets of a group without members at least as long. Without the
 * offsets, replayed letters would count as waiting again.
 */
const DEAD_LETTER_RETENTION_MS = 604_800_000;
const DEAD_LETTER_SUFFIX = '.dead-letter';
/** kafkajs does not export `ConfigResourceTypes` to ES modules. */
const TOPIC_RESOURCE = 2;
const LEADER_TIMEOUT_MS = 30_000;
const POLL_MS = 100;
/** Errors of brokers that do not know a new topic, or its leader, yet. */
const NEW_TOPIC_ERRORS = new Set<unknown>([
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
]);

export function deadLetterTopic(topic: string): string {
  return `${topic}${DEAD_LETTER_SUFFIX}`;
}

/** A topic that loses no acknowledged message unless `minInsync` replicas are lost at once. */
export function toTopicSpec(topic: string, { partitions, replication, minInsync }: TopicShape): TopicSpec {
  const isOfDeadLetters = topic.endsWith(DEAD_LETTER_SUFFIX);
  const maxBytes = MAX_MESSAGE_BYTES + (isOfDeadLetters ? DEAD_LETTER_BYTES : 0);
  return {
    topic,
    partitions,
    replication,
    config: {
      'min.insync.replicas': String(minInsync),
      'unclean.leader.election.enable': 'false',
      'max.message.bytes': String(maxBytes),
      // kafkajs cannot read zstd, snappy or lz4, so brokers must not recompress.
      'compression.type': 'producer',
      'cleanup.policy': stateTopics.includes(topic) ? 'compact' : 'delete',
      ...(isOfDeadLetters && { 'retention.ms': String(DEAD_LETTER_RETENTION_MS) }),
    },
  };
}

/**
 * Creates missing topics. Does not change existing topics, but logs differences as warnings: with another number of
 * partitions, keys would move and lose their order.
 */
export function ensureTopics(kafka: Kafka, specs: readonly TopicSpec[], log: Logger): Promise<void> {
  return withAdmin(kafka, async (admin) => {
    const { existing, missing } = await groupTopics(admin, specs);
    // kafkajs's own wait for leaders fails if a broker does not know the topic yet.
    if (missing.length > 0) await admin.createTopics({ topics: missing.map(toTopicConfig), waitForLeaders: false });
    await waitForLeaders(
      admin,
      missing.map(({ topic }) => topic),
    );
    for (const difference of await findDifferences(admin, existing)) log.warn(difference, 'topic is not as configured');
  });
}

async function groupTopics(admin: Admin, specs: readonly TopicSpec[]) {
  const names = new Set(await admin.listTopics());
  const { existing = [], missing = [] } = Object.groupBy(specs, ({ topic }) =>
    names.has(topic) ? 'existing' : 'missing',
  );
  return { existing, missing };
}

/** Missing topics, and settings of existing topics that differ. */
export interface TopicReport {
  readonly missing: readonly string[];
  readonly differences: readonly TopicDifference[];
}

export interface TopicDifference {
  readonly topic: string;
  /** `partitions`, `replicas` or the name of a setting of Kafka. */
  readonly setting: string;
  readonly configured: string;
  readonly actual: string;
}

/** Compares the topics of Kafka with the specs, and changes nothing. */
export function inspectTopics(kafka: Kafka, specs: readonly TopicSpec[]): Promise<TopicReport> {
  return withAdmin(kafka, async (admin) => {
    const { existing, missing } = await groupTopics(admin, specs);
    return { missing: missing.map(({ topic }) => topic), differences: await findDifferences(admin, existing) };
  });
}

async function findDifferences(admin: Admin, specs: readonly TopicSpec[]): Promise<readonly TopicDifference[]> {
  if (specs.length === 0) return [];
  const { topics } = await admin.fetchTopicMetadata({ topics: specs.map(({ topic }) => topic) });
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: specs.map(({ topic }) => ({ type: TOPIC_RESOURCE, name: topic })),
  });
  return specs.flatMap((spec) => {
    const { topic } = spec;
    const metadata = topics.find(({ name }) => name === topic);
    const entries = resources.find(({ resourceName }) => resourceName === topic)?.configEntries ?? [];
    const actual = new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
    return [
      ...compareCounts(topic, 'partitions', spec.partitions, metadata?.partitions.length ?? 0),
      ...compareCounts(topic, 'replicas', spec.replication, fewestReplicas(metadata)),
      ...Object.entries(spec.config)
        .filter(([setting, configured]) => actual.get(setting) !== configured)
        .map(([setting, configured]) => ({ topic, setting, configured, actual: actual.get(setting) ?? 'unknown' })),
    ];
  });
}

/** Returns a difference if the number is too low. Operators may have added replicas or partitions. */
function compareCounts(topic: string, setting: string, configured: number, actual: number): readonly TopicDifference[] {
  if (actual >= configured) return [];
  return [{ topic, setting, configured: String(configured), actual: String(actual) }];
}

function fewestReplicas(metadata: ITopicMetadata | undefined): number {
  return Math.min(...(metadata?.partitions ?? []).map(({ replicas }) => replicas.length));
}

/** Resolves when all partitions of the topics have a leader. Throws after half a minute. */
async function waitForLeaders(admin: Admin, topics: readonly string[]): Promise<void> {
  const deadline = performance.now() + LEADER_TIMEOUT_MS;
  while (!(await haveLeaders(admin, topics))) {
    if (performance.now() > deadline) throw new Error(`some partitions have no leader: ${topics.join(', ')}`);
    await sleep(POLL_MS);
  }
}

async function haveLeaders(admin: Admin, topics: readonly string[]): Promise<boolean> {
  if (topics.length === 0) return true;
  try {
    const { topics: described } = await admin.fetchTopicMetadata({ topics: [...topics] });
    // Metadata may name a leader that does not know its role yet; only a request to it is proof.
    for (const topic of topics) await admin.fetchTopicOffsets(topic);
    return described.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0));
  } catch (error) {
    // kafkajs does not export its error classes to ES modules.
    if (error instanceof Error && 'type' in error && NEW_TOPIC_ERRORS.has(error.type)) return false;
    throw error;
  }
}

function toTopicConfig({ topic, partitions, replication, config }: TopicSpec) {
  const configEntries = Object.entries(config).map(([name, value]) => ({ name, value }));
  return { topic, numPartitions: partitions, replicationFactor: replication, configEntries };
}
