import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { checkHeaderSizes, checkHiddenValues, checkMovedValues, readHeaders } from './webhook-headers.ts';

const codesOf = (headers: JsonObject) => readHeaders(headers, 'X-Service').problems.map(({ code }) => code);

describe('headers of a tenant', () => {
  it.each([
    [{ Authorization: 'Bearer a.b~c' }],
    [{ 'X-Api-Key': 'a b', Cookie: 'a=1', Accept: '*/*', 'X-Services': 'mine' }],
    [{ 'X-Empty': '', 'X-Gone': null }],
    [{}],
  ] as const)('can be %j', (headers) => {
    const { given, problems } = readHeaders(headers, 'X-Service');
    expect(problems).toEqual([]);
    expect(Object.fromEntries(given.map(({ name, value }) => [name, value]))).toEqual(headers);
  });

  it.each([
    'Host',
    'content-length',
    'Content-Type',
    'Content-Encoding',
    'Transfer-Encoding',
    'TE',
    'Trailer',
    'Connection',
    'Keep-Alive',
    'Proxy-Connection',
    'Proxy-Authorization',
    'Upgrade',
    'Expect',
    'user-AGENT',
    'Accept-Encoding',
    'webhook-id',
    'Webhook-Signature',
    'webhook-anything',
    'X-Service-Signature',
    'x-service-delivery',
    'X-Service-Other',
    'traceparent',
    'tracestate',
    'baggage',
    'Forwarded',
    'Via',
    'X-Forwarded-For',
    'X-Real-IP',
  ])('cannot be %s, which is ours', (name) => {
    expect(codesOf({ [name]: 'a' })).toEqual(['HEADER_RESERVED']);
  });

  it.each(['', 'X Y', 'X:Y', 'X\r\nHost', 'X_Y', 'Ü', 'a'.repeat(65), 'X\0'])('cannot be named %j', (name) => {
    expect(codesOf({ [name]: 'a' })).toEqual(['INVALID_HEADER_NAME']);
  });

  it.each(['a\r\nHost: b', 'a\nb', 'a\0', 'a\tb', 'ü', ' a', 'a ', '\u007f', 'a'.repeat(2_049), 1, true, {}, ['a']])(
    'cannot have the value %j',
    (value) => {
      expect(codesOf({ 'X-A': value })).toEqual(['INVALID_HEADER_VALUE']);
    },
  );

  it('cannot occur twice in different cases', () => {
    expect(readHeaders({ 'X-A': 'a', 'x-a': 'b' }, 'X-Service').problems).toMatchObject([
      { path: '/headers/x-a', code: 'HEADER_TWICE' },
    ]);
  });

  it('are rejected before any is read if they are more than a patch can need', () => {
    const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, 1]));
    expect(new Set(codesOf(named(40)))).toEqual(new Set(['INVALID_HEADER_VALUE']));
    expect(codesOf(named(41))).toEqual(['TOO_MANY_HEADERS']);
  });

  it('cannot begin with another configured prefix, in any case', () => {
    expect(readHeaders({ 'x-acme-signature': 'a' }, 'X-Acme').problems).toMatchObject([{ code: 'HEADER_RESERVED' }]);
  });

  it('are reported by valid JSON pointers', () => {
    expect(readHeaders({ 'a/b~c': 'a' }, 'X-Service').problems[0]?.path).toBe('/headers/a~1b~0c');
  });

  it('can be sent back as shown, if a header of the name exists', () => {
    const given = ['x-a', 'X-B', 'X-C'].map((name) => ({ name, value: name === 'X-C' ? '*' : '********' }));
    expect(checkHiddenValues(given, [{ name: 'X-A' }])).toMatchObject([
      { path: '/headers/X-B', code: 'HIDDEN_HEADER_VALUE' },
    ]);
  });

  it('must be sent again or removed when the origin changes, whether asterisks stand for them or nothing', () => {
    const given = [
      { name: 'x-a', value: '********' },
      { name: 'x-B', value: 'b' },
      { name: 'X-C', value: null },
    ];
    const stored = ['X-A', 'X-B', 'X-C', 'X-D'].map((name) => ({ name }));
    expect(checkMovedValues(given, stored)).toMatchObject([
      { path: '/headers/x-a', code: 'HIDDEN_HEADER_VALUE' },
      { path: '/headers/X-D', code: 'HIDDEN_HEADER_VALUE' },
    ]);
  });

  it('are at most twenty, with 8192 characters together', () => {
    const headers = Array.from({ length: 21 }, () => ({ name: 'X', size: 1 }));
    expect(checkHeaderSizes(headers).map(({ code }) => code)).toEqual(['TOO_MANY_HEADERS']);
    const long = Array.from({ length: 4 }, () => ({ name: 'X-A', size: 2_045 }));
    expect(checkHeaderSizes(long)).toEqual([]);
    expect(checkHeaderSizes([...long, { name: 'X', size: 0 }]).map(({ code }) => code)).toEqual(['TOO_LARGE']);
  });
});
