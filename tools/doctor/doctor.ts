import { readFile } from 'node:fs/promises';
import { toKeyFiles } from '@survey/local/stack/keys';
import { serviceNames } from '@survey/local/stack/services';
import type { Backend } from '@survey/proto/catalog';
import { processSettings, serviceSettings } from '@survey/runtime/config/common-settings';
import { kafkaSettings } from '@survey/runtime/config/kafka-settings';
import { type Config, ConfigError, readConfig } from '@survey/runtime/config/settings';
import { type Keyring, parseKeyring } from '@survey/runtime/crypto/keyring';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { databaseOf } from '../admin/consumer-groups.ts';
import { type Installation, type InstalledProcess, isUnknownVariable } from '../admin/installation.ts';
import { type AuthorityFile, type CertificateFiles, checkCertificates, peerCertificate } from './check-certificates.ts';
import { type Caller, checkInternalKeys } from './check-internal-keys.ts';
import { checkKafka } from './check-kafka.ts';
import { checkMongodb, type ServiceDatabase } from './check-mongodb.ts';
import { checkProcesses } from './check-processes.ts';
import { describeError, type Finding, ok, problem, warning } from './finding.ts';
import { settingsOf } from './process-settings.ts';

interface Options {
  readonly clock: () => Date;
  /** Version of this command. */
  readonly version: string;
  /** Expected indexes by name of the service. */
  readonly indexes: Readonly<Record<string, IndexSpecs>>;
}

/** Settings of the connections to MongoDB and Kafka. */
const connectionSettings = { mongodbUri: serviceSettings.mongodbUri, ...kafkaSettings };

/** A service whose connection settings are valid, so that its database and Kafka can be checked. */
export interface ReadableService {
  readonly name: Backend;
  readonly config: Config<typeof connectionSettings>;
  readonly uri: string;
  readonly database: string;
}

/** Default folder of Secrets. Connection strings can contain paths of files in it. */
const SECRETS = '/etc/survey/';

/** Variables of the connections to MongoDB and Kafka. */
const CONNECTIONS = [...Object.values(connectionSettings).map(({ env }) => env), 'MONGODB_DATABASE'];

/** Checks an installation from the outside and from its settings. Never throws: each failure is a finding. */
export async function examine(installation: Installation, options: Options): Promise<readonly Finding[]> {
  const { processes } = installation;
  const { services, findings } = readServices(installation);
  const { keyrings, findings: keyringFindings } = await readKeyrings(processes);
  const databases: readonly ServiceDatabase[] = services.map(({ name, uri, database }) => ({
    service: name,
    uri,
    database,
    keyring: keyrings.get(name),
  }));
  const groups = await Promise.all([
    checkMongodb(databases, options),
    checkKafka(services.map(({ name, config }) => ({ service: name, config: toKafkaConfig(config) }))),
    checkInternalKeys(toCallers(installation), toJwksFiles(processes)),
    checkCertificates(toCertificateFiles(installation), options.clock),
    checkProcesses(
      Object.entries(processes).map(([name, { admin, replicas }]) => ({ name, admin, replicas })),
      options,
    ),
  ]);
  return [...findings, ...keyringFindings, ...groups.flat()];
}

/**
 * Reads the settings of all processes, as the processes do. Returns a finding for each invalid setting, and the
 * services whose connection settings are valid and known here.
 */
export function readServices({ processes }: Pick<Installation, 'processes'>) {
  const services: ReadableService[] = [];
  const findings: Finding[] = [];
  for (const [name, process] of Object.entries(processes)) {
    const subject = `settings of ${name}`;
    if (process.unknown_env !== undefined) findings.push(explainUnknown(subject, process.unknown_env));
    const problems = findProblems(name, process);
    const service = serviceNames.find((serviceName) => serviceName === name);
    try {
      if (service !== undefined && !CONNECTIONS.some((variable) => isUnknownVariable(variable, process))) {
        const config = readConfig(connectionSettings, process.env);
        const uri = toUri(config.mongodbUri, process);
        services.push({ name: service, config, uri, database: databaseOf(service, { processes }) });
      }
    } catch (error) {
      // `findProblems` has already found the problems of a ConfigError.
      if (!(error instanceof ConfigError)) problems.push(describeError(error));
    }
    const remedy = 'correct the values of the chart or the Secrets';
    findings.push(...problems.map((text) => problem(subject, text, remedy)));
    const isComplete = process.unknown_env === undefined && process.is_partial !== true;
    if (problems.length === 0) findings.push(ok(subject, isComplete ? 'are valid' : 'are valid, as far as known here'));
  }
  return { services, findings };
}

/**
 * Returns the problems of the settings of a process, without secrets. `readKeyrings` reports problems of the keyring.
 */
function findProblems(name: string, process: InstalledProcess): string[] {
  const settings = Object.hasOwn(settingsOf, name) ? settingsOf[name as keyof typeof settingsOf] : processSettings;
  try {
    readConfig(settings, process.env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) return [describeError(error)];
    return error.problems
      .filter(({ variables: [first] }) => first !== 'ENCRYPTION_KEYRING')
      .filter(({ variables }) => variables.every((variable) => isKnown(variable, process)))
      .map(({ text }) => text);
  }
}

