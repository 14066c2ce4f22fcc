import type { KafkaMessage } from 'kafkajs';
import type { Logger } from 'pino';
import { inMessageSpans } from '../telemetry/message-spans.ts';
import { type Batch, createAttempt } from './attempts.ts';
import type { ConsumerMetrics, DeadLetterKind } from './consumer-metrics.ts';
import { toDeadLetter } from './dead-letter.ts';
import { type EventMessage, toEventMessage } from './event-message.ts';
import type { Publisher } from './publisher.ts';

/** What a consumer does with messages. */
export interface MessageHandler<T> {
  /** Reads a message. One that makes it throw goes to the dead letters, with the error's text as its cause. */
  decode(message: EventMessage): T;
  /**
   * Resolves when the effects of all of the events are durable. When it throws an outage (`isOutage`), it is called
   * again with the same events, after a pause that grows, until it resolves. When it throws anything else, it gets the
   * events one by one, and the one that goes on failing goes to the dead letters. Has to bear repeats; called for
   * several partitions at a time, for one of them in order.
   */
  handle(events: readonly T[]): Promise<void>;
}

/** A message with what was made of it. */
interface Read<T> {
  readonly message: KafkaMessage;
  readonly event: T;
}

/** A message with why it cannot be handled. */
interface Lost {
  readonly message: KafkaMessage;
  readonly cause: unknown;
}

const CHUNK = 100;
/** How often an event may fail by itself, in about six seconds. */
const TRIES = 6;
/** Events that fail one after the other, none handled in between: by then the fault is not theirs. */
const MOST_FAILING_IN_A_ROW = 10;

interface Options<T> {
  readonly group: string;
  readonly handler: MessageHandler<T>;
  readonly publisher: Pick<Publisher, 'forward'>;
  readonly metrics: ConsumerMetrics;
  readonly log: Logger;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** kafkajs's `eachBatch`: moves the offset on only past what is durably handled or a dead letter. */
export function createBatchHandler<T>(options: Options<T>): (batch: Batch) => Promise<void> {
  const { group, handler, publisher, metrics, log } = options;
  const attempt = createAttempt(options);
  /** Of all partitions. */
  let failingInARow = 0;

  function read(chunk: readonly KafkaMessage[], seen: readonly EventMessage[]): { events: Read<T>[]; lost: Lost[] } {
    const events: Read<T>[] = [];
    const lost: Lost[] = [];
    for (const [index, message] of chunk.entries()) {
      try {
        // As many as messages.
        events.push({ message, event: handler.decode(seen[index] as EventMessage) });
      } catch (cause) {
        lost.push({ message, cause });
      }
    }
    return { events, lost };
  }

  /** Resolves to true when the dead letters are out, and they are tried until then. */
  async function bury(kind: DeadLetterKind, lost: readonly Lost[], batch: Batch): Promise<boolean> {
    const { topic, partition } = batch.batch;
    const letters = lost.map(({ message, cause }) => toDeadLetter(message, { topic, partition, group, cause }));
    const { kind: end } = await attempt(
      () => publisher.forward(letters),
      batch,
      () => false,
    );
    if (end !== 'done') return false;
    for (const { message, cause } of lost) {
      log.error({ err: cause, topic, partition, offset: message.offset, kind }, 'message moved to the dead letters');
      metrics.deadLettered(topic, kind);
    }
    return true;
  }

  async function handleAll(read: readonly Read<T>[], batch: Batch): Promise<boolean> {
    if (read.length === 0) return true;
    const work = () => handler.handle(read.map(({ event }) => event));
    const { kind: end } = await attempt(work, batch, () => true);
    if (end === 'done') failingInARow = 0;
    return end === 'failed' ? handleOneByOne(read, batch) : end === 'done';
  }

  async function handleOneByOne(read: readonly Read<T>[], batch: Batch): Promise<boolean> {
    for (const { message, event } of read) {
      const isEnough = (failures: number) => failures >= TRIES && failingInARow < MOST_FAILING_IN_A_ROW;
      const outcome = await attempt(() => handler.handle([event]), batch, isEnough);
      if (outcome.kind === 'stopped') return false;
      failingInARow = outcome.kind === 'done' ? 0 : failingInARow + 1;
      if (outcome.kind === 'failed' && !(await bury('failing', [{ message, cause: outcome.error }], batch)))
        return false;
      batch.resolveOffset(message.offset);
      await batch.heartbeat();
    }
    return true;
  }

  async function handleChunk(chunk: readonly KafkaMessage[], seen: readonly EventMessage[], batch: Batch) {
    const { events, lost } = read(chunk, seen);
    return (await bury('unreadable', lost, batch)) && (await handleAll(events, batch));
  }

  return async function eachBatch(batch) {
    const { topic, partition, messages } = batch.batch;
    for (let start = 0; start < messages.length; start += CHUNK) {
      const chunk = messages.slice(start, start + CHUNK);
      const seen = chunk.map((message) => toEventMessage(topic, partition, message));
      const isDone = await inMessageSpans('process', seen, (traced) => handleChunk(chunk, traced, batch));
      if (!isDone) return;
      batch.resolveOffset(chunk.at(-1)?.offset ?? '');
      await batch.heartbeat();
    }
  };
}
