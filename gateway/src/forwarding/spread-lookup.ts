import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Looks up all addresses of a name. */
export type LookupAll = (
  hostname: string,
  options: { readonly all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Creates a lookup that shuffles the addresses of a host name, to spread connections over the replicas of a service.
 * Node tries the other addresses if the first one does not accept the connection.
 */
export function createSpreadLookup(lookupAll: LookupAll = lookup, random = Math.random): LookupFunction {
  return (hostname, options, done) => {
    lookupAll(hostname, { ...options, all: true }, (error, addresses) => {
      const shuffled = shuffle(addresses ?? [], random);
      const [first] = shuffled;
      if (options.all === true || first === undefined) done(error, shuffled);
      else done(error, first.address, first.family);
    });
  };
}

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
