import type { EventMessage } from './event-message.ts';
import type { OutgoingMessage } from './publisher.ts';
import { deadLetterTopic } from './topics.ts';

const MAX_CAUSE_LENGTH = 1_000;

/** The message as it came, with headers that say where it was and why it could not be read. */
export function toDeadLetter(message: EventMessage, cause: unknown): OutgoingMessage {
  const { topic, partition, offset, key, value, headers } = message;
  const text = cause instanceof Error ? cause.message : String(cause);
  return {
    topic: deadLetterTopic(topic),
    key,
    value,
    headers: {
      ...headers,
      dead_letter_topic: topic,
      dead_letter_partition: String(partition),
      dead_letter_offset: offset,
      dead_letter_cause: text.slice(0, MAX_CAUSE_LENGTH),
    },
  };
}
