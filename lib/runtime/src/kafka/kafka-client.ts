import { type Admin, Kafka, type LogEntry, logLevel } from 'kafkajs';
import type { Logger } from 'pino';
import { createSingleFlight } from '../flow/single-flight.ts';
import type { KafkaSecurity } from './kafka-security.ts';
import { patchRequestQueue } from './request-queue-patch.ts';

/**
 * Creates the Kafka client of a process. It connects when one of its producers, consumers or admins does. It retries
 * little, because callers retry.
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

/** Logs INFO as debug. Logs errors as warnings, because callers also get every final failure as an exception. */
function writeEntry(log: Logger, { namespace, level, log: { message, timestamp, ...fields } }: LogEntry): void {
  const write = level === logLevel.INFO ? 'debug' : 'warn';
  log[write]({ kafka: { namespace, ...fields } }, `kafkajs: ${message}`);
}

export interface KafkaCheck {
  /** Resolves if a broker replies, rejects otherwise. Concurrent calls share one request. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Checks Kafka over a connection of its own, so that the result does not depend on the load of the publisher. */
export function createKafkaCheck(kafka: Kafka): KafkaCheck {
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
    check: () => check(),
    async close() {
      // Ignore an error here: the caller of the running check gets it.
      if (check.isRunning()) await check().catch(() => undefined);
      await disconnect();
    },
  };
}
