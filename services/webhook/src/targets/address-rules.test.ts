import { describe, expect, it } from 'vitest';
import { createAddressRules, parseRange } from './address-rules.ts';

const isAllowed = createAddressRules({ allowed: [], rejected: [] });

describe('address rules without allowed ranges', () => {
  it.each([
    '1.1.1.1',
    '93.184.215.14',
    '172.32.0.1',
    '2606:4700:4700::1111',
    '::ffff:1.1.1.1',
    '64:ff9b::1.1.1.1',
    '64:ff9b::101:101',
  ])('allow the public address %s', (address) => {
    expect(isAllowed(address)).toBe(true);
  });

  it.each([
    ['this network', '0.0.0.0', '0.1.2.3', '::'],
    ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
    ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12::1'],
    ['link local', '169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
    ['carrier grade NAT', '100.64.0.1', '100.127.255.255'],
    ['metadata', '169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16'],
    ['NodeLocal DNS and cluster', '169.254.20.10', '10.96.0.1'],
    ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
    ['benchmarking', '198.18.0.1', '2001:2::1'],
    ['protocols', '192.0.0.1', '192.88.99.1', '192.31.196.1', '100::1', '5f00::1'],
    ['multicast and broadcast', '224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1'],
    ['reserved', '240.0.0.1', 'fec0::1', '4000::1', '1::1'],
    ['mapped', '::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:a00:1', '::ffff:169.254.169.254'],
    ['translated', '::ffff:0:127.0.0.1', '::ffff:0:7f00:1'],
    ['IPv4-compatible', '::127.0.0.1', '::7f00:1', '::8.8.8.8', '::808:808'],
    ['NAT64', '64:ff9b::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe'],
    ['NAT64 of local use', '64:ff9b:1::7f00:1', '64:ff9b:1::808:808', '64:ff9b:1:ffff::1'],
    ['6to4', '2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:808:808::1'],
    ['Teredo', '2001:0:7f00:1::', '2001::1', '2001:0:4136:e378:8000:63bf:80ff:fffe'],
    ['no addresses', '', 'localhost', '1.2.3', '1.2.3.4.5', '::g', '1.1.1.1/32'],
  ])('reject %s', (_case, ...addresses) => {
    for (const address of addresses) expect([address, isAllowed(address)]).toEqual([address, false]);
  });
});

describe('address rules with allowed ranges', () => {
  const rules = createAddressRules({
    allowed: [parseRange('127.0.0.0/8'), parseRange('fd00::/8')],
    rejected: [],
  });

  it.each(['127.0.0.1', '::ffff:127.0.0.1', '64:ff9b::127.0.0.1', 'fd00::1', '1.1.1.1'])('allow %s', (address) => {
    expect(rules(address)).toBe(true);
  });

  it.each(['10.0.0.1', '::1', '2002:7f00:1::', 'fe80::1'])('still reject %s', (address) => {
    expect(rules(address)).toBe(false);
  });
});

describe('address rules with rejected ranges', () => {
  const rules = createAddressRules({
    allowed: ['10.0.0.0/8', 'fd00::/8'].map(parseRange),
    rejected: ['10.96.0.0/12', '203.0.0.0/8', '1.0.0.0/8', '2606:4700::/32', '64:ff9b::808:808/128'].map(parseRange),
  });

  it.each([
    ['public addresses', '1.1.1.1', '2606:4700:4700::1111'],
    ['what is in an allowed range too', '10.96.0.1', '10.111.255.255'],
    ['IPv4 inside of IPv6', '::ffff:1.1.1.1', '64:ff9b::1.1.1.1', '::ffff:10.96.0.1'],
    ['an address of NAT64 named as such', '64:ff9b::8.8.8.8'],
  ])('reject %s', (_case, ...addresses) => {
    for (const address of addresses) expect([address, rules(address)]).toEqual([address, false]);
  });

  it.each(['8.8.8.8', '10.0.0.1', 'fd00::1', '2001:4860:4860::8888'])('still allow %s', (address) => {
    expect(rules(address)).toBe(true);
  });
});

describe('parseRange', () => {
  it.each(['10.0.0.0', '10.0.0.0/33', 'x/8', '', '::/129'])('rejects %s', (text) => {
    expect(() => parseRange(text)).toThrow('must be');
  });
});
