import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Looks up all addresses of a name. */
export type LookupAll = (
  hostname: string,
  options: { readonly all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Finds the address for a new connection. Of the addresses of a name, the replicas of a service, a random one comes
 * first: in the order of the system it would be the same one for every connection. The others are tried when the first
 * does not answer.
 */
export function createSpreadLookup(lookupAll: LookupAll = lookup, random = Math.random): LookupFunction {
  return (hostname, options, done) => {
    lookupAll(hostname, { ...options, all: true }, (error, addresses) => {
      const spread = shuffle(addresses ?? [], random);
      const [first] = spread;
      if (options.all === true || first === undefined) done(error, spread);
      else done(error, first.address, first.family);
    });
  };
}

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
