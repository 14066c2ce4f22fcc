import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A range of addresses: its first address and the length of its prefix in bits. */
export type AddressRange = readonly [Address, number];

/** Tells whether webhooks may be sent to an address. */
export type IsAllowedAddress = (address: string) => boolean;

/** Global unicast is all that IANA has given out for hosts; ipaddr.js calls everything unicast that has no other name. */
const GLOBAL_UNICAST = parseRange('2000::/3');
/** The well-known prefix of NAT64 (RFC 6052): how networks without IPv4 reach IPv4 hosts. */
const NAT64 = parseRange('64:ff9b::/96');
/** Metadata services that look public: Azure's has a public address. */
const METADATA = [parseRange('168.63.129.16/32')];

/** Reads `10.0.0.0/8` or `fd00::/8`. Throws an error that says what is expected. */
export function parseRange(text: string): AddressRange {
  if (!ipaddr.isValidCIDR(text)) throw new Error(`has to be a list of ranges like 10.0.0.0/8, and ${text} is none`);
  return ipaddr.parseCIDR(text);
}

interface Ranges {
  /** Allowed though they are not public. */
  readonly allowed: readonly AddressRange[];
  /** Refused whatever they are, allowed ones included: those of a cluster that has public addresses, for example. */
  readonly refused: readonly AddressRange[];
}

/**
 * Allows public unicast addresses and those of the allowed ranges, none of the refused ones. An IPv4 address inside of IPv6 (mapped, or NAT64's
 * well-known prefix) counts as that IPv4 address; tunnels (6to4, Teredo), IPv4-compatible addresses and NAT64's local
 * prefix are never public, whatever is inside of them.
 */
export function createAddressRules({ allowed, refused }: Ranges): IsAllowedAddress {
  return (text) => {
    const spelled = spell(text);
    if (spelled === undefined) return false;
    const whole = ipaddr.parse(spelled);
    const address = unwrap(whole);
    if (isIn(whole, refused) || isIn(address, refused)) return false;
    return isIn(address, allowed) || isPublic(address);
  };
}

/** The one spelling that is read as what it is: ipaddr.js takes ::8.8.8.8 for a mapped address, and 1.2 for an IPv4 one. */
function spell(text: string): string | undefined {
  if (isIP(text) !== 6) return isIP(text) === 4 ? text : undefined;
  const url = URL.parse(`http://[${text}]`);
  // Addresses with a zone are no URL: they are of this link, and so never public.
  return url?.hostname.slice(1, -1);
}

function unwrap(address: Address): Address {
  if (address.kind() === 'ipv4') return address;
  // What is not of the one kind is of the other.
  const v6 = address as ipaddr.IPv6;
  if (isIn(v6, [NAT64])) return ipaddr.fromByteArray(v6.toByteArray().slice(12));
  return v6.isIPv4MappedAddress() ? v6.toIPv4Address() : v6;
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || isIn(address, METADATA)) return false;
  return address.kind() === 'ipv4' || isIn(address, [GLOBAL_UNICAST]);
}

function isIn(address: Address, ranges: readonly AddressRange[]): boolean {
  return ranges.some(([first, bits]) => first.kind() === address.kind() && address.match(first, bits));
}
