import { join } from 'node:path';
import { createHost, type Host } from '../process/host.ts';

export interface InfraOptions {
  /** Folder of the data. Data of an earlier run is reused. */
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** File for the server's own log. Default: `server.log` in `dataDir`. */
  readonly logFile?: string;
  /** Whether to append to the log file, as for a restart. */
  readonly appendLog?: boolean;
  /** The port to use. Default: the default port of the server, or the next free one. */
  readonly port?: number;
  /** Default: a new one, which is closed with the server. */
  readonly host?: Host;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

/** A running server, started by us or not. */
export interface InfraServer {
  /** Undefined for a container, or a server that we did not start. */
  readonly pid?: number;
  /** Undefined for a server that we did not start. */
  readonly port?: number;
  /** Resolves with the reason when the server ends. Never resolves for a server that we did not start. */
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
}

export interface PreparedOptions extends InfraOptions {
  readonly port: number;
  readonly host: Host;
  readonly logFile: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs `start` with the given host, or with a new one that is closed with the server. */
export async function prepareAndStart<T extends InfraServer>(
  options: InfraOptions,
  defaultPort: number,
  start: (prepared: PreparedOptions) => Promise<T>,
): Promise<T> {
  const host = options.host ?? createHost();
  try {
    const port = options.port ?? (await host.ports.claim(defaultPort));
    const logFile = options.logFile ?? join(options.dataDir, 'server.log');
    const server = await start({ ...options, host, port, logFile, env: options.env ?? process.env });
    if (options.host) return server;
    return {
      ...server,
      stop: async () => {
        await server.stop();
        await host.close();
      },
    };
  } catch (error) {
    if (!options.host) await host.close();
    throw error;
  }
}

/** `exited` of a server that we did not start. */
export const neverExited: Promise<string> = new Promise(() => {});
