import { readConfig } from '@survey/runtime/config/settings';
import { describe, expect, it } from 'vitest';
import { toIssuerConfigs, tokenSettings, toTimeRules } from './token-settings.ts';

const FILE = '/keys/jwks.json';
const URL_A = 'https://a.example/jwks';
const read = (env: Record<string, string>) => toIssuerConfigs(readConfig(tokenSettings, env));
const list = (...issuers: unknown[]) => ({ JWT_ISSUERS: JSON.stringify(issuers) });
const usual = { algorithms: ['ES256', 'RS256', 'EdDSA'], audience: undefined, type: undefined, tenants: undefined };

describe('the single issuer', () => {
  it('may be defined by a key file only', () => {
    expect(read({ JWT_JWKS_FILE: FILE })).toEqual([{ ...usual, name: undefined, jwksFile: FILE, jwksUrl: undefined }]);
  });

  it('has the configured name, audience, type and algorithms', () => {
    const env = {
      JWT_JWKS_URL: URL_A,
      JWT_ISSUER: 'a',
      JWT_AUDIENCE: 's',
      JWT_TYPE: 'at+jwt',
      JWT_ALGORITHMS: 'ES384, PS256',
    };
    expect(read(env)).toEqual([
      {
        name: 'a',
        audience: 's',
        type: 'at+jwt',
        algorithms: ['ES384', 'PS256'],
        tenants: undefined,
        jwksFile: undefined,
        jwksUrl: URL_A,
      },
    ]);
  });
});

describe('several issuers', () => {
  it('have the settings of the list, and else the common ones', () => {
    const issuers = list(
      { issuer: 'a', jwks_url: URL_A },
      { issuer: 'b', jwks_file: FILE, audience: 's', algorithms: ['PS256'], typ: 'JWT', tenants: ['t1', 't2'] },
    );
    expect(read({ ...issuers, JWT_TYPE: 'at+jwt' })).toEqual([
      { ...usual, name: 'a', type: 'at+jwt', jwksFile: undefined, jwksUrl: URL_A },
      {
        name: 'b',
        audience: 's',
        type: 'JWT',
        algorithms: ['PS256'],
        tenants: new Set(['t1', 't2']),
        jwksFile: FILE,
        jwksUrl: undefined,
      },
    ]);
  });
});

describe('the times of tokens', () => {
  it('default to thirty days, thirty seconds of skew, and exp required', () => {
    const rules = (env: Record<string, string>) =>
      toTimeRules(readConfig(tokenSettings, { JWT_JWKS_FILE: FILE, ...env }));
    expect(rules({})).toEqual({ maxLifetimeSeconds: 2_592_000, clockSkewSeconds: 30, isExpiryRequired: true });
    expect(rules({ JWT_MAX_LIFETIME_S: '60', JWT_CLOCK_SKEW_S: '0', JWT_REQUIRE_EXP: 'false' })).toEqual({
      maxLifetimeSeconds: 60,
      clockSkewSeconds: 0,
      isExpiryRequired: false,
    });
  });
});

describe('a configuration is rejected', () => {
  const a = { issuer: 'a', jwks_url: URL_A };

  it.each<[string, Record<string, string>, string]>([
    ['without keys', {}, 'JWT_JWKS_FILE is not set'],
    ['with a file and an address', { JWT_JWKS_FILE: FILE, JWT_JWKS_URL: URL_A }, 'JWT_JWKS_URL cannot be set together'],
    ['with an invalid address', { JWT_JWKS_URL: 'a.example' }, 'JWT_JWKS_URL needs an https address'],
    ['with http to another machine', { JWT_JWKS_URL: 'http://a.example/jwks' }, 'JWT_JWKS_URL needs an https address'],
    ['with http to a name like this machine', { JWT_JWKS_URL: 'http://127.0.0.1.example' }, 'needs an https address'],
    ['with a password', { JWT_JWKS_URL: 'https://me:pass@a.example' }, 'needs an https address without a password'],
    ['with a file address', { JWT_JWKS_URL: 'file:///etc/passwd' }, 'needs an https address'],
    [
      'with a shared secret as algorithm',
      { JWT_JWKS_FILE: FILE, JWT_ALGORITHMS: 'ES256,HS256' },
      'must name some of ES256',
    ],
    ['with alg none', { JWT_JWKS_FILE: FILE, JWT_ALGORITHMS: 'none' }, 'must name some of ES256'],
    ['with a skew that is long', { JWT_JWKS_FILE: FILE, JWT_CLOCK_SKEW_S: '301' }, 'JWT_CLOCK_SKEW_S'],
    [
      'with exp half required',
      { JWT_JWKS_FILE: FILE, JWT_REQUIRE_EXP: 'yes' },
      'JWT_REQUIRE_EXP must be true or false',
    ],
    [
      'with issuers and settings of the single one',
      { ...list(a), JWT_JWKS_FILE: FILE, JWT_ISSUER: 'b' },
      'JWT_ISSUERS replaces JWT_JWKS_FILE, JWT_ISSUER: remove those, or JWT_ISSUERS',
    ],
    ['with issuers that are no JSON', { JWT_ISSUERS: 'a,b' }, 'JWT_ISSUERS must be a JSON list'],
    ['with issuers that are no list', { JWT_ISSUERS: JSON.stringify(a) }, 'JWT_ISSUERS must be a JSON list'],
    ['with no issuers', list(), 'at least one issuer'],
    ['with an issuer that is a text', list(a, 'b'), 'is invalid: entry 1 must be an object'],
    ['with an issuer without a name', list({ jwks_url: URL_A }), 'is invalid: entry 0 must name its issuer'],
    ['with an issuer of an empty name', list({ ...a, issuer: '' }), 'must have text as issuer'],
    ['with an issuer without keys', list({ issuer: 'a' }), 'must have one of jwks_url and jwks_file'],
    ['with an issuer with two key sources', list({ ...a, jwks_file: FILE }), 'must have one of jwks_url and jwks_file'],
    ['with an issuer with keys over http', list({ ...a, jwks_url: 'http://a.example' }), 'entry 0 needs an https'],
    [
      'with an issuer with an unknown algorithm',
      list({ ...a, algorithms: ['HS256'] }),
      'has an unknown algorithm: use ES256',
    ],
    ['with an issuer with no algorithm', list({ ...a, algorithms: [] }), 'must have a list of texts as algorithms'],
    ['with an issuer for no tenant', list({ ...a, tenants: [] }), 'must have a list of texts as tenants'],
    ['with an issuer for what is no tenant', list({ ...a, tenants: [1] }), 'must have a list of texts as tenants'],
    ['with an issuer with several audiences', list({ ...a, audience: ['s'] }), 'must have text as audience'],
    ['with an issuer with a misspelt member', list({ ...a, tenant: ['t'] }), 'has an unknown member tenant'],
    ['with an issuer twice', list(a, { issuer: 'a', jwks_file: FILE }), 'JWT_ISSUERS names a twice'],
  ])('%s', (_case, env, message) => {
    expect(() => read(env)).toThrow(message);
  });

  it.each(['http://127.0.0.1:8080/jwks', 'http://localhost/jwks', 'http://[::1]:1/jwks', URL_A])(
    'but is accepted with %s',
    (url) => {
      expect(read({ JWT_JWKS_URL: url })).toMatchObject([{ jwksUrl: url }]);
    },
  );
});
