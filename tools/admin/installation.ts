import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { toPaths } from '@survey/local/stack/folder';
import { toKeyFiles } from '@survey/local/stack/keys';
import type { Variables } from '@survey/local/stack/plan-processes';
import { serviceNames } from '@survey/local/stack/services';
import { loadStackInfo, type StackInfo } from '@survey/local/stack/stack-file';
import type { Backend } from '@survey/proto/catalog';

/** A process of an installation, as an operator reaches it. */
export interface InstalledProcess {
  /** Base URL of its admin port; undefined if it cannot be reached from here. */
  readonly admin?: string;
  /** Address (host:port) of gRPC; undefined for the gateway. */
  readonly grpc?: string;
  /** Host name in its certificate, if it differs from the host of the address. */
  readonly tls_name?: string;
  /** Environment variables of the process. Their paths of files are valid on this machine. */
  readonly env: Variables;
  /** Variables that the process takes from elsewhere, so that their values are unknown here. */
  readonly unknown_env?: {
    readonly variables: readonly string[];
    /** Whether other variables may be unknown too. */
    readonly others: boolean;
  };
  /** Whether `env` lacks variables, because only the process itself knows them. */
  readonly is_partial?: boolean;
  /** Minimum number of processes that must be ready; undefined if it is not known. */
  readonly replicas?: number;
  /** Folder that replaces /etc/survey in the connection string of MongoDB. */
  readonly secrets_folder?: string;
}

/** The installation that `npm run admin` acts on. */
export interface Installation {
  /** Base URL of the public API. */
  readonly gateway: string;
  /** Folder with the private key of the operator, as `toKeyFiles` names it. */
  readonly keys_folder: string;
  /** By name of the process. */
  readonly processes: Readonly<Record<string, InstalledProcess>>;
}

/**
 * Loads the file in `SURVEY_INSTALLATION`, which the chart writes for the image `survey-admin`. Without it, describes
 * the stack that runs in the folder.
 */
export async function loadInstallation(folder: string, env: NodeJS.ProcessEnv): Promise<Installation> {
  const file = env['SURVEY_INSTALLATION'];
  if (!file) return fromStack(folder, await loadStackInfo(folder), env);
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Installation;
  } catch (cause) {
    throw new Error(`cannot read the description of the installation in ${file}`, { cause });
  }
}

/** Whether a process takes a variable, or its `_FILE` variable, from elsewhere, so that its value is unknown here. */
export function isUnknownVariable(
  variable: string,
  { unknown_env: unknown }: Pick<InstalledProcess, 'unknown_env'>,
): boolean {
  return [variable, `${variable}_FILE`].some((name) => unknown?.variables.includes(name));
}

/** The gRPC address of a service. Throws if the installation does not name it. */
export function grpcOf({ processes }: Installation, name: Backend): string {
  const address = processes[name]?.grpc;
  if (address === undefined) throw new Error(`the installation has no gRPC address of ${name}`);
  return address;
}

function fromStack(folder: string, info: StackInfo, env: NodeJS.ProcessEnv): Installation {
  const keysFolder = toPaths(folder).keys;
  const keys = toKeyFiles(keysFolder);
  const readEnv = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  const tls = readEnv(['TLS_DIR']);
  const servers = {
    ...(info.mongodb_uri === '' ? {} : { MONGODB_URI: info.mongodb_uri }),
    ...(info.kafka_brokers === '' ? {} : { KAFKA_BROKERS: info.kafka_brokers }),
    KAFKA_TOPIC_REPLICATION: '1',
    // `npm run cluster -- forward` does not forward MongoDB and Kafka: set their variables for this command.
    ...readEnv(['MONGODB_URI', ...Object.keys(env).filter((name) => name.startsWith('KAFKA_'))]),
  };
  /**
   * Returns the files that are on this machine. The files of a process with a forwarded port are in the cluster, but
   * some may also be here.
   */
  const existing = (files: Variables, tlsName: string | undefined) =>
    tlsName === undefined ? files : Object.fromEntries(Object.entries(files).filter(([, path]) => existsSync(path)));
  const describe = (
    name: string,
    service: StackInfo['services'][string] | undefined,
    { files = {}, env = {} }: { readonly files?: Variables; readonly env?: Variables },
  ) => ({
    ...(service?.admin ? { admin: service.admin } : {}),
    ...(service?.grpc === undefined ? {} : { grpc: service.grpc }),
    ...(service?.tls_name === undefined ? {} : { tls_name: service.tls_name }),
    env: { ...existing({ INTERNAL_KEY_FILE: keys.internalKeyOf(name), ...files }, service?.tls_name), ...tls, ...env },
    is_partial: true,
  });
  const services = serviceNames.map((name) => [
    name,
    describe(name, info.services[name], {
      files: { INTERNAL_JWKS_FILE: keys.internalJwks, ENCRYPTION_KEYRING_FILE: keys.encryptionKeyring },
      env: servers,
    }),
  ]);
  return {
    gateway: info.gateway,
    keys_folder: keysFolder,
    processes: { gateway: describe('gateway', info.services['gateway'], {}), ...Object.fromEntries(services) },
  };
}
