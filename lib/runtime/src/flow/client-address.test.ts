import { describe, expect, it } from 'vitest';
import { clientKeyOf, isIn, parseRanges } from './client-address.ts';

describe('clientKeyOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:1:2:ffff::', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['nonsense', 'nonsense'],
  ])('maps %s to %s', (address, client) => {
    expect(clientKeyOf(address)).toBe(client);
  });

  it('maps addresses of one /64 to one client, and of two to two', () => {
    expect(clientKeyOf('2001:db8:0:1::1')).toBe(clientKeyOf('2001:db8:0:1:ffff:ffff:ffff:ffff'));
    expect(clientKeyOf('2001:db8:0:1::1')).not.toBe(clientKeyOf('2001:db8:0:2::1'));
  });
});

describe('ranges', () => {
  const ranges = parseRanges(['127.0.0.0/8', '::1/128', '2001:db8::/32']);

  it.each(['127.0.0.1', '127.255.255.255', '::1', '::ffff:127.0.0.1', '2001:db8:ffff::'])('contain %s', (address) => {
    expect(isIn(ranges, address)).toBe(true);
  });

  it.each(['128.0.0.1', '::2', '2001:db9::', '', 'nonsense'])('do not contain %s', (address) => {
    expect(isIn(ranges, address)).toBe(false);
  });

  it.each(['10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/8/8', '10.0.0/8', '10.0.0.0/-1', '10.0.0.0/', 'x/8'])(
    'cannot be read of %s',
    (text) => {
      expect(() => parseRanges(['10.0.0.0/8', text])).toThrow(`${text} is not one`);
    },
  );
});
