import { Kafka, type LogEntry, logLevel } from 'kafkajs';
import type { Logger } from 'pino';
import type { KafkaSecurity } from './kafka-security.ts';
import { patchRecords } from './record-patch.ts';
import { patchRequestQueue } from './request-queue-patch.ts';

/**
 * The Kafka client of a process; it connects when a producer, consumer or admin of it does. Its retries are few: who
 * calls tries again, and has more to say about it.
 *
 * @param brokers bootstrap servers, host:port
 * @param security plain text when absent
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
  patchRecords();
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

/** One step quieter than kafkajs has it: what it cannot mend itself reaches its caller as an error. */
function writeEntry(log: Logger, { namespace, level, log: { message, timestamp, ...fields } }: LogEntry): void {
  const write = level === logLevel.INFO ? 'debug' : 'warn';
  log[write]({ kafka: { namespace, ...fields } }, `kafkajs: ${message}`);
}
