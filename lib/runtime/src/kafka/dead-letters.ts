import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, Kafka, KafkaMessage } from 'kafkajs';
import { type EventMessage, toEventMessage, toHeaderValues } from './event-message.ts';
import type { Publisher } from './publisher.ts';
import { deadLetterTopic } from './topics.ts';

/** Messages of a topic that could not be handled, for an operator. Each is there until Kafka's retention takes it. */
export interface DeadLetters {
  /**
   * Those that were not replayed yet, the oldest of each partition first, a hundred at the most. Their headers
   * `dead_letter_topic`, `_partition`, `_offset`, `_group` and `_cause` tell where each was found and why it is here.
   */
  list(): Promise<readonly EventMessage[]>;
  /**
   * Publishes those that were not replayed yet in their topic once more, byte for byte, for every consumer of it; gives
   * how many. One that fails again comes back as a new dead letter, and is not among them. When it is cut off, those of
   * the end may be published a second time.
   */
  replay(): Promise<number>;
}

/** Its offsets are how far letters were replayed. */
const GROUP = 'dead-letters';
const MAX_LISTED = 100;
const IDLE_MS = 60_000;
const MARK = 'dead_letter_';

/** @param topic the topic itself, `survey.events` for example, not that of its dead letters */
export function createDeadLetters({
  kafka,
  publisher,
  topic,
  newId,
}: {
  readonly kafka: Kafka;
  readonly publisher: Publisher;
  readonly topic: string;
  readonly newId: () => string;
}): DeadLetters {
  const letters = deadLetterTopic(topic);

  /** What there is of each partition now, from the first one that was not replayed up to the end. */
  async function loadRanges(): Promise<Map<number, { next: bigint; readonly end: bigint }>> {
    const admin = kafka.admin();
    await admin.connect();
    try {
      const ends = await admin.fetchTopicOffsets(letters);
      const [replayed] = await admin.fetchOffsets({ groupId: GROUP, topics: [letters] });
      const done = new Map(replayed?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)]));
      const ranges = ends.map(({ partition, low, high }) => {
        const next = done.get(partition) ?? 0n;
        return [partition, { next: next < BigInt(low) ? BigInt(low) : next, end: BigInt(high) }] as const;
      });
      return new Map(ranges.filter(([, { next, end }]) => next < end));
    } finally {
      await admin.disconnect();
    }
  }

  /** Goes over the letters of now, until `handle` wants no more. */
  async function read(
    groupId: string,
    handle: (letter: KafkaMessage, partition: number, consumer: Consumer) => Promise<boolean>,
  ): Promise<void> {
    const ranges = await loadRanges();
    if (ranges.size === 0) return;
    const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 100 });
    const all = Promise.withResolvers<void>();
    consumer.on('consumer.crash', ({ payload }) => all.reject(payload.error));
    let readAt = performance.now();
    try {
      await consumer.connect();
      await consumer.subscribe({ topic: letters, fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachMessage: async ({ partition, message }) => {
          const range = ranges.get(partition);
          const offset = BigInt(message.offset);
          // What was replayed before, or came after the beginning.
          if (range === undefined || offset < range.next || offset >= range.end) return;
          readAt = performance.now();
          const wantsMore = await handle(message, partition, consumer);
          range.next = offset + 1n;
          if (range.next >= range.end) ranges.delete(partition);
          if (ranges.size === 0 || !wantsMore) all.resolve();
        },
      });
      await Promise.race([all.promise, failWhenIdle(() => performance.now() - readAt)]);
    } finally {
      await consumer.disconnect();
    }
  }

  return {
    async list() {
      const found: EventMessage[] = [];
      await read(`${GROUP}.${newId()}`, async (letter, partition) => {
        if (found.length < MAX_LISTED) found.push(toEventMessage(letters, partition, letter));
        return found.length < MAX_LISTED;
      });
      return found;
    },

    async replay() {
      let count = 0;
      await read(GROUP, async (letter, partition, consumer) => {
        const headers = Object.entries(toHeaderValues(letter.headers ?? {})).filter(([name]) => !name.startsWith(MARK));
        await publisher.forward([
          { topic, key: letter.key, value: letter.value, headers: Object.fromEntries(headers) },
        ]);
        const offset = String(BigInt(letter.offset) + 1n);
        await consumer.commitOffsets([{ topic: letters, partition, offset }]);
        count += 1;
        return true;
      });
      return count;
    },
  };
}

async function failWhenIdle(idleMs: () => number): Promise<never> {
  while (idleMs() < IDLE_MS) await sleep(1_000, undefined, { ref: false });
  throw new Error('Kafka gave no more of the dead letters');
}
