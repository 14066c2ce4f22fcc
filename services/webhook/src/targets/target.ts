import { Resolver } from 'node:dns/promises';
import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { memoize } from '@survey/runtime/flow/memoize';
import type { WebhookConfig } from '../config.ts';
import { createAddressRules, type IsAllowedAddress } from './address-rules.ts';

/** A URL with its checked addresses. Attempts connect only to these addresses. */
export interface Target {
  readonly url: URL;
  /** Name or IP address, without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
}

export type TargetCheck =
  | { readonly kind: 'allowed'; readonly target: Target }
  | { readonly kind: 'rejected'; readonly problems: readonly UrlProblem[] }
  | { readonly kind: 'unresolved'; readonly cause: unknown };

/** Checks whether a URL is allowed: when a webhook is saved, and before every attempt. */
export type CheckTarget = (url: string) => Promise<TargetCheck>;

/** Reported for forbidden addresses and for unknown names, to reveal nothing about the network of the platform. */
export const ADDRESS_REFUSED: UrlProblem = {
  code: 'ADDRESS_REFUSED',
  detail: 'The host must resolve to public addresses only',
};

interface Options {
  readonly urlRules: UrlRules;
  readonly isAllowed: IsAllowedAddress;
  readonly loadAddresses: LoadAddresses;
}

export function createTargetCheck({ urlRules, isAllowed, loadAddresses }: Options): CheckTarget {
  return async (text) => {
    const problems = checkUrl(text, urlRules);
    if (problems.length > 0) return { kind: 'rejected', problems };
    const url = new URL(text);
    // The URL parser normalises IPv4 addresses in any notation.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const found = isIP(host) === 0 ? await lookUp(loadAddresses, host) : { addresses: [host] };
    if (found.addresses.length === 0) return { kind: 'unresolved', cause: found.cause };
    if (!found.addresses.every(isAllowed)) return { kind: 'rejected', problems: [ADDRESS_REFUSED] };
    return { kind: 'allowed', target: { url, host, port: portOf(url), addresses: found.addresses } };
  };
}

async function lookUp(
  loadAddresses: LoadAddresses,
  host: string,
): Promise<{ readonly addresses: readonly string[]; readonly cause?: unknown }> {
  try {
    return { addresses: await loadAddresses(host) };
  } catch (cause) {
    return { addresses: [], cause };
  }
}

/** Allowed ports besides 80 and 443. */
export type AllowedPorts = ReadonlySet<number> | 'any';

interface UrlProblem {
  readonly code: string;
  readonly detail: string;
}

export interface UrlRules {
  readonly allowHttp: boolean;
  readonly allowedPorts: AllowedPorts;
}

const DEFAULT_PORTS = new Set([80, 443]);

/** Returns all problems of a URL that need no DNS lookup. */
function checkUrl(text: string, rules: UrlRules): readonly UrlProblem[] {
  // Reject white space: the parser drops it, so the called URL would differ from the stored one.
  if (!URL.canParse(text) || /\s/.test(text)) {
    return [{ code: 'INVALID_URL', detail: 'The value is not an absolute URL; use one like https://example.com/hook' }];
  }
  const url = new URL(text);
  const problems: UrlProblem[] = [];
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.allowHttp)) {
    problems.push({ code: 'SCHEME_REFUSED', detail: `The URL must begin with ${schemes(rules)}` });
  } else if (!isAllowedPort(portOf(url), rules.allowedPorts)) {
    problems.push({ code: 'PORT_REFUSED', detail: 'The port is not allowed; use 443' });
  }
  if (url.username !== '' || url.password !== '') {
    problems.push({
      code: 'USER_INFO_REFUSED',
      detail: 'The URL must not contain a user name or password; send them in headers',
    });
  }
  if (text.includes('#'))
    problems.push({
      code: 'FRAGMENT_REFUSED',
      detail: 'The URL must not contain a fragment; remove the part from # on',
    });
  return problems;
}

/** The port of an http or https URL, or the default one. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

function isAllowedPort(port: number, allowed: AllowedPorts): boolean {
  return allowed === 'any' || DEFAULT_PORTS.has(port) || allowed.has(port);
}

function schemes({ allowHttp }: UrlRules): string {
  return allowHttp ? 'https:// or http://' : 'https://';
}

/** Returns all addresses of a name, possibly none. Rejects if the lookup fails. */
export type LoadAddresses = (name: string) => Promise<readonly string[]>;

interface NameLookupOptions {
  readonly hostsFile?: string;
  /** IP addresses of name servers, with or without a port. If empty, those of the system are used. */
  readonly servers: readonly string[];
}

/** Time for which attempts to one host share a lookup. Milliseconds. */
const SHARED_MS = 100;
const MAX_NAMES = 10_000;
const NO_SUCH_NAME = new Set<unknown>(['ENOTFOUND', 'ENODATA']);

/** Looks up names in the hosts file, then in DNS. `dns.lookup` would block one of the few threads of libuv. */
export function createNameLookup({ hostsFile = '/etc/hosts', servers }: NameLookupOptions): LoadAddresses {
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

/** Looks up a name once for concurrent attempts. Each attempt still checks the returned addresses. */
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

export type TargetApi = ReturnType<typeof createTargetModule>['provides'];

/** Decides to which addresses webhooks may be sent. */
export function createTargetModule(config: WebhookConfig) {
  const isAllowed = createAddressRules({ allowed: config.allowedRanges, rejected: config.refusedRanges });
  const loadAddresses = shareLookups(createNameLookup({ servers: config.dnsServers }));
  return { provides: { isAllowed, checkTarget: createTargetCheck({ urlRules: config, isAllowed, loadAddresses }) } };
}
