import { setTimeout as sleep } from 'node:timers/promises';
import type { EachBatchPayload } from 'kafkajs';
import type { Logger } from 'pino';
import type { ConsumerMetrics } from './consumer-metrics.ts';
import { toDeadLetter } from './dead-letter.ts';
import { type EventMessage, toEventMessage } from './event-message.ts';
import type { OutgoingMessage, Publisher } from './publisher.ts';

/** What a consumer does with messages. */
export interface MessageHandler<T> {
  /** Reads a message. One that makes it throw goes to the dead letters, with the error's text as its cause. */
  decode(message: EventMessage): T;
  /**
   * Resolves when the effects of all of the events are durable. What it throws is logged, and it is called again with
   * the same events, after a pause that grows, until it resolves. Has to bear repeats; called for several partitions
   * at a time, for one of them in order.
   */
  handle(events: readonly T[]): Promise<void>;
}

type Batch = Pick<
  EachBatchPayload,
  'batch' | 'resolveOffset' | 'heartbeat' | 'commitOffsetsIfNecessary' | 'isRunning' | 'isStale'
>;

const CHUNK = 100;
const HEARTBEAT_MS = 3_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
const PAUSE_STEP_MS = 500;

/** kafkajs's `eachBatch`: moves the offset on only past what is durably handled or a dead letter. */
export function createBatchHandler<T>({
  handler,
  publisher,
  metrics,
  log,
}: {
  readonly handler: MessageHandler<T>;
  readonly publisher: Publisher;
  readonly metrics: ConsumerMetrics;
  readonly log: Logger;
}): (payload: Batch) => Promise<void> {
  /** Tries until the work is done; false when the consumer stops or loses the partition before. */
  async function untilDone(topic: string, work: () => Promise<void>, payload: Batch): Promise<boolean> {
    let pauseMs = FIRST_PAUSE_MS;
    while (payload.isRunning() && !payload.isStale()) {
      try {
        await withHeartbeats(work, payload);
        return true;
      } catch (error) {
        metrics.failed(topic);
        log.error({ err: error, topic, retry_in_ms: pauseMs }, 'events could not be handled, trying again');
      }
      await pause(pauseMs, payload);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
    return false;
  }

  /** The group would take the partitions away from a member that is silent while it works. */
  async function withHeartbeats(work: () => Promise<void>, { heartbeat }: Batch): Promise<void> {
    const timer = setInterval(() => {
      // A rebalance comes up again at the heartbeat after the chunk; the work cannot be interrupted.
      heartbeat().catch((error) => log.debug({ err: error }, 'heartbeat failed during work'));
    }, HEARTBEAT_MS);
    try {
      await work();
    } finally {
      clearInterval(timer);
    }
  }

  function read(messages: readonly EventMessage[]): { events: T[]; deadLetters: OutgoingMessage[] } {
    const events: T[] = [];
    const deadLetters: OutgoingMessage[] = [];
    for (const message of messages) {
      try {
        events.push(handler.decode(message));
      } catch (error) {
        const { topic, partition, offset } = message;
        log.error({ err: error, topic, partition, offset }, 'event cannot be read, it goes to the dead letters');
        metrics.deadLettered(topic);
        deadLetters.push(toDeadLetter(message, error));
      }
    }
    return { events, deadLetters };
  }

  async function handleChunk(messages: readonly EventMessage[], topic: string, payload: Batch): Promise<boolean> {
    const { events, deadLetters } = read(messages);
    const isOver = await untilDone(topic, () => publisher.publish(deadLetters), payload);
    return isOver && (events.length === 0 || untilDone(topic, () => handler.handle(events), payload));
  }

  return async function eachBatch(payload) {
    const { topic, partition, highWatermark, messages } = payload.batch;
    for (let start = 0; start < messages.length; start += CHUNK) {
      const chunk = messages.slice(start, start + CHUNK).map((message) => toEventMessage(topic, partition, message));
      const [first, last] = [chunk[0], chunk.at(-1)];
      if (first === undefined || last === undefined) return;
      metrics.lag(topic, partition, BigInt(highWatermark) - BigInt(first.offset));
      if (!(await handleChunk(chunk, topic, payload))) return;
      payload.resolveOffset(last.offset);
      metrics.lag(topic, partition, BigInt(highWatermark) - BigInt(last.offset) - 1n);
      await payload.commitOffsetsIfNecessary();
      await payload.heartbeat();
    }
  };
}

/** Waits in steps: the heartbeats go on, and a consumer that stops is not held up. */
async function pause(ms: number, { isRunning, heartbeat }: Batch): Promise<void> {
  for (let left = ms; left > 0 && isRunning(); left -= PAUSE_STEP_MS) {
    await sleep(Math.min(left, PAUSE_STEP_MS));
    await heartbeat();
  }
}
