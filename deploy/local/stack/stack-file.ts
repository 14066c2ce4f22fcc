import { readFile, rm } from 'node:fs/promises';
import { writePrivateFile } from '../process/files.ts';
import { toPaths } from './folder.ts';

/** Addresses of a service: base URLs, and host:port for gRPC. */
export interface ServiceInfo {
  /** Undefined if the process is not on this machine. */
  readonly pid?: number;
  readonly http: string;
  /** Undefined for the gateway. */
  readonly grpc?: string;
  /** Host name in its certificate, if it differs from the host of the addresses, as for forwarded ports. */
  readonly tls_name?: string;
  readonly admin: string;
}

export interface InfraInfo {
  /** Undefined if we did not start the server as a process. */
  readonly pid?: number;
}

/** Content of stack.json, which describes the running stack for scripts. */
export interface StackInfo {
  readonly gateway: string;
  /** Demo tenant, its owner, and the owner's token; undefined without the demo. */
  readonly tenant_id?: string;
  readonly user_id?: string;
  readonly token?: string;
  readonly services: Readonly<Record<string, ServiceInfo>>;
  readonly mongodb: InfraInfo;
  readonly kafka: InfraInfo;
  readonly mongodb_uri: string;
  readonly kafka_brokers: string;
}

/** Reads stack.json of the stack that runs in this folder. */
export async function loadStackInfo(folder: string): Promise<StackInfo> {
  const file = toPaths(folder).stackFile;
  try {
    return JSON.parse(await readFile(file, 'utf8')) as StackInfo;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : 'it is no JSON';
    const message = code === 'ENOENT' ? `no stack is running in ${folder}: start one with "npm start"` : undefined;
    throw new Error(message ?? `cannot read ${file}: ${code}`, { cause });
  }
}

interface StackFile {
  /** Writes the file atomically. Concurrent writes keep the order of the calls. */
  readonly write: (info: StackInfo) => Promise<void>;
  /** Removes the file, and ignores later writes. */
  readonly remove: () => Promise<void>;
}

export function createStackFile(path: string): StackFile {
  let last: Promise<unknown> = Promise.resolve();
  let removed = false;
  return {
    write: (info) => {
      const writing = last.then(async () => {
        if (!removed) await writePrivateFile(path, info);
      });
      // The caller sees a failure. It must not prevent later writes and the removal.
      last = writing.catch(() => undefined);
      return writing;
    },
    remove: async () => {
      removed = true;
      await last;
      await rm(path, { force: true });
    },
  };
}
