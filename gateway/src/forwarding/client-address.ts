import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Returns the address of the client. Each trusted proxy appends an address to `X-Forwarded-For`; earlier entries are
 * not trusted. If entries of proxies are missing or invalid, the request bypassed them, so the client is the socket's
 * address.
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
