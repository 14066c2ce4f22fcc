import { randomUUID } from 'node:crypto';
import { UsageError } from '@survey/local/process/command-line';
import { type Backend, topics } from '@survey/proto/catalog';
import { kafkaSettings } from '@survey/runtime/config/kafka-settings';
import { readConfig } from '@survey/runtime/config/settings';
import type { EventMessage } from '@survey/runtime/kafka/event-message';
import { createKafka } from '@survey/runtime/kafka/kafka-client';
import { toKafkaSecurity } from '@survey/runtime/kafka/kafka-security';
import { createPublisher } from '@survey/runtime/kafka/publisher';
import { createLog } from '@survey/runtime/log/create-log';
import { type Command, loadCurrent, type Values } from './command.ts';
import { loadCommandConfig } from './command-config.ts';
import { consumerGroupsOf, consumerOf } from './consumer-groups.ts';
import { createDeadLetters, type DeadLetters } from './dead-letters.ts';
import { resetOffsets } from './reset-offsets.ts';

/** Commands about dead letters, and about the offsets of consumers. */
export const kafkaCommands: Readonly<Record<string, Command>> = {
  'dead-letters list': {
    required: ['topic'],
    optional: ['command-config'],
    run: async (values) => ({
      dead_letters: (await withDeadLetters(values, (letters) => letters.list())).map(toListedDeadLetter),
    }),
  },
  'dead-letters replay': {
    required: ['topic'],
    optional: ['command-config'],
    run: async (values) => ({ replayed: await withDeadLetters(values, (letters) => letters.replay()) }),
  },
  'dead-letters discard': {
    required: ['topic', 'partition', 'offset'],
    optional: ['command-config'],
    async run(values) {
      const { partition = '', offset = '' } = values;
      if (!/^\d{1,9}$/.test(partition) || !/^\d{1,19}$/.test(offset))
        throw new UsageError('--partition and --offset must be numbers');
      await withDeadLetters(values, (letters) => letters.discard({ partition: Number(partition), offset }));
      return { discarded: 1 };
    },
  },
  'offsets reset': {
    required: ['to-datetime'],
    optional: ['execute', 'command-config'],
    async run({ 'to-datetime': time = '', execute = false, 'command-config': file }) {
      const to = toTime(time);
      const { kafka, installation } = await connectKafka(file);
      const groups = consumerGroupsOf(installation);
      return { executed: execute, offsets: await resetOffsets(kafka, { groups, to, execute }) };
    },
  },
};

async function withDeadLetters<T>(
  { topic, 'command-config': file }: Values,
  action: (letters: DeadLetters) => Promise<T>,
): Promise<T> {
  const knownTopic = Object.values(topics).find((name) => name === topic);
  if (knownTopic === undefined) throw new UsageError(`--topic must be one of ${Object.values(topics).join(', ')}`);
  const { kafka } = await connectKafka(file, consumerOf(knownTopic));
  const publisher = createPublisher({ kafka });
  try {
    return await action(createDeadLetters({ kafka, publisher, topic: knownTopic, newId: randomUUID }));
  } finally {
    await publisher.close();
  }
}

/**
 * Creates a Kafka client. Its settings come from the file, else from the variables of this process if they name
 * brokers, else from the installation.
 *
 * @param file value of `--command-config`. If it has no brokers, those of the installation are used
 * @param service the service of the installation whose Kafka variables are used
 */
async function connectKafka(file: string | undefined, service: Backend = 'identity') {
  const given = file === undefined ? process.env : await loadCommandConfig(file);
  const complete = given['KAFKA_BROKERS'] ? given : undefined;
  const installation = await loadCurrent().catch((error: unknown) => {
    // Settings with brokers are complete without an installation.
    if (complete === undefined) throw error;
    return undefined;
  });
  const installed = installation?.processes[service]?.env ?? {};
  // A file has all security settings, so those of the installation must not be added. Only the addresses may be
  // missing.
  const { KAFKA_BROKERS = '' } = installed;
  const config = readConfig(kafkaSettings, complete ?? (file === undefined ? installed : { ...given, KAFKA_BROKERS }));
  const kafka = createKafka({
    brokers: config.kafkaBrokers,
    clientId: 'admin',
    security: toKafkaSecurity(config),
    log: createLog({ service: 'admin', level: 'silent' }),
  });
  return { kafka, installation };
}

/** Omits the value, which may contain personal data. Operators can read it in Kafka at the given offset. */
function toListedDeadLetter({ partition, offset, key, headers }: EventMessage): object {
  const metadata = Object.entries(headers).filter(([name]) => /^(ce|dead_letter)_/.test(name));
  return { partition, offset, key, ...Object.fromEntries(metadata) };
}

/** Parses a time that names its zone. */
function toTime(text: string): Date {
  const time = new Date(text);
  if (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new UsageError(`--to-datetime is a time with a zone, such as 2026-11-22T03:00:00Z, not ${text}`);
}
