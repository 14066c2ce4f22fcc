import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { testLog } from '@survey/runtime/testing/test-log';
import { describe, expect, it } from 'vitest';
import { algorithms, readKeySet } from './key-set.ts';

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
const ed = generateKeyPairSync('ed25519');
const x25519 = generateKeyPairSync('x25519');

const toJwk = ({ publicKey }: { publicKey: KeyObject }, members: object = {}) => ({
  ...publicKey.export({ format: 'jwk' }),
  kid: 'k',
  ...members,
});
/** Adds a usable key, so that the set is never rejected as a whole. */
const spare = toJwk(ec, { kid: 'spare' });
const read = (keys: readonly unknown[], names = ['ES256', 'RS256', 'PS256', 'EdDSA']) =>
  readKeySet(JSON.stringify({ keys: [spare, ...keys] }), names, testLog);
const algorithmsOf = (keys: readonly unknown[], names?: string[]) => {
  const keySet = read(keys, names);
  return algorithms.filter((algorithm) => keySet.find(algorithm, 'k') !== undefined);
};

describe('a key of a set', () => {
  it.each<[string, object, string[]]>([
    ['with an algorithm', toJwk(ec, { alg: 'ES256' }), ['ES256']],
    ['for RSA with an algorithm', toJwk(rsa, { alg: 'PS256' }), ['PS256']],
    ['without an algorithm', toJwk(ec), ['ES256']],
    ['for RSA without an algorithm', toJwk(rsa), ['RS256']],
    ['of Ed25519', toJwk(ed), ['EdDSA']],
    ['that is for signatures', toJwk(ec, { use: 'sig', key_ops: ['verify'] }), ['ES256']],
  ])('%s is for one algorithm', (_case, jwk, names) => {
    expect(algorithmsOf([jwk])).toEqual(names);
  });

  it('without `alg` is for the first algorithm that fits', () => {
    expect(algorithmsOf([toJwk(rsa)], ['ES256', 'PS256', 'RS256'])).toEqual(['PS256']);
  });

  it('may share its id with a key for another algorithm', () => {
    expect(algorithmsOf([toJwk(rsa, { alg: 'PS256' }), toJwk(rsa, { alg: 'RS256' })])).toEqual(['RS256', 'PS256']);
  });

  it.each<[string, readonly unknown[]]>([
    ['is symmetric', [{ kty: 'oct', k: 'c2VjcmV0', kid: 'k', alg: 'HS256' }]],
    ['is symmetric, under the name of a signature', [{ kty: 'oct', k: 'c2VjcmV0', kid: 'k', alg: 'ES256' }]],
    ['is private', [{ ...ec.privateKey.export({ format: 'jwk' }), kid: 'k' }]],
    ['is a private RSA one', [{ ...rsa.privateKey.export({ format: 'jwk' }), kid: 'k' }]],
    ['has only a trace of its private part', [toJwk(rsa, { dp: 'AQ' })]],
    ['is for encryption', [toJwk(ec, { use: 'enc' })]],
    ['is not for verifying', [toJwk(ec, { key_ops: ['sign'] })]],
    ['has key_ops that are no list', [toJwk(ec, { key_ops: 'verify' })]],
    ['is for another algorithm', [toJwk(ec, { alg: 'ES384' })]],
    ['is for the algorithm of another kind of key', [toJwk(ec, { alg: 'RS256' })]],
    ['is for an algorithm that is not allowed', [toJwk(rsa, { alg: 'RS512' })]],
    ['is for the exchange of keys', [toJwk(x25519)]],
    ['has 1,024 bits', [toJwk(weak)]],
    ['is no point of its curve', [toJwk(ec, { x: 'AAAA' })]],
    ['lacks a member', [toJwk(ec, { y: undefined })]],
    ['has an id that is no text', [toJwk(ec, { kid: 1 })]],
    ['has its id twice', [toJwk(ec), toJwk(generateKeyPairSync('ec', { namedCurve: 'P-256' }))]],
    ['has the id of a private one', [toJwk(ec), { ...ec.privateKey.export({ format: 'jwk' }), kid: 'k' }]],
    ['is no object', ['k', 1, null, []]],
  ])('is rejected without affecting others if it %s', (_case, keys) => {
    expect(algorithmsOf(keys)).toEqual([]);
    expect(read(keys).find('ES256', 'spare')).toBeDefined();
  });

  it.each(['__proto__', 'constructor', 'toString', ''])('is not found by %j', (kid) => {
    expect(read([]).find('ES256', kid)).toBeUndefined();
    expect(read([]).find(kid, 'spare')).toBeUndefined();
  });
});

describe('a key set', () => {
  it.each<[string, readonly unknown[], boolean]>([
    ['with a usable key', [toJwk(ec)], false],
    ['whose only key is private', [{ ...ec.privateKey.export({ format: 'jwk' }), kid: 'k' }], true],
    ['whose keys share an id', [toJwk(ec), toJwk(ec)], true],
  ])('%s is accepted', (_case, keys, isEmpty) => {
    const keySet = readKeySet(JSON.stringify({ keys }), ['ES256'], testLog);
    expect([keySet.isEmpty, keySet.find('ES256', 'k') === undefined]).toEqual([isEmpty, isEmpty]);
  });

  it.each([
    ['is no JSON', '<html></html>'],
    ['is empty', ''],
    ['is no object', '[]'],
    ['is null', 'null'],
    ['has no list', '{"keys":1}'],
    ['has no keys', '{"keys":[]}'],
    ['has none that is of use', JSON.stringify({ keys: [toJwk(ec, { use: 'enc' })] })],
    ['has very many', JSON.stringify({ keys: Array.from({ length: 101 }, (_, kid) => toJwk(ec, { kid: `${kid}` })) })],
  ])('is rejected that %s', (_case, text) => {
    expect(() => readKeySet(text, ['ES256'], testLog)).toThrow();
  });
});
