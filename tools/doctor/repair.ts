import { serviceNames } from '@survey/local/stack/services';
import type { Backend } from '@survey/proto/catalog';
import { ensureTopics, inspectTopics } from '@survey/runtime/kafka/topics';
import { createLog } from '@survey/runtime/log/create-log';
import { ensureIndexes, type IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { MongoClient } from 'mongodb';
import type { Installation } from '../admin/installation.ts';
import { createAdminKafka, topicSpecsOf } from './check-kafka.ts';
import { readServices, toKafkaConfig } from './doctor.ts';
import { inspectIndexes } from './inspect-indexes.ts';

interface Options {
  /** Expected indexes by name of the service. */
  readonly indexes: Readonly<Record<string, IndexSpecs>>;
  /** Without it, nothing is changed. */
  readonly execute: boolean;
}

/** Missing indexes and topics. With `execute`, they were created. */
interface Repair {
  /** Names of indexes, as `<database>.<collection>.<index>`. */
  readonly indexes: readonly string[];
  readonly topics: readonly string[];
  /** Services whose settings are not known here, so that their indexes and topics were not checked. */
  readonly unchecked: readonly string[];
}

/**
 * Creates missing indexes and topics, as set-up does, and does not change existing ones. Throws if MongoDB or Kafka
 * cannot be reached, or a service has invalid settings.
 */
export async function repair(installation: Installation, options: Options): Promise<Repair> {
  const { services, findings } = readServices(installation);
  const invalid = findings.filter(({ level }) => level === 'problem');
  if (invalid.length > 0) throw new Error(invalid.map(({ subject, detail }) => `${subject}: ${detail}`).join('\n'));
  const indexes: string[] = [];
  for (const { name, uri, database } of services)
    indexes.push(...(await repairIndexes(uri, database, options.indexes[name] ?? {}, options.execute)));
  const missingTopics = new Set<string>();
  for (const { name, config } of services)
    for (const topic of await repairTopics(name, toKafkaConfig(config), options.execute)) missingTopics.add(topic);
  const isChecked = (service: string) => services.some(({ name }) => name === service);
  return { indexes, topics: [...missingTopics], unchecked: serviceNames.filter((name) => !isChecked(name)) };
}

async function repairIndexes(uri: string, database: string, specs: IndexSpecs, execute: boolean): Promise<string[]> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000, writeConcern: { w: 'majority' } });
  try {
    const db = client.db(database);
    const found = await inspectIndexes(db, specs);
    const missing = found.filter(({ problem }) => problem === 'missing');
    const isMissing = (collection: string, name: string) =>
      missing.some((entry) => entry.collection === collection && entry.index === name);
    const missingSpecs = Object.entries(specs).map(([collection, indexes]) => [
      collection,
      indexes.filter(({ name }) => isMissing(collection, name)),
    ]);
    if (execute) await ensureIndexes(db, Object.fromEntries(missingSpecs));
    return missing.map(({ collection, index }) => `${database}.${collection}.${index}`);
  } finally {
    await client.close();
  }
}

/**
 * Finds and creates the missing topics of a service, with the credentials of the service: they may be limited to its
 * topics.
 */
async function repairTopics(
  name: Backend,
  config: ReturnType<typeof toKafkaConfig>,
  execute: boolean,
): Promise<readonly string[]> {
  const kafka = createAdminKafka(config);
  const specs = topicSpecsOf([name], config);
  const { missing } = await inspectTopics(kafka, specs);
  const missingSpecs = specs.filter(({ topic }) => missing.includes(topic));
  if (execute) await ensureTopics(kafka, missingSpecs, createLog({ service: 'admin', level: 'silent' }));
  return missing;
}
