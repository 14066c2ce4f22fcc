import { readFile, rm } from 'node:fs/promises';
import { writePrivateFile } from '../process/write-private-file.ts';
import { toPaths } from './folder.ts';

/** Addresses of a service: base URLs, and host:port for gRPC. */
export interface ServiceInfo {
  /** Absent when it is no process of this machine. */
  readonly pid?: number;
  readonly http: string;
  /** The gateway has none. */
  readonly grpc?: string;
  readonly admin: string;
}

export interface InfraInfo {
  /** Absent when the server is none of our processes. */
  readonly pid?: number;
}

/** The content of stack.json: the running stack, for scripts. */
export interface StackInfo {
  readonly gateway: string;
  /** The demo tenant, its owner, and a token of that owner; absent from a stack without the demo. */
  readonly tenant_id?: string;
  readonly user_id?: string;
  readonly token?: string;
  readonly services: Readonly<Record<string, ServiceInfo>>;
  readonly mongodb: InfraInfo;
  readonly kafka: InfraInfo;
  readonly mongodb_uri: string;
  readonly kafka_brokers: string;
}

/** Reads the stack.json of the stack that runs in this folder. */
export async function loadStackInfo(folder: string): Promise<StackInfo> {
  try {
    // Written by this project's launcher alone.
    return JSON.parse(await readFile(toPaths(folder).stackFile, 'utf8')) as StackInfo;
  } catch (cause) {
    throw new Error(`no stack runs in ${folder}: start one with "npm start"`, { cause });
  }
}

interface StackFile {
  /** Writes what holds now, whole and in the order of the calls. */
  readonly write: (info: StackInfo) => Promise<void>;
  /** Removes it; nothing is written any more. */
  readonly remove: () => Promise<void>;
}

export function createStackFile(path: string): StackFile {
  let last = Promise.resolve();
  let removed = false;
  return {
    write: (info) => {
      last = last.then(async () => {
        if (!removed) await writePrivateFile(path, info);
      });
      return last;
    },
    remove: async () => {
      removed = true;
      await last;
      await rm(path, { force: true });
    },
  };
}
