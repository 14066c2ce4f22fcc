import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { clientAddressOf } from './client-address.ts';

function addressOf(trustedProxies: number, forwarded: string | undefined, socketAddress = '10.0.0.9'): string {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: socketAddress });
  const request = new IncomingMessage(socket);
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  return clientAddressOf(request, trustedProxies);
}

describe('the address of the client', () => {
  it.each<[string, number, string | undefined, string]>([
    ['the socket’s when no proxy is trusted', 0, '6.6.6.6', '10.0.0.9'],
    ['what the one trusted proxy added', 1, '6.6.6.6, 203.0.113.7', '203.0.113.7'],
    ['what the first of two trusted proxies added', 2, '6.6.6.6, 203.0.113.7, 10.0.0.1', '203.0.113.7'],
    ['an IPv6 address', 1, '2001:db8::1', '2001:db8::1'],
    ['an IPv4 address that came mapped', 1, '::ffff:203.0.113.7', '203.0.113.7'],
    ['an IPv4 address that came with a port', 1, '203.0.113.7:4711', '203.0.113.7'],
    ['an IPv6 address in brackets', 1, '[2001:db8::1]', '2001:db8::1'],
    ['an IPv6 address that came with a port', 1, '[2001:db8::1]:4711', '2001:db8::1'],
    ['the socket’s when the header is absent', 1, undefined, '10.0.0.9'],
    ['the socket’s when the header is too short', 2, '203.0.113.7', '10.0.0.9'],
    ['the socket’s when the header holds no address', 1, '203.0.113.7, unknown', '10.0.0.9'],
    ['the socket’s when the header holds a name with a port', 1, 'evil.example:80', '10.0.0.9'],
    ['the socket’s when the header holds a broken address', 1, '[203.0.113.7', '10.0.0.9'],
    ['the socket’s when the header is empty', 1, ' , ', '10.0.0.9'],
  ])('is %s', (_case, trustedProxies, forwarded, expected) => {
    expect(addressOf(trustedProxies, forwarded)).toBe(expected);
  });

  it('is written as IPv4 when the socket has it mapped', () => {
    expect(addressOf(0, undefined, '::ffff:127.0.0.1')).toBe('127.0.0.1');
  });
});
