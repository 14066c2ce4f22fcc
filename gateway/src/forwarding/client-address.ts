import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Address of the client. Each trusted proxy adds the address that it was called from to the right end of
 * `X-Forwarded-For`; what stands left of those is the caller's own tale. The socket's address counts when the header
 * is shorter or not made of addresses: such a request did not come through the proxies.
 */
export function clientAddressOf(request: IncomingMessage, trustedProxies: number): string {
  const socketAddress = toPlainAddress(request.socket.remoteAddress ?? '');
  if (trustedProxies === 0) return socketAddress;
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const address = toPlainAddress(withoutPort(forwarded.at(-trustedProxies)?.trim() ?? ''));
  return isIP(address) === 0 ? socketAddress : address;
}

/** Some proxies add the port that they were called from; only then is IPv6 in brackets. */
function withoutPort(address: string): string {
  const [, ipv6, ipv4] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address) ?? [];
  return ipv6 ?? ipv4 ?? address;
}

/** IPv4 as it is written, when it comes mapped into IPv6. */
function toPlainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
