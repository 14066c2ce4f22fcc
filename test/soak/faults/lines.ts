import type { RoundRobin } from '../../support/round-robin.ts';
import type { Platform } from '../platform.ts';
import type { Strike } from './strike.ts';

/** Cuts all connections between two parts, and new ones for the time of the fault. */
export const cut: Strike = (platform, { target }, wait) => fail(findProxy(platform, target), 'cut', wait);

/** Holds back what two parts send to each other: it arrives after the fault. */
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
  if (line === undefined) throw new Error(`there is no line ${name}`);
  return line.proxy;
}
