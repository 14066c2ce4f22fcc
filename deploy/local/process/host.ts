import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
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
  // Not in the cache folder: stacks with different cache folders use the same ports of the machine.
  const ports = createPorts(join(tmpdir(), `survey-platform-ports-${userInfo().uid}`));
  return {
    reaper,
    ports,
    close: async () => {
      ports.release();
      await reaper.close();
    },
  };
}
