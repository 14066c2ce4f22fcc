import { describe, expect, it } from 'vitest';
import { createAddressRules, parseRange } from './address-rules.ts';
import { ADDRESS_REFUSED, createTargetCheck, type LoadAddresses, type UrlRules } from './target.ts';

const strict: UrlRules = { allowHttp: false, allowedPorts: new Set([8443]) };
const lenient: UrlRules = { allowHttp: true, allowedPorts: 'any' };
const never: LoadAddresses = async (name) => {
  throw new Error(`${name} was looked up`);
};

function checker(urlRules: UrlRules, loadAddresses: LoadAddresses = never) {
  return createTargetCheck({ urlRules, isAllowed: createAddressRules({ allowed: [], rejected: [] }), loadAddresses });
}

describe('a target whose host is an address', () => {
  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://①②⑦.0.0.1/',
    'https://%31%32%37.0.0.1/',
    'https://0/',
    'https://0.0.0.0/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b:1::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[fe80::1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://[fd00:ec2::254]/',
    'https://168.63.129.16/',
  ])('is rejected as %s', async (url) => {
    expect(await checker(strict)(url)).toEqual({ kind: 'rejected', problems: [ADDRESS_REFUSED] });
  });

  it('is connected to at this address', async () => {
    expect(await checker(strict)('https://0x01010101/')).toMatchObject({
      target: { host: '1.1.1.1', port: 443, addresses: ['1.1.1.1'] },
    });
    expect(await checker(lenient)('http://[2606:4700::1]:8080/')).toMatchObject({
      target: { host: '2606:4700::1', port: 8080, addresses: ['2606:4700::1'] },
    });
  });
});

describe('a target whose host is a name', () => {
  it('is allowed with all of its addresses when all are public', async () => {
    const check = checker(strict, async () => ['1.1.1.1', '2606:4700::1']);
    expect(await check('https://example.org/a')).toMatchObject({
      kind: 'allowed',
      target: { host: 'example.org', port: 443, addresses: ['1.1.1.1', '2606:4700::1'] },
    });
  });

  it('is rejected when one of its addresses is not public', async () => {
    const check = checker(strict, async () => ['1.1.1.1', '10.0.0.1']);
    expect(await check('https://example.org/')).toEqual({ kind: 'rejected', problems: [ADDRESS_REFUSED] });
  });

  it('is unresolved if it has no addresses, or the lookup fails', async () => {
    expect(await checker(strict, async () => [])('https://example.org/')).toMatchObject({ kind: 'unresolved' });
    expect(await checker(strict)('https://example.org/')).toMatchObject({ kind: 'unresolved' });
  });

  it('whose addresses are all in an allowed range is allowed', async () => {
    const isAllowed = createAddressRules({ allowed: [parseRange('10.0.0.0/8')], rejected: [] });
    const check = createTargetCheck({ urlRules: strict, isAllowed, loadAddresses: async () => ['10.0.0.1'] });
    expect(await check('https://receiver/')).toMatchObject({ kind: 'allowed' });
  });
});

describe('a URL', () => {
  it.each([
    ['hook', 'INVALID_URL'],
    ['//1.1.1.1/', 'INVALID_URL'],
    [' https://1.1.1.1/', 'INVALID_URL'],
    ['https://1.1.1.1/a b', 'INVALID_URL'],
    ['https://1.1.1.1\n/', 'INVALID_URL'],
    ['https://[fe80::1%25eth0]/', 'INVALID_URL'],
    ['http://1.1.1.1/', 'SCHEME_REFUSED'],
    ['ftp://1.1.1.1/', 'SCHEME_REFUSED'],
    ['file:///etc/passwd', 'SCHEME_REFUSED'],
    ['javascript:alert(1)', 'SCHEME_REFUSED'],
    ['https://1.1.1.1:22/', 'PORT_REFUSED'],
    ['https://1.1.1.1:27017/', 'PORT_REFUSED'],
    ['https://1.1.1.1:0/', 'PORT_REFUSED'],
    ['https://me@1.1.1.1/', 'USER_INFO_REFUSED'],
    ['https://:pw@1.1.1.1/', 'USER_INFO_REFUSED'],
    ['https://1.1.1.1/#a', 'FRAGMENT_REFUSED'],
    ['https://1.1.1.1/#', 'FRAGMENT_REFUSED'],
  ])('%j is rejected with %s', async (url, code) => {
    expect(await checker(strict)(url)).toMatchObject({ kind: 'rejected', problems: [{ code }] });
  });

  it('is rejected with all of its problems', async () => {
    expect(await checker(strict)('http://me@1.1.1.1/#a')).toMatchObject({
      problems: [{ code: 'SCHEME_REFUSED' }, { code: 'USER_INFO_REFUSED' }, { code: 'FRAGMENT_REFUSED' }],
    });
  });

  it.each(['https://1.1.1.1:443/', 'https://1.1.1.1:80/', 'https://1.1.1.1:8443/', 'https://1.1.1.1/?q=a%23b'])(
    '%s is allowed',
    async (url) => {
      expect(await checker(strict)(url)).toMatchObject({ kind: 'allowed' });
    },
  );
});
