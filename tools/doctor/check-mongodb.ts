import type { DataKeyDocument } from '@survey/runtime/crypto/data-key';
import { checkKeyring, type Keyring } from '@survey/runtime/crypto/keyring';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { type Db, type Document, MongoClient, MongoError, MongoServerError } from 'mongodb';
import { checkClock } from './check-clock.ts';
import { describeError, type Finding, ok, problem, RUN_SETUP, warning } from './finding.ts';
import { inspectIndexes } from './inspect-indexes.ts';

/** The database of a service. */
export interface ServiceDatabase {
  readonly service: string;
  readonly uri: string;
  readonly database: string;
  /** Undefined if it cannot be read. */
  readonly keyring: Keyring | undefined;
}

interface Options {
  /** Expected indexes by name of the service. */
  readonly indexes: Readonly<Record<string, IndexSpecs>>;
  readonly clock: () => Date;
  /** Timeout of a command, in milliseconds. Default: 30,000. */
  readonly commandTimeoutMs?: number;
}

/**
 * Major versions that MongoDB maintains, and versions past their end of life that the platform supports.
 * docs/operations.md lists the tested ones.
 */
const MAINTAINED = [7, 8];
const ENDED = [6];
const SELECTION_MS = 5_000;
/** Default timeout of a command. A server with a stuck disk still replies to `hello`, so only the command times out. */
const COMMAND_MS = 30_000;
const MAX_TRANSACTION_SECONDS = 10;

/** Checks the servers once for each connection string, and the database of each service. */
export async function checkMongodb(databases: readonly ServiceDatabase[], options: Options): Promise<Finding[]> {
  const byUri = Map.groupBy(databases, ({ uri }) => uri);
  return (await Promise.all([...byUri].map(([uri, group]) => checkServers(uri, group, options)))).flat();
}

async function checkServers(uri: string, databases: readonly ServiceDatabase[], options: Options): Promise<Finding[]> {
  const subject = `MongoDB of ${databases.map(({ service }) => service).join(', ')}`;
  let client: MongoClient;
  try {
    const { commandTimeoutMs: socketTimeoutMS = COMMAND_MS } = options;
    client = new MongoClient(uri, { serverSelectionTimeoutMS: SELECTION_MS, socketTimeoutMS });
  } catch (error) {
    return [problem(subject, describeError(error), 'correct the connection string in the Secret')];
  }
  const explainRejection = (error: unknown) => {
    if (!(error instanceof MongoServerError)) throw error;
    return [problem(subject, `rejects a command: ${describeError(error)}`, 'let its user run "hello" and "buildInfo"')];
  };
  try {
    await client.connect();
    return [
      ...(await inspectServers(client, subject, options).catch(explainRejection)),
      ...(await inspectDatabases(client, databases, options)),
    ];
  } catch (error) {
    return [await explainUnreachable(uri, subject, error)];
  } finally {
    await client.close();
  }
}

async function inspectServers(client: MongoClient, subject: string, { clock }: Options): Promise<Finding[]> {
  const admin = client.db('admin');
  const sentAt = clock();
  const hello = await admin.command({ hello: 1 });
  const receivedAt = clock();
  const { version } = await admin.command({ buildInfo: 1 });
  return [
    checkTopology(hello, subject),
    checkVersion(String(version), subject),
    checkClock(subject, { sentAt, receivedAt, remoteTime: hello['localTime'] as Date }),
    ...(await checkTransactions(admin, subject)),
  ];
}

/** @param hello reply of a server to the command `hello` */
export function checkTopology(hello: Document, subject: string): Finding {
  if (hello['msg'] === 'isdbgrid') return ok(subject, 'sharded cluster');
  if (hello['setName'] === undefined) return noReplicaSet(subject);
  // `passives` are members with priority 0.
  const members = ['hosts', 'passives', 'arbiters'].flatMap((kind) => hello[kind] ?? []).length;
  if (members >= 3) return ok(subject, `replica set with ${members} members`);
  return warning(
    subject,
    `replica set with ${members === 1 ? 'a single member' : `${members} members`}`,
    'use three members: with fewer, writes stop when one is lost',
  );
}

const noReplicaSet = (subject: string): Finding =>
  problem(
    subject,
    'the server is not a member of a replica set',
    'start mongod with --replSet and run rs.initiate(): events and transactions need a replica set',
  );

function checkVersion(version: string, subject: string): Finding {
  const major = Number(version.split('.')[0]);
  if (MAINTAINED.includes(major)) return ok(subject, `version ${version}`);
  if (ENDED.includes(major))
    return warning(
      subject,
      `version ${version} gets no more security fixes`,
      `upgrade to MongoDB ${MAINTAINED.at(-1)}`,
    );
  return problem(
    subject,
    `version ${version} is not supported`,
    `use MongoDB ${[...ENDED, ...MAINTAINED].join(', ')}: see docs/operations.md`,
  );
}

