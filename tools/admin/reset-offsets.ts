import { type createKafka, retryWhileLoading, withAdmin } from '@survey/runtime/kafka/kafka-client';

type Kafka = ReturnType<typeof createKafka>;
type Admin = ReturnType<Kafka['admin']>;

/** A consumer group, and the topics that it consumes. */
export interface ConsumerGroup {
  readonly groupId: string;
  readonly topics: readonly string[];
}

/** The change of a group's offset in one partition. */
export interface OffsetReset {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  /** Committed offset; undefined if the group has committed none. */
  readonly from: string | undefined;
  readonly to: string;
}

interface Options {
  readonly groups: readonly ConsumerGroup[];
  /** Messages of this time and later are consumed again. */
  readonly to: Date;
  /** Without it, nothing is changed. */
  readonly execute: boolean;
}

/**
 * Resets the offsets of the given groups on their topics to a time, and returns the changes. Other groups of a shared
 * Kafka, and other topics, keep their offsets. Groups and topics that Kafka does not have are skipped. Throws before
 * any change if a group has members, because they would commit their own offsets.
 */
export function resetOffsets(kafka: Kafka, { groups, to, execute }: Options): Promise<readonly OffsetReset[]> {
  return withAdmin(kafka, async (admin) => {
    const present = await findPresent(admin, groups);
    if (execute) await requireNoMembers(admin, present);
    const targets = await findTargets(admin, present, to);
    const resets: OffsetReset[] = [];
    for (const group of present) resets.push(...(await planGroup(admin, group, targets)));
    if (execute) await apply(admin, resets);
    return resets;
  });
}

async function findPresent(admin: Admin, groups: readonly ConsumerGroup[]): Promise<readonly ConsumerGroup[]> {
  const topics = new Set(await admin.listTopics());
  const known = new Set((await admin.listGroups()).groups.map(({ groupId }) => groupId));
  return groups
    .filter(({ groupId }) => known.has(groupId))
    .map((group) => ({ ...group, topics: group.topics.filter((topic) => topics.has(topic)) }));
}

async function requireNoMembers(admin: Admin, groups: readonly ConsumerGroup[]): Promise<void> {
  if (groups.length === 0) return;
  const { groups: described } = await admin.describeGroups(groups.map(({ groupId }) => groupId));
  const active = described.filter(({ members }) => members.length > 0).map(({ groupId }) => groupId);
  if (active.length > 0)
    throw new Error(`these groups have members, so stop the services first: ${active.sort().join(', ')}`);
}

type Targets = ReadonlyMap<string, readonly { readonly partition: number; readonly offset: string }[]>;

/** Offsets of the first messages at or after the time, or the ends of partitions without such messages. */
async function findTargets(admin: Admin, groups: readonly ConsumerGroup[], to: Date): Promise<Targets> {
  const targets = new Map<string, { partition: number; offset: string }[]>();
  for (const topic of new Set(groups.flatMap((group) => group.topics)))
    targets.set(topic, await admin.fetchTopicOffsetsByTimestamp(topic, to.getTime()));
  return targets;
}

async function planGroup(admin: Admin, { groupId, topics }: ConsumerGroup, targets: Targets): Promise<OffsetReset[]> {
  if (topics.length === 0) return [];
  const committed = await retryWhileLoading(() => admin.fetchOffsets({ groupId, topics: [...topics] }));
  return committed.flatMap(({ topic, partitions }) => {
    const offsets = new Map(partitions.map(({ partition, offset }) => [partition, offset]));
    return (targets.get(topic) ?? []).map(({ partition, offset: target }) => {
      const offset = offsets.get(partition);
      return { group: groupId, topic, partition, from: offset === '-1' ? undefined : offset, to: target };
    });
  });
}

async function apply(admin: Admin, resets: readonly OffsetReset[]): Promise<void> {
  const byGroupAndTopic = Map.groupBy(resets, ({ group, topic }) => JSON.stringify([group, topic]));
  for (const partitions of byGroupAndTopic.values()) {
    const [first] = partitions;
    if (first === undefined) continue;
    await admin.setOffsets({
      groupId: first.group,
      topic: first.topic,
      partitions: partitions.map(({ partition, to }) => ({ partition, offset: to })),
    });
  }
}
