import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A CIDR range: its first address and the length of its prefix in bits. */
export type AddressRange = readonly [Address, number];

/** Whether webhooks may be sent to an IP address. */
export type IsAllowedAddress = (address: string) => boolean;

/** The only IPv6 range that IANA assigns to hosts. ipaddr.js reports unassigned ranges as unicast too. */
const GLOBAL_UNICAST = parseRange('2000::/3');
/** The well-known prefix of NAT64 (RFC 6052), through which IPv6-only networks reach IPv4 hosts. */
const NAT64 = parseRange('64:ff9b::/96');
/** Public address of the metadata service of Azure. */
const METADATA = [parseRange('168.63.129.16/32')];

/** Parses a range like `10.0.0.0/8` or `fd00::/8`. */
export function parseRange(text: string): AddressRange {
  if (!ipaddr.isValidCIDR(text)) throw new Error(`must be a list of ranges like 10.0.0.0/8, but ${text} is not one`);
  return ipaddr.parseCIDR(text);
}

interface Ranges {
  /** Allowed although they are not public. */
  readonly allowed: readonly AddressRange[];
  /** Rejected even if public or allowed, such as public addresses of the cluster. */
  readonly rejected: readonly AddressRange[];
}

/**
 * Allows public unicast addresses and allowed ranges, except for rejected ranges. IPv4 addresses in IPv6 (mapped, or
 * with the well-known prefix of NAT64) count as IPv4. Tunnels (6to4, Teredo), IPv4-compatible addresses and the local
 * prefix of NAT64 are never public.
 */
export function createAddressRules({ allowed, rejected }: Ranges): IsAllowedAddress {
  return (text) => {
    const normalised = normalise(text);
    if (normalised === undefined) return false;
    const whole = ipaddr.parse(normalised);
    const address = unwrap(whole);
    if (isIn(whole, rejected) || isIn(address, rejected)) return false;
    return isIn(address, allowed) || isPublic(address);
  };
}

/** Normalises the notation: ipaddr.js reads ::8.8.8.8 as a mapped address, and 1.2 as IPv4. Undefined if invalid. */
function normalise(text: string): string | undefined {
  if (isIP(text) !== 6) return isIP(text) === 4 ? text : undefined;
  const url = URL.parse(`http://[${text}]`);
  // An address with a zone is no valid URL host. It is link-local, so never public.
  return url?.hostname.slice(1, -1);
}

function unwrap(address: Address): Address {
  if (address.kind() === 'ipv4') return address;
  // An address that is not IPv4 is IPv6.
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
