import { createServer } from 'node:net';
import { join } from 'node:path';
import { tryLock } from './lock.js';

export interface Ports {
  /** Returns a free port: the preferred one, or one of the next thousand. */
  readonly claim: (preferred: number) => Promise<number>;
  readonly claimExactly: (port: number) => Promise<number>;
  /** Releases a port, or all of them. */
  readonly release: (port?: number) => void;
}

/**
 * Chooses ports on 127.0.0.1. A lock in `claimsDir` claims a port for the life of this process, so stacks that start
 * concurrently get different ports. The ports are below 32768, where systems begin to choose ports of outgoing
 * connections.
 */
export function createPorts(claimsDir: string): Ports {
  const claims = new Map<number, () => void>();
  const tryClaim = async (port: number): Promise<boolean> => {
    const lock = tryLock(join(claimsDir, String(port)));
    if (!lock.held) return false;
    if (await isFree(port)) {
      claims.set(port, lock.release);
      return true;
    }
    lock.release();
    return false;
  };
  return {
    claim: async (preferred) => {
      for (let port = preferred; port < preferred + 1_000; port++) {
        if (await tryClaim(port)) return port;
      }
      throw new Error(`no free port from ${preferred} to ${preferred + 999}`);
    },
    claimExactly: async (port) => {
      if (await tryClaim(port)) return port;
      throw new Error(`port ${port} is taken`);
    },
    release: (port) => {
      for (const claimed of port === undefined ? [...claims.keys()] : [port]) {
        claims.get(claimed)?.();
        claims.delete(claimed);
      }
    },
  };
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
