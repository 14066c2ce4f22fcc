import { join } from 'node:path';
import { createHost, type Host } from '../process/host.ts';

export interface InfraOptions {
  /** Its data; what an earlier run left there is found again. */
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** Gets the server's own log. Default: `server.log` in `dataDir`. */
  readonly logFile?: string;
  /** Keep what the log file holds, as when it is started again after it died. */
  readonly appendLog?: boolean;
  /** Exactly this port; default: the usual one or the next free. */
  readonly port?: number;
  /** Default: one of its own, closed with the server. */
  readonly host?: Host;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

/** A running server, ours or somebody else's. */
export interface InfraServer {
  /** Absent for a server or container that is no process of ours. */
  readonly pid?: number;
  /** Absent for a server that we did not start. */
  readonly port?: number;
  /** Resolves with the manner when it ends; never for a server that we did not start. */
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
}

/** The options with what was left out filled in. */
export interface PreparedOptions extends InfraOptions {
  readonly port: number;
  readonly host: Host;
  readonly logFile: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs `start` with the given host or, when there is none, with one that ends with the server. */
export async function withPrepared<T extends InfraServer>(
  options: InfraOptions,
  usualPort: number,
  start: (prepared: PreparedOptions) => Promise<T>,
): Promise<T> {
  const host = options.host ?? createHost();
  try {
    const port = options.port ?? (await host.ports.claim(usualPort));
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

/** The `exited` of a server that is not ours. */
export const neverExits: Promise<string> = new Promise(() => {});
