import type { Admin, KafkaMessage } from 'kafkajs';
import { toHeaderValues } from './event-message.ts';
import type { ForwardedMessage } from './publisher.ts';
import { deadLetterTopic } from './topics.ts';

/** Prefix of the headers that a dead letter has in addition to those of the message. */
export const DEAD_LETTER_HEADER_PREFIX = 'dead_letter_';
/** The committed offsets of this group mark the dead letters that an operator has republished or discarded. */
export const DEAD_LETTER_GROUP = 'dead-letters';

const MAX_CAUSE_LENGTH = 1_000;

interface DeadLetterOrigin {
  readonly topic: string;
  readonly partition: number;
  readonly group: string;
  readonly cause: unknown;
}

/** The unchanged message, with additional headers for its origin and the cause. */
export function toDeadLetter(message: KafkaMessage, origin: DeadLetterOrigin): ForwardedMessage {
  const { topic, partition, group, cause } = origin;
  const text = cause instanceof Error ? cause.message : String(cause);
  return {
    topic: deadLetterTopic(topic),
    key: message.key,
    value: message.value,
    headers: {
      ...toHeaderValues(message.headers ?? {}),
      [`${DEAD_LETTER_HEADER_PREFIX}topic`]: topic,
      [`${DEAD_LETTER_HEADER_PREFIX}partition`]: String(partition),
      [`${DEAD_LETTER_HEADER_PREFIX}offset`]: message.offset,
      [`${DEAD_LETTER_HEADER_PREFIX}group`]: group,
      [`${DEAD_LETTER_HEADER_PREFIX}cause`]: text.slice(0, MAX_CAUSE_LENGTH),
    },
  };
}

/** Offsets of the dead letters in a partition that are still to be republished or discarded. */
export interface DeadLetterRange {
  /** Offset of the first of them. It rises as dead letters are republished or discarded. */
  next: bigint;
  readonly end: bigint;
}

/** Counts the dead letters of a topic that are still to be republished or discarded. */
export async function countDeadLetters(admin: Admin, topic: string): Promise<number> {
  const ranges = await findDeadLetters(admin, deadLetterTopic(topic));
  return [...ranges.values()].reduce((sum, { next, end }) => sum + Number(end - next), 0);
}

/** The dead letters that are still to be republished or discarded, by partition. */
export async function findDeadLetters(admin: Admin, letterTopic: string): Promise<Map<number, DeadLetterRange>> {
  const offsets = await admin.fetchTopicOffsets(letterTopic);
  const [settled] = await admin.fetchOffsets({ groupId: DEAD_LETTER_GROUP, topics: [letterTopic] });
  const settledUntil = new Map(settled?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)]));
  const ranges = offsets.map(({ partition, low, high }) => {
    const next = settledUntil.get(partition) ?? 0n;
    return [partition, { next: next < BigInt(low) ? BigInt(low) : next, end: BigInt(high) }] as const;
  });
  return new Map(ranges.filter(([, { next, end }]) => next < end));
}
