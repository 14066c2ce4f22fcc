import { join } from 'node:path';
import { cacheDir } from './cache-dir.ts';
import { createPorts, type Ports } from './ports.ts';
import { type Reaper, startReaper } from './reaper-client.ts';

/** Resources on this machine that the processes of a stack share. */
export interface Host {
  readonly reaper: Reaper;
  readonly ports: Ports;
  readonly close: () => Promise<void>;
}

export function createHost(): Host {
  const reaper = startReaper();
  const ports = createPorts(join(cacheDir(), 'ports'));
  return {
    reaper,
    ports,
    close: async () => {
      ports.release();
      await reaper.close();
    },
  };
}