/** Whether this command knows the value of a variable, or its `_FILE` variable, or knows that neither is set. */
function isKnown(variable: string, process: InstalledProcess): boolean {
  if (isUnknownVariable(variable, process)) return false;
  const { env, unknown_env: unknown, is_partial: isPartial } = process;
  const isComplete = unknown?.others !== true && isPartial !== true;
  return isComplete || [variable, `${variable}_FILE`].some((name) => env[name]);
}

type UnknownEnv = NonNullable<InstalledProcess['unknown_env']>;

function explainUnknown(subject: string, { variables, others }: UnknownEnv): Finding {
  const names = [...variables, ...(others ? ['those of envFrom'] : [])].join(', ');
  const remedy = 'see the log of the process, in which it lists all invalid settings before it exits';
  return warning(subject, `not checkable here, because their values come from elsewhere: ${names}`, remedy);
}

/** The connection string with the paths of its files on this machine. */
function toUri(uri: string, { secrets_folder: folder }: InstalledProcess): string {
  if (folder === undefined) return uri;
  const replacements: readonly (readonly [from: string, to: string])[] = [
    [SECRETS, `${folder}/`],
    [encodeURIComponent(SECRETS), encodeURIComponent(`${folder}/`)],
  ];
  return replacements.reduce((text, [from, to]) => text.replaceAll(`=${from}`, () => `=${to}`), uri);
}

/** The Kafka settings of a service. Services with equal Kafka settings are checked together. */
export function toKafkaConfig(config: ReadableService['config']) {
  const entries = Object.entries(config).filter(([name]) => name.startsWith('kafka'));
  // The names of all settings of Kafka begin with `kafka`.
  return Object.fromEntries(entries) as unknown as Parameters<typeof checkKafka>[0][number]['config'];
}

async function readKeyrings(processes: Installation['processes']) {
  const keyrings = new Map<string, Keyring>();
  const findings: Finding[] = [];
  for (const name of serviceNames) {
    const subject = `encryption keys of ${name}`;
    const remedy = 'restore the Secret survey-encryption-keyring from your copy (docs/keys-and-certificates.md)';
    const process = processes[name];
    if (process !== undefined && !isKnown('ENCRYPTION_KEYRING', process)) continue;
    const { ENCRYPTION_KEYRING: text, ENCRYPTION_KEYRING_FILE: file } = process?.env ?? {};
    try {
      if (!text && !file) throw new Error('neither ENCRYPTION_KEYRING nor ENCRYPTION_KEYRING_FILE is set');
      keyrings.set(name, parseKeyring(text || (await readFile(file ?? '', 'utf8')).trim()));
    } catch (error) {
      findings.push(problem(subject, describeError(error), remedy));
    }
  }
  return { keyrings, findings };
}

function toCallers({ keys_folder: folder, processes }: Installation): readonly Caller[] {
  const processCallers = Object.entries(processes).flatMap(([name, { env }]) =>
    env['INTERNAL_KEY_FILE'] ? [{ name, keyFile: env['INTERNAL_KEY_FILE'] }] : [],
  );
  return [...processCallers, { name: 'operator', keyFile: toKeyFiles(folder).internalKeyOf('operator') }];
}

function toJwksFiles(processes: Installation['processes']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(processes).flatMap(([name, { env }]) =>
      env['INTERNAL_JWKS_FILE'] ? [[name, env['INTERNAL_JWKS_FILE']]] : [],
    ),
  );
}

function toCertificateFiles({ processes }: Installation): readonly (CertificateFiles | AuthorityFile)[] {
  const forwardedProcess = Object.values(processes).find(({ env, tls_name: tlsName }) => tlsName && env['TLS_DIR']);
  const folderOfOperator = forwardedProcess?.env['TLS_DIR'];
  return [
    ...(folderOfOperator ? [peerCertificate('this command', folderOfOperator, [])] : []),
    ...Object.entries(processes).flatMap(([name, { env, grpc, tls_name: tlsName }]) => {
      const { TLS_DIR: folder, KAFKA_TLS_CA_FILE: authorities } = env;
      const { KAFKA_TLS_CERT_FILE: certificate, KAFKA_TLS_KEY_FILE: key } = env;
      return [
        // This machine does not have the certificate of a process with a forwarded port.
        ...(folder && !tlsName ? [peerCertificate(name, folder, toHosts(name, grpc, processes))] : []),
        ...(authorities ? [{ subject: `CA of Kafka of ${name}`, authorities }] : []),
        ...(certificate && key ? [{ subject: `Kafka certificate of ${name}`, certificate, key }] : []),
      ];
    }),
  ];
}

/**
 * The host names by which other processes call a process: the host of its gRPC address, and those of `<NAME>_URL` with
 * HTTPS.
 */
function toHosts(name: string, grpc: string | undefined, processes: Installation['processes']): readonly string[] {
  const urls = Object.values(processes).map(({ env }) => env[`${name.toUpperCase()}_URL`]);
  const hosts = urls.flatMap((url) => (url?.startsWith('https:') && URL.canParse(url) ? [new URL(url).hostname] : []));
  return [...new Set([...(grpc === undefined ? [] : [grpc.replace(/:\d+$/, '')]), ...hosts])];
}
