import { setTimeout as sleep } from 'node:timers/promises';
import {
  DEAD_LETTER_GROUP,
  DEAD_LETTER_HEADER_PREFIX,
  type DeadLetterRange,
  findDeadLetters,
} from '@survey/runtime/kafka/dead-letters';
import { type EventMessage, toEventMessage, toHeaderValues } from '@survey/runtime/kafka/event-message';
import { type createKafka, retryWhileLoading, withAdmin } from '@survey/runtime/kafka/kafka-client';
import type { Publisher } from '@survey/runtime/kafka/publisher';
import { deadLetterTopic } from '@survey/runtime/kafka/topics';

type Kafka = ReturnType<typeof createKafka>;
type Consumer = ReturnType<Kafka['consumer']>;
type KafkaMessage = Parameters<typeof toEventMessage>[2];

/** Dead letters of a topic, for operators. Kafka's retention deletes them. */
export interface DeadLetters {
  /**
   * Lists up to 100 dead letters that were not replayed, oldest first in each partition. The headers
   * `dead_letter_topic`, `_partition`, `_offset`, `_group` and `_cause` contain the origin and the cause.
   */
  list(): Promise<readonly EventMessage[]>;
  /**
   * Republishes all dead letters that were not replayed to their topic, unchanged, for all of its consumers. Returns
   * their number. A message that fails again becomes a new dead letter. If a replay is interrupted, the next one may
   * repeat the last messages.
   */
  replay(): Promise<number>;
  /**
   * Discards the oldest waiting dead letter of a partition without reading it, so that an unreadable one blocks no
   * replay. Rejects if another offset is the oldest.
   */
  discard(letter: { readonly partition: number; readonly offset: string }): Promise<void>;
}

const MAX_LISTED = 100;
const IDLE_MS = 60_000;

/** @param topic the original topic, such as `survey.events`, not the topic of dead letters */
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
  const letterTopic = deadLetterTopic(topic);

  async function loadRanges(): Promise<Map<number, DeadLetterRange>> {
    return withAdmin(kafka, (admin) => retryWhileLoading(() => findDeadLetters(admin, letterTopic)));
  }

  /** Reads the current dead letters until `handle` resolves to false. */
  async function read(
    groupId: string,
    handle: (letter: KafkaMessage, partition: number, consumer: Consumer) => Promise<boolean>,
  ): Promise<void> {
    const ranges = await loadRanges();
    if (ranges.size === 0) return;
    const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 100 });
    const finished = Promise.withResolvers<void>();
    consumer.on('consumer.crash', ({ payload }) => finished.reject(payload.error));
    let readAt = performance.now();
    try {
      await consumer.connect();
      await consumer.subscribe({ topic: letterTopic, fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachMessage: async ({ partition, message }) => {
          readAt = performance.now();
          const range = ranges.get(partition);
          const offset = BigInt(message.offset);
          // Skip messages that were replayed before, or came after the start.
          if (range === undefined || offset < range.next || offset >= range.end) return;
          const wantsMore = await handle(message, partition, consumer);
          range.next = offset + 1n;
          if (range.next >= range.end) ranges.delete(partition);
          if (ranges.size === 0 || !wantsMore) finished.resolve();
        },
      });
      await Promise.race([finished.promise, failWhenIdle(() => performance.now() - readAt)]);
    } finally {
      await consumer.disconnect();
    }
  }

  return {
    async list() {
      const found: EventMessage[] = [];
      await read(`${DEAD_LETTER_GROUP}.${newId()}`, async (letter, partition) => {
        if (found.length < MAX_LISTED) found.push(toEventMessage(letterTopic, partition, letter));
        return found.length < MAX_LISTED;
      });
      return found;
    },

    async replay() {
      let count = 0;
      await read(DEAD_LETTER_GROUP, async (letter, partition, consumer) => {
        const headers = Object.entries(toHeaderValues(letter.headers ?? {})).filter(
          ([name]) => !name.startsWith(DEAD_LETTER_HEADER_PREFIX),
        );
        await publisher.forward([
          { topic, key: letter.key, value: letter.value, headers: Object.fromEntries(headers) },
        ]);
        const offset = String(BigInt(letter.offset) + 1n);
        await consumer.commitOffsets([{ topic: letterTopic, partition, offset }]);
        count += 1;
        return true;
      });
      return count;
    },

    async discard({ partition, offset }) {
      const next = (await loadRanges()).get(partition)?.next;
      if (next === undefined) throw new Error(`no dead letter waits in partition ${partition}`);
      if (String(next) !== offset) throw new Error(`the oldest waiting dead letter has the offset ${next}`);
      const partitions = [{ partition, offset: String(next + 1n) }];
      await withAdmin(kafka, (admin) =>
        admin.setOffsets({ groupId: DEAD_LETTER_GROUP, topic: letterTopic, partitions }),
      );
    },
  };
}

async function failWhenIdle(idleMs: () => number): Promise<never> {
  while (idleMs() < IDLE_MS) await sleep(1_000, undefined, { ref: false });
  throw new Error('Kafka returned no more dead letters before the timeout');
}
