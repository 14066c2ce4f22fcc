import { setTimeout as sleepFor } from 'node:timers/promises';
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { Logger } from 'pino';
import { startInterval } from '../flow/interval.ts';
import { type Retried, retry } from '../flow/retry.ts';
import { maySucceedLater } from '../mongo/mongo-errors.ts';
import { inMessageSpans } from '../telemetry/message-spans.ts';
import type { ConsumerMetrics, DeadLetterKind } from './consumer-metrics.ts';
import { toDeadLetter } from './dead-letters.ts';
import { type EventMessage, toEventMessage } from './event-message.ts';
import type { Publisher } from './publisher.ts';

/** Decodes and handles the messages of a consumer. */
export interface MessageHandler<T> {
  /** Decodes a message. If it throws, the message becomes a dead letter with the text of the error as the cause. */
  decode(message: EventMessage): T;
  /**
   * Handles events, and resolves when their effects are durable. It must be idempotent: events may be repeated.
   * Partitions run concurrently, each in order. Errors of an outage (`maySucceedLater`) are retried with backoff until
   * the outage ends. After another error, each event is retried alone, and becomes a dead letter if it still fails.
   */
  handle(events: readonly T[]): Promise<void>;
}

interface DecodedMessage<T> {
  readonly message: KafkaMessage;
  readonly event: T;
}

interface FailedMessage {
  readonly message: KafkaMessage;
  readonly cause: unknown;
}

/** Messages that are handled at once. Their offsets are resolved together. */
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

/**
 * Implements `eachBatch` of kafkajs. An offset is resolved only when its message is handled or stored as a dead letter.
 */
export function createBatchHandler<T>(options: Options<T>): (batch: BatchPayload) => Promise<void> {
  const { group, handler, publisher, metrics, log } = options;
  const retryWork = createRetryWork(options);
  /** The number of failing events in a row, over all partitions. */
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

  /** Stores dead letters, with retries. Resolves to false if the consumer stops first. */
  async function sendDeadLetters(
    kind: DeadLetterKind,
    failed: readonly FailedMessage[],
    batch: BatchPayload,
  ): Promise<boolean> {
    const { topic, partition } = batch.batch;
    const deadLetters = failed.map(({ message, cause }) => toDeadLetter(message, { topic, partition, group, cause }));
    const { kind: end } = await retryWork(() => publisher.forward(deadLetters), batch, neverGiveUp);
    if (end !== 'done') return false;
    for (const { message, cause } of failed) {
      log.error({ err: cause, topic, partition, offset: message.offset, kind }, 'message moved to the dead letters');
      metrics.deadLettered(topic, kind);
    }
    return true;
  }

  async function handleAll(decoded: readonly DecodedMessage<T>[], batch: BatchPayload): Promise<boolean> {
    if (decoded.length === 0) return true;
    const work = () => handler.handle(decoded.map(({ event }) => event));
    const { kind: end } = await retryWork(work, batch, giveUpAtOnce);
    if (end === 'done') failingInARow = 0;
    return end === 'failed' ? handleOneByOne(decoded, batch) : end === 'done';
  }

  async function handleOneByOne(decoded: readonly DecodedMessage<T>[], batch: BatchPayload): Promise<boolean> {
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

  async function handleChunk(chunk: readonly KafkaMessage[], messages: readonly EventMessage[], batch: BatchPayload) {
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

/** The members of kafkajs's payload that handling a batch needs. */
export type BatchPayload = Pick<EachBatchPayload, 'batch' | 'resolveOffset' | 'heartbeat' | 'isRunning' | 'isStale'>;

/** Interval of heartbeats during work. kafkajs skips a heartbeat that comes too early for its own interval. */
const HEARTBEAT_MS = 200;
const BACKOFF = { firstMs: 200, maxMs: 5_000 };
const PAUSE_STEP_MS = 500;
const neverGiveUp = () => false;
const giveUpAtOnce = () => true;

function createRetryWork({ metrics, log, sleep = sleepFor }: Pick<Options<unknown>, 'metrics' | 'log' | 'sleep'>) {
  /** Sends heartbeats during work. Without heartbeats, the group would give the partitions to another member. */
  async function withHeartbeats(work: () => Promise<void>, { heartbeat }: BatchPayload): Promise<void> {
    const heartbeats = startInterval({
      everyMs: HEARTBEAT_MS,
      call: heartbeat,
      // Only log failures: after a rebalance, the heartbeat after the work fails too.
      onError: (error) => log.debug({ err: error }, 'cannot send a heartbeat during work'),
    });
    try {
      await work();
    } finally {
      heartbeats.stop();
    }
  }

  /** Pauses in steps, to send heartbeats and to end early when the consumer stops. */
  async function pause(ms: number, { isRunning, heartbeat }: BatchPayload): Promise<void> {
    for (let left = ms; left > 0 && isRunning(); left -= PAUSE_STEP_MS) {
      await sleep(Math.min(left, PAUSE_STEP_MS));
      await heartbeat();
    }
  }

  /**
   * Runs work until it succeeds, with backoff. An outage is retried without limit. After each other failure,
   * `shouldGiveUp` decides, by the number of these failures.
   */
  return async function retryWork(
    work: () => Promise<void>,
    batch: BatchPayload,
    shouldGiveUp: (failures: number) => boolean,
  ): Promise<Retried<void>> {
    const { topic, partition } = batch.batch;
    let workFailures = 0;
    return retry(() => withHeartbeats(work, batch), {
      backoff: BACKOFF,
      isStopped: () => !batch.isRunning() || batch.isStale(),
      shouldRetry(error) {
        metrics.failed(topic);
        if (!maySucceedLater(error)) workFailures += 1;
        return maySucceedLater(error) || !shouldGiveUp(workFailures);
      },
      async pause(ms, error) {
        log.error({ err: error, topic, partition, retry_in_ms: ms }, 'cannot handle messages, retrying');
        await pause(ms, batch);
      },
    });
  };
}
