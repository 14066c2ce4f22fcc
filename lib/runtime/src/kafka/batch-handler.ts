import type { KafkaMessage } from 'kafkajs';
import type { Logger } from 'pino';
import { inMessageSpans } from '../telemetry/message-spans.ts';
import type { ConsumerMetrics, DeadLetterKind } from './consumer-metrics.ts';
import { toDeadLetter } from './dead-letter.ts';
import { type EventMessage, toEventMessage } from './event-message.ts';
import type { Publisher } from './publisher.ts';
import { type Batch, createRetryWork } from './retry-work.ts';

/** Decodes and handles the messages of a consumer. */
export interface MessageHandler<T> {
  /** Decodes a message. If it throws, the message becomes a dead letter, with the error's text as the cause. */
  decode(message: EventMessage): T;
  /**
   * Handles events, and resolves when their effects are durable. It must be idempotent: events may be repeated.
   * Partitions run concurrently, each in order.
   * An outage (see `isOutage`) is retried with backoff until it ends. After another error, the events are retried one
   * by one, and those that still fail become dead letters.
   */
  handle(events: readonly T[]): Promise<void>;
}

interface DecodedMessage<T> {
  readonly message: KafkaMessage;
  readonly event: T;
}

/** A message that cannot be handled, and why. */
interface FailedMessage {
  readonly message: KafkaMessage;
  readonly cause: unknown;
}

const CHUNK = 100;
/** Tries of a single event, within about six seconds. */
const MAX_TRIES = 6;
/** After this many failing events in a row, assume an outage: retry without limit, and send no more dead letters. */
const MAX_FAILING_IN_A_ROW = 10;

interface Options<T> {
  readonly group: string;
  readonly handler: MessageHandler<T>;
  readonly publisher: Pick<Publisher, 'forward'>;
  readonly metrics: ConsumerMetrics;
  readonly log: Logger;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** Implements `eachBatch` of kafkajs. An offset is resolved only when its message is handled or a dead letter. */
export function createBatchHandler<T>(options: Options<T>): (batch: Batch) => Promise<void> {
  const { group, handler, publisher, metrics, log } = options;
  const retryWork = createRetryWork(options);
  /** Counts over all partitions. */
  let failingInARow = 0;

  function decodeAll(
    chunk: readonly KafkaMessage[],
    messages: readonly EventMessage[],
  ): { events: DecodedMessage<T>[]; unreadable: FailedMessage[] } {
    const events: DecodedMessage<T>[] = [];
    const unreadable: FailedMessage[] = [];
    for (const [index, message] of chunk.entries()) {
      try {
        // Both arrays have the same length.
        events.push({ message, event: handler.decode(messages[index] as EventMessage) });
      } catch (cause) {
        unreadable.push({ message, cause });
      }
    }
    return { events, unreadable };
  }

  /** Retries until the dead letters are stored. Resolves to false if the consumer stops before. */
  async function sendDeadLetters(
    kind: DeadLetterKind,
    failed: readonly FailedMessage[],
    batch: Batch,
  ): Promise<boolean> {
    const { topic, partition } = batch.batch;
    const deadLetters = failed.map(({ message, cause }) => toDeadLetter(message, { topic, partition, group, cause }));
    const { kind: end } = await retryWork(
      () => publisher.forward(deadLetters),
      batch,
      () => false,
    );
    if (end !== 'done') return false;
    for (const { message, cause } of failed) {
      log.error({ err: cause, topic, partition, offset: message.offset, kind }, 'message moved to the dead letters');
      metrics.deadLettered(topic, kind);
    }
    return true;
  }

  async function handleAll(decoded: readonly DecodedMessage<T>[], batch: Batch): Promise<boolean> {
    if (decoded.length === 0) return true;
    const work = () => handler.handle(decoded.map(({ event }) => event));
    const { kind: end } = await retryWork(work, batch, () => true);
    if (end === 'done') failingInARow = 0;
    return end === 'failed' ? handleOneByOne(decoded, batch) : end === 'done';
  }

  async function handleOneByOne(decoded: readonly DecodedMessage<T>[], batch: Batch): Promise<boolean> {
    for (const { message, event } of decoded) {
      const shouldGiveUp = (failures: number) => failures >= MAX_TRIES && failingInARow < MAX_FAILING_IN_A_ROW;
      const outcome = await retryWork(() => handler.handle([event]), batch, shouldGiveUp);
      if (outcome.kind === 'stopped') return false;
      failingInARow = outcome.kind === 'done' ? 0 : failingInARow + 1;
      if (outcome.kind === 'failed' && !(await sendDeadLetters('failing', [{ message, cause: outcome.error }], batch)))
        return false;
      batch.resolveOffset(message.offset);
      await batch.heartbeat();
    }
    return true;
  }

  async function handleChunk(chunk: readonly KafkaMessage[], messages: readonly EventMessage[], batch: Batch) {
    const { events, unreadable } = decodeAll(chunk, messages);
    return (await sendDeadLetters('unreadable', unreadable, batch)) && (await handleAll(events, batch));
  }

  return async function eachBatch(batch) {
    const { topic, partition, messages } = batch.batch;
    for (let start = 0; start < messages.length; start += CHUNK) {
      const chunk = messages.slice(start, start + CHUNK);
      const eventMessages = chunk.map((message) => toEventMessage(topic, partition, message));
      const isDone = await inMessageSpans(
        'process',
        eventMessages,
        (traced) => handleChunk(chunk, traced, batch),
        group,
      );
      if (!isDone) return;
      batch.resolveOffset(chunk.at(-1)?.offset ?? '');
      await batch.heartbeat();
    }
  };
}
