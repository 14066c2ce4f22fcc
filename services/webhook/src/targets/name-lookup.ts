import { Resolver } from 'node:dns/promises';
import { existsSync, readFileSync } from 'node:fs';

/** All addresses of a name, none when it has none. Rejects when that cannot be told now. */
export type LoadAddresses = (name: string) => Promise<readonly string[]>;

interface Options {
  readonly hostsFile?: string;
  /** Name servers, as addresses with or without a port; those of the system when there are none. */
  readonly servers: readonly string[];
}

const NO_SUCH_NAME = new Set<unknown>(['ENOTFOUND', 'ENODATA']);

/**
 * Looks names up in the hosts file, then by DNS. Not by `dns.lookup`: the system's resolver takes one of libuv's few
 * threads for as long as it waits, so that a handful of names that never answer would hold up everybody.
 */
export function createNameLookup({ hostsFile = '/etc/hosts', servers }: Options): LoadAddresses {
  const hosts = loadHosts(hostsFile);
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return async (name) => {
    const known = hosts.get(name.toLowerCase().replace(/\.$/, ''));
    if (known !== undefined) return known;
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failure = [v4, v6].find((answer) => answer.status === 'rejected' && !isNoSuchName(answer.reason));
    if (addresses.length === 0 && failure?.status === 'rejected') throw failure.reason;
    return addresses;
  };
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
