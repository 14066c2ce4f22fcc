import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Returns the address of the client. Each trusted proxy appends an address to `X-Forwarded-For`. Entries before those
 * are not trusted. If an entry of a trusted proxy is missing or invalid, the request bypassed the proxies. In that
 * case, the address of the socket is that of the client.
 */
export function clientAddressOf(request: IncomingMessage, trustedProxies: number): string {
  const socketAddress = toPlainAddress(request.socket.remoteAddress ?? '');
  if (trustedProxies === 0) return socketAddress;
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const address = toPlainAddress(withoutPort(forwarded.at(-trustedProxies)?.trim() ?? ''));
  return isIP(address) === 0 ? socketAddress : address;
}

/** Removes the port that some proxies add. IPv6 addresses with a port are in brackets. */
function withoutPort(address: string): string {
  const [, ipv6, ipv4] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address) ?? [];
  return ipv6 ?? ipv4 ?? address;
}

/** Converts IPv4-mapped IPv6 addresses to IPv4. */
function toPlainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
