import { setTimeout as sleep } from 'node:timers/promises';
import { type Admin, Kafka, type LogEntry, logLevel } from 'kafkajs';
// @ts-expect-error kafkajs has no types for this class. The method that is replaced is checked.
import KafkaRequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import type { Logger } from 'pino';
import { createSingleFlight } from '../flow/memoize.ts';
import { retry } from '../flow/retry.ts';
import type { KafkaSecurity } from './kafka-security.ts';

/**
 * Creates the Kafka client of a process. Its producers, consumers and admins retry little, because callers retry.
 *
 * @param brokers bootstrap servers, host:port
 * @param security default: plain text, without authentication
 */
export function createKafka({
  brokers,
  clientId,
  security = {},
  log,
}: {
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly security?: KafkaSecurity;
  readonly log: Logger;
}): Kafka {
  patchRequestQueue();
  return new Kafka({
    ...security,
    brokers: [...brokers],
    clientId,
    connectionTimeout: 3_000,
    requestTimeout: 20_000,
    retry: { initialRetryTime: 200, maxRetryTime: 2_000, retries: 4 },
    logLevel: logLevel.INFO,
    logCreator: () => (entry) => writeEntry(log, entry),
  });
}

/** Runs work with an admin client of its own. */
export async function withAdmin<T>(kafka: Kafka, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

/** Logs INFO as debug. Logs errors as warnings, because callers also get every final failure as an exception. */
function writeEntry(log: Logger, { namespace, level, log: { message, timestamp, ...fields } }: LogEntry): void {
  const write = level === logLevel.INFO ? 'debug' : 'warn';
  log[write]({ kafka: { namespace, ...fields } }, `kafkajs: ${message}`);
}

/** Checks Kafka over a connection of its own, so that the result does not depend on the load of the publisher. */
export function createKafkaCheck(kafka: Kafka) {
  let admin: Admin | undefined;

  const check = createSingleFlight(async () => {
    try {
      admin ??= kafka.admin({ retry: { retries: 0 } });
      await admin.connect();
      await admin.describeCluster();
    } catch (error) {
      await disconnect();
      throw error;
    }
  });

  async function disconnect(): Promise<void> {
    const previous = admin;
    admin = undefined;
    await previous?.disconnect();
  }

  return {
    /** Rejects if no broker replies. Concurrent calls share one request. */
    check: () => check(),
    async close(): Promise<void> {
      // Ignore an error here: the caller of the running check gets it.
      if (check.isRunning()) await check().catch(() => undefined);
      await disconnect();
    },
  };
}

/** The members of kafkajs's class that the patch uses. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

const PATCHED = Symbol.for('survey.patched');

/**
 * Fixes a timer of kafkajs 2.2.4 (https://github.com/tulios/kafkajs/issues/1751), once per process. Its delay is
 * negative while the client is not throttled. Node.js warns and uses 1 ms instead, so the timer fires forever. The
 * patch starts the timer only while requests wait. Throws if kafkajs's code has changed: it may not need the patch any
 * more.
 */
export function patchRequestQueue(): void {
  const { prototype } = KafkaRequestQueue as { readonly prototype: RequestQueue };
  if (Object.hasOwn(prototype, PATCHED)) return;
  const original = prototype.scheduleCheckPendingRequests;
  if (!String(original).includes('this.throttledUntil - Date.now()'))
    throw new Error('kafkajs has changed: see whether its RequestQueue still needs the patch');
  prototype.scheduleCheckPendingRequests = function scheduleWhenPending() {
    if (this.pending.length > 0) original.call(this);
  };
  Object.defineProperty(prototype, PATCHED, { value: true, configurable: true });
}

const LOADING_BACKOFF = { firstMs: 100, maxMs: 1_000 };
const MAX_LOADING_TRIES = 12;

/**
 * Reads offsets of a consumer group for an operator. Retries for about ten seconds while the coordinator of the group
 * is loading, as after the start of a broker: kafkajs's admin client does not retry.
 */
export async function retryWhileLoading<T>(read: () => Promise<T>): Promise<T> {
  const isLoading = (error: unknown) =>
    error instanceof Error && 'type' in error && error.type === 'GROUP_LOAD_IN_PROGRESS';
  const result = await retry(read, {
    backoff: LOADING_BACKOFF,
    shouldRetry: (error, failures) => isLoading(error) && failures < MAX_LOADING_TRIES,
    pause: (ms) => sleep(ms),
    isStopped: () => false,
  });
  if (result.kind === 'done') return result.value;
  throw result.kind === 'failed' ? result.error : new Error('unreachable: the retry is never stopped');
}
