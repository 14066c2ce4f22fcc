import { BlockList, isIP } from 'node:net';

/** CIDR ranges of IPv4 and IPv6 addresses. */
export type AddressRanges = Pick<BlockList, 'check'>;

/** Parses CIDR ranges. Throws an error whose text continues the name of the setting: "must be …". */
export function parseRanges(texts: readonly string[]): AddressRanges {
  // Node's only set of ranges is called a block list. Nothing is blocked here.
  const ranges = new BlockList();
  for (const text of texts) {
    const [address = '', bits = '', ...rest] = text.split('/');
    const family = isIP(address);
    const isRange = family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
    if (!isRange || rest.length > 0)
      throw new Error(`must be a list of ranges like 10.0.0.0/8, but ${text} is not one`);
    ranges.addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  }
  return ranges;
}

export function isIn(ranges: AddressRanges, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && ranges.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/**
 * The key of a client for rate limits. A site with IPv6 has at least 2^64 addresses (RFC 6177), so the key is the /64
 * network: the first four groups of the address. IPv4 addresses in IPv6 form are already unmapped (`clientAddressOf`).
 */
export function clientKeyOf(address: string): string {
  if (isIP(address) !== 6) return address;
  // `URL` normalizes the spelling, but rejects a zone such as `%eth0`.
  const canonical = URL.parse(`http://[${address.split('%', 1)[0]}]`)?.hostname.slice(1, -1) ?? '';
  // `::` stands for the zeros that fill the address up to eight groups.
  const [head = [], tail = []] = canonical.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}
