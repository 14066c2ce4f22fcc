import { Resolver } from 'node:dns/promises';
import { existsSync, readFileSync } from 'node:fs';
import { memoize } from '@survey/runtime/flow/memoize';

/** Returns all addresses of a name, possibly none. Rejects if the lookup fails. */
export type LoadAddresses = (name: string) => Promise<readonly string[]>;

interface Options {
  readonly hostsFile?: string;
  /** IP addresses of name servers, with or without a port. If empty, those of the system. */
  readonly servers: readonly string[];
}

/** Covers concurrent attempts to one host. Milliseconds. */
const SHARED_MS = 100;
const MAX_NAMES = 10_000;
const NO_SUCH_NAME = new Set<unknown>(['ENOTFOUND', 'ENODATA']);

/**
 * Looks up names in the hosts file, then in DNS. It avoids `dns.lookup`, which blocks one of libuv's few threads: a few
 * name servers that never reply would delay all lookups.
 */
export function createNameLookup({ hostsFile = '/etc/hosts', servers }: Options): LoadAddresses {
  const hosts = loadHosts(hostsFile);
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return async (name) => {
    const listed = hosts.get(name.toLowerCase().replace(/\.$/, ''));
    if (listed !== undefined) return listed;
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [v4, v6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    const failure = [v4, v6].find((result) => result.status === 'rejected' && !isNoSuchName(result.reason));
    if (addresses.length === 0 && failure?.status === 'rejected') throw failure.reason;
    return addresses;
  };
}

/**
 * Looks up a name once for concurrent attempts. Each attempt still checks the returned addresses, and connects to one
 * of them.
 */
export function shareLookups(loadAddresses: LoadAddresses): LoadAddresses {
  return memoize(loadAddresses, { ttlMs: SHARED_MS, maxKeys: MAX_NAMES });
}

function loadHosts(file: string): ReadonlyMap<string, readonly string[]> {
  const hosts = new Map<string, string[]>();
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (address === undefined) continue;
    for (const name of names) hosts.set(name.toLowerCase(), [...(hosts.get(name.toLowerCase()) ?? []), address]);
  }
  return hosts;
}

function isNoSuchName(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NO_SUCH_NAME.has(error.code);
}
