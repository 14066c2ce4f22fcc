import { isIP } from 'node:net';
import type { IsAllowedAddress } from './address-rules.ts';
import type { LoadAddresses } from './name-lookup.ts';
import { checkUrl, portOf, type UrlProblem, type UrlRules } from './url-rules.ts';

/** Where a webhook may be sent: all that is dialled is among the addresses, which were checked. */
export interface Target {
  readonly url: URL;
  /** Name or address of the host, without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
}

export type TargetCheck =
  | { readonly kind: 'allowed'; readonly target: Target }
  | { readonly kind: 'refused'; readonly problems: readonly UrlProblem[] }
  | { readonly kind: 'unresolved'; readonly cause: unknown };

/** The one judge of where webhooks may go: asked when one is saved and at every attempt to send. */
export type CheckTarget = (url: string) => Promise<TargetCheck>;

/**
 * The same words for a name that does not resolve, a private address and a metadata service: it is nobody's business
 * what there is in our network.
 */
export const ADDRESS_REFUSED: UrlProblem = {
  code: 'ADDRESS_REFUSED',
  detail: 'The host has to have public addresses, and no others',
};

interface Options {
  readonly urlRules: UrlRules;
  readonly isAllowed: IsAllowedAddress;
  readonly loadAddresses: LoadAddresses;
}

export function createTargetCheck({ urlRules, isAllowed, loadAddresses }: Options): CheckTarget {
  return async (text) => {
    const problems = checkUrl(text, urlRules);
    if (problems.length > 0) return { kind: 'refused', problems };
    const url = new URL(text);
    // The parser has brought every spelling of an IPv4 address to the usual one.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const found = isIP(host) === 0 ? await lookUp(loadAddresses, host) : { addresses: [host] };
    if (found.addresses.length === 0) return { kind: 'unresolved', cause: found.cause };
    if (!found.addresses.every(isAllowed)) return { kind: 'refused', problems: [ADDRESS_REFUSED] };
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
