import { BlockList, isIP } from 'node:net';

/** Ranges of addresses, of IPv4 and IPv6. */
export type AddressRanges = Pick<BlockList, 'check'>;

/** Reads ranges like `10.0.0.0/8` and `fd00::/8`. Throws an error that says what is expected. */
export function parseRanges(texts: readonly string[]): AddressRanges {
  const ranges = new BlockList();
  for (const text of texts) {
    const [first = '', bits = '', ...rest] = text.split('/');
    const family = isIP(first);
    const isRange = family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
    if (!isRange || rest.length > 0) throw new Error(`has to be a list of ranges like 10.0.0.0/8, and ${text} is none`);
    ranges.addSubnet(first, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  }
  return ranges;
}

/** Whether an address lies in one of the ranges. */
export function isIn(ranges: AddressRanges, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && ranges.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/** What tells one client from others by its address: a site with IPv6 has 2^64 addresses at least (RFC 6177). */
export function toClient(address: string): string {
  if (isIP(address) !== 6) return address;
  // One spelling for one address, without the zone, which URLs do not take.
  const canonical = URL.parse(`http://[${address.split('%', 1)[0]}]`)?.hostname.slice(1, -1) ?? '';
  const [head = '', tail] = canonical.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? 0 : tail.split(':').length;
  const all = tail === undefined ? groups : [...groups, ...Array<string>(8 - groups.length - after).fill('0')];
  return [...all, ...(tail ?? '').split(':')].slice(0, 4).join(':');
}