async function checkTransactions(admin: Db, subject: string): Promise<Finding[]> {
  const name = 'transactionLifetimeLimitSeconds';
  // The users of services usually may not read parameters.
  const reply = await admin.command({ getParameter: 1, [name]: 1 }).catch(() => undefined);
  const seconds: unknown = reply?.[name];
  if (typeof seconds !== 'number' || seconds <= MAX_TRANSACTION_SECONDS) return [];
  const detail = `${name} is ${seconds}, so a killed process blocks documents for that long`;
  return [warning(subject, detail, `start mongod with --setParameter ${name}=${MAX_TRANSACTION_SECONDS}`)];
}

async function inspectDatabases(
  client: MongoClient,
  databases: readonly ServiceDatabase[],
  { indexes }: Options,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { service, database, keyring } of databases) {
    const db = client.db(database);
    try {
      findings.push(...(await checkIndexes(db, `database of ${service}`, indexes[service] ?? {})));
      if (keyring !== undefined) findings.push(await checkDataKeys(db, `encryption keys of ${service}`, keyring));
    } catch (error) {
      const remedy =
        error instanceof MongoServerError
          ? 'give its user the role readWrite on this database'
          : 'see the log of MongoDB, and whether its disk is full or slow';
      findings.push(problem(`database of ${service}`, `cannot be read: ${describeError(error)}`, remedy));
    }
  }
  return findings;
}

async function checkIndexes(db: Db, subject: string, specs: IndexSpecs): Promise<Finding[]> {
  const found = await inspectIndexes(db, specs);
  const namesOf = (kind: 'missing' | 'different') =>
    found.filter(({ problem: state }) => state === kind).map(({ collection, index }) => `${collection}.${index}`);
  const [missing, different] = [namesOf('missing'), namesOf('different')];
  return [
    ...(missing.length === 0 ? [] : [problem(subject, `missing indexes: ${missing.join(', ')}`, RUN_SETUP)]),
    ...(different.length === 0
      ? []
      : [
          problem(
            subject,
            `indexes with another definition: ${different.join(', ')}`,
            `drop them at low load with mongosh, then ${RUN_SETUP}`,
          ),
        ]),
    ...(found.length === 0 ? [ok(subject, 'has all indexes')] : []),
  ];
}

/** Checks that the keyring opens all data keys. Throws errors of MongoDB, because they say nothing about the keys. */
export async function checkDataKeys(db: Db, subject: string, keyring: Keyring): Promise<Finding> {
  try {
    await checkKeyring(keyring, db.collection<DataKeyDocument>('data_keys'));
    return ok(subject, `can open all data keys; the active encryption key is ${keyring.active}`);
  } catch (error) {
    if (error instanceof MongoError) throw error;
    const remedy = 'restore these keys in the keyring Secret from your copy: without them, answers cannot be decrypted';
    return problem(subject, describeError(error), remedy);
  }
}

/** Finds the reason why no primary was found, by asking one server directly. */
async function explainUnreachable(uri: string, subject: string, error: unknown): Promise<Finding> {
  const detail = describeError(error);
  if (/authentication failed|bad auth/i.test(detail))
    return problem(subject, detail, 'correct user and password in the connection string of the Secret');
  if (/certificate|SSL|TLS/i.test(detail))
    return problem(subject, detail, 'check tls and tlsCAFile of the connection string, and the certificate');
  if (await isStandalone(uri)) return noReplicaSet(subject);
  const remedy =
    'check that its servers run and have a primary, the addresses and replicaSet of the connection string, DNS and NetworkPolicies';
  return problem(subject, `cannot be reached: ${detail}`, remedy);
}

/** Asks the server directly, without `replicaSet`. Returns false for connection strings with several hosts or SRV. */
async function isStandalone(uri: string): Promise<boolean> {
  const [address, ...rest] = uri.replace(/([?&])replicaSet=[^&]*&?/, '$1').split('?');
  if (address === undefined || uri.startsWith('mongodb+srv:') || address.split('@').at(-1)?.includes(',')) return false;
  const options = { serverSelectionTimeoutMS: SELECTION_MS, directConnection: true };
  let client: MongoClient | undefined;
  try {
    // Throws if the connection string has options that contradict `directConnection`.
    client = new MongoClient([address, ...rest].join('?'), options);
    const hello = await client.db('admin').command({ hello: 1 });
    return hello['setName'] === undefined && hello['msg'] !== 'isdbgrid';
  } catch {
    return false;
  } finally {
    await client?.close();
  }
}
