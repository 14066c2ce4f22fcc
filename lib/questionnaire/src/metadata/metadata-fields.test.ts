import { describe, expect, it } from 'vitest';
import {
  checkMetadataFields,
  combineMetadata,
  findProtected,
  type MetadataField,
  readMetadataFields,
  toMetadataFields,
} from './metadata-fields.ts';

const fields: readonly MetadataField[] = [
  { name: 'campaign', type: 'string', max_length: 5, from: ['url', 'link'] },
  { name: 'note', type: 'string', from: ['url'] },
  { name: 'points', type: 'number', from: ['url'] },
  { name: 'vip', type: 'boolean', from: ['url', 'token'] },
  { name: 'joined', type: 'date', from: ['url'] },
  { name: 'tier', type: 'string', from: ['token', 'api'] },
];

describe('checkMetadataFields', () => {
  it.each([
    [{ campaign: 'ab' }, { campaign: 'ab' }],
    [{ campaign: '😀😀😀😀😀' }, { campaign: '😀😀😀😀😀' }],
    [{ campaign: 'cafe\u0301' }, { campaign: 'café' }],
    [{ campaign: '' }, { campaign: '' }],
    [{ points: 1.5 }, { points: 1.5 }],
    [{ points: ' -12.50 ' }, { points: -12.5 }],
    [{ vip: true }, { vip: true }],
    [{ vip: 'FALSE' }, { vip: false }],
    [{ joined: '2024-02-29' }, { joined: '2024-02-29' }],
    [{ points: null }, { points: null }],
    [
      { other: { a: [1] }, 'metadata.vip': 'x', Vip: 1 },
      { other: { a: [1] }, 'metadata.vip': 'x', Vip: 1 },
    ],
  ])('reads %j as %j', (given, expected) => {
    expect(checkMetadataFields(fields, given, 'url')).toEqual({ metadata: expected, problems: [] });
  });

  it.each([
    [{ campaign: 'abcdef' }, '/metadata/campaign TOO_LONG'],
    [{ campaign: 5 }, '/metadata/campaign WRONG_TYPE'],
    [{ campaign: '\ud800' }, '/metadata/campaign BAD_FORMAT'],
    [{ note: 'x'.repeat(4_097) }, '/metadata/note TOO_LONG'],
    [{ points: 'many' }, '/metadata/points WRONG_TYPE'],
    [{ points: '' }, '/metadata/points WRONG_TYPE'],
    [{ points: true }, '/metadata/points WRONG_TYPE'],
    [{ points: '1e400' }, '/metadata/points OUT_OF_RANGE'],
    [{ vip: 1 }, '/metadata/vip WRONG_TYPE'],
    [{ vip: ['true'] }, '/metadata/vip WRONG_TYPE'],
    [{ joined: '2023-02-29' }, '/metadata/joined BAD_FORMAT'],
    [{ joined: 20230228 }, '/metadata/joined WRONG_TYPE'],
    [{ tier: 'gold' }, '/metadata/tier METADATA_NOT_ALLOWED'],
    [{ tier: null }, '/metadata/tier METADATA_NOT_ALLOWED'],
    [{ tier: { $set: 1 } }, '/metadata/tier METADATA_NOT_ALLOWED'],
  ])('rejects %j', (given, expected) => {
    const { problems } = checkMetadataFields(fields, given, 'url');
    expect(problems.map(({ path, code }) => `${path} ${code}`)).toEqual([expected]);
  });

  it('allows each source its fields, and without a source all of them', () => {
    const rejectedFor = (source: 'api' | 'token' | undefined) =>
      checkMetadataFields(fields, { campaign: 'a', vip: true, tier: 'gold' }, source).problems.map(({ path }) => path);
    expect(rejectedFor('api')).toEqual(['/metadata/campaign', '/metadata/vip']);
    expect(rejectedFor('token')).toEqual(['/metadata/campaign']);
    expect(rejectedFor(undefined)).toEqual([]);
  });

  it('reads no inherited members', () => {
    const declared: readonly MetadataField[] = [{ name: 'constructor', type: 'string', from: ['api'] }];
    expect(checkMetadataFields(declared, {}, 'url')).toEqual({ metadata: {}, problems: [] });
  });
});

describe('findProtected', () => {
  it('finds a value that the source cannot set', () => {
    expect(findProtected(fields, { campaign: 'a', tier: 'gold' }, 'url')).toMatchObject({ path: '/metadata' });
    expect(findProtected(fields, { campaign: 'a', tier: null }, 'url')).toBeUndefined();
    expect(findProtected(fields, { tier: 'gold' }, 'api')).toBeUndefined();
  });
});

describe('readMetadataFields', () => {
  it('reads settings, and ignores what is no field', () => {
    expect(readMetadataFields({ metadata_fields: [fields[0], 1, { name: 'x' }, {}] })).toEqual([fields[0]]);
    for (const settings of [undefined, null, [], { metadata_fields: 'x' }])
      expect(readMetadataFields(settings)).toEqual([]);
  });
});

describe('combineMetadata', () => {
  it('prefers the token to the link, and the link to the request', () => {
    const url = { a: 'url', b: 'url', c: 'url' };
    expect(combineMetadata({ url, link: { b: 'link', c: 'link' }, token: { c: 'token' } })).toEqual({
      a: 'url',
      b: 'link',
      c: 'token',
    });
    expect(combineMetadata({ url })).toBe(url);
    expect(combineMetadata({})).toBeUndefined();
  });
});

describe('toMetadataFields', () => {
  it('ignores types and sources of newer releases', () => {
    const from = ['qr', 'url'];
    const given = [
      { name: 'a', type: 'string', maxLength: 5, from },
      { name: 'b', type: 'date', maxLength: undefined, from },
      { name: 'c', type: 'color', from },
    ];
    expect(toMetadataFields(given)).toEqual([
      { name: 'a', type: 'string', max_length: 5, from: ['url'] },
      { name: 'b', type: 'date', from: ['url'] },
    ]);
  });
});
