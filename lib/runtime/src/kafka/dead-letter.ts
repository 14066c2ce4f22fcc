import type { KafkaMessage } from 'kafkajs';
import { toHeaderValues } from './event-message.ts';
import type { ForwardedMessage } from './publisher.ts';
import { deadLetterTopic } from './topics.ts';

const MAX_CAUSE_LENGTH = 1_000;

/** The origin of a message that could not be handled, and why. */
interface DeadLetterOrigin {
  readonly topic: string;
  readonly partition: number;
  /** The consumer group that could not handle the message. */
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
      dead_letter_topic: topic,
      dead_letter_partition: String(partition),
      dead_letter_offset: message.offset,
      dead_letter_group: group,
      dead_letter_cause: text.slice(0, MAX_CAUSE_LENGTH),
    },
  };
}
