import type { RoundRobin } from '../../support/faults/round-robin.ts';
import type { Platform } from '../platform.ts';
import type { Strike } from './strike.ts';

/** Cuts all connections between two processes, and new ones, during the fault. */
export const cut: Strike = (platform, { target }, wait) => fail(findProxy(platform, target), 'cut', wait);

/** Delays all bytes between two processes until the end of the fault. */
export const pause: Strike = (platform, { target }, wait) => fail(findProxy(platform, target), 'pause', wait);

async function fail(proxy: RoundRobin, how: 'cut' | 'pause', wait: () => Promise<void>): Promise<void> {
  proxy[how]();
  try {
    await wait();
  } finally {
    proxy.restore();
  }
}

function findProxy({ lines }: Platform, name: string): RoundRobin {
  const line = lines.find((one) => one.name === name);
  if (line === undefined) throw new Error(`unknown connection ${name}`);
  return line.proxy;
}
