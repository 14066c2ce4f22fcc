import { isIP } from 'node:net';
import type { IsAllowedAddress } from './address-rules.ts';
import type { LoadAddresses } from './name-lookup.ts';
import { checkUrl, portOf, type UrlProblem, type UrlRules } from './url-rules.ts';

/** A URL with its checked addresses. Attempts connect to these only. */
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

/**
 * Reported for private addresses, metadata services and names that do not resolve. Separate problems would reveal the
 * network of the platform.
 */
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
