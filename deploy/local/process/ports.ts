import { createServer } from 'node:net';
import { join } from 'node:path';
import { tryLock } from './lock.js';

export interface Ports {
  /** A free port: the usual one or, when it is taken, one of the next thousand. */
  readonly claim: (usual: number) => Promise<number>;
  /** Exactly this port; an error when it is taken. */
  readonly claimExactly: (port: number) => Promise<number>;
  readonly release: () => void;
}

/**
 * Chooses ports on 127.0.0.1. A port is claimed for the life of this process by a lock in `claimsDir`, so that stacks
 * that start at the same time do not choose the same one before either listens. The ports lie below the range from
 * which systems take the ports of outgoing connections (32768 and up), which could otherwise steal one in between.
 */
export function createPorts(claimsDir: string): Ports {
  const releases: (() => void)[] = [];
  const tryClaim = async (port: number): Promise<boolean> => {
    const claim = tryLock(join(claimsDir, String(port)));
    if (!claim.held) return false;
    if (await isFree(port)) {
      releases.push(claim.release);
      return true;
    }
    claim.release();
    return false;
  };
  return {
    claim: async (usual) => {
      for (let port = usual; port < usual + 1_000; port++) {
        if (await tryClaim(port)) return port;
      }
      throw new Error(`no free port from ${usual} to ${usual + 999}`);
    },
    claimExactly: async (port) => {
      if (await tryClaim(port)) return port;
      throw new Error(`port ${port} is taken`);
    },
    release: () => {
      for (const release of releases.splice(0)) release();
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
