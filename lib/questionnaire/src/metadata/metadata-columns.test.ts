import { describe, expect, it } from 'vitest';
import { declaredMetadata, metadataCells, metadataColumnNames, toMetadataTarget } from './metadata-columns.ts';
import type { MetadataField } from './metadata-fields.ts';

const fields: readonly MetadataField[] = [
  { name: 'campaign', type: 'string', from: ['url'] },
  { name: 'points', type: 'number', from: ['url'] },
  { name: 'vip', type: 'boolean', from: ['url'] },
  { name: 'joined', type: 'date', from: ['url'] },
];

describe('columns of metadata', () => {
  it('have names that questions do not have, which imports read', () => {
    const names = metadataColumnNames(fields.slice(0, 2), new Set(['metadata.points', 'metadata']));
    expect(names).toEqual(['metadata.campaign', 'response:metadata.points', 'response:metadata']);
    expect(names.map(toMetadataTarget)).toEqual(['metadata.campaign', 'metadata.points', 'metadata']);
    expect(['metadatum', 'Metadata', 'response:id'].map(toMetadataTarget)).toEqual([undefined, undefined, undefined]);
  });

  it('have the values of fields by type, and the rest as JSON', () => {
    const metadata = { vip: false, joined: '2024-02-29', more: { a: [1] }, campaign: 'a', points: 1.5, Vip: null };
    expect(metadataCells(fields, metadata)).toEqual([
      { text: 'a' },
      { text: '1.5', kind: 'number' },
      { text: 'false' },
      { text: '2024-02-29', kind: 'date' },
      { text: '{"more":{"a":[1]},"Vip":null}' },
    ]);
  });

  it('are empty without values', () => {
    const empty = Array.from({ length: 5 }, () => ({ text: '' }));
    expect(metadataCells(fields, undefined)).toEqual(empty);
    expect(metadataCells(fields, { points: null })).toEqual(empty);
  });

  it('have values that do not fit as texts', () => {
    const metadata = { campaign: 5, points: '5', vip: 'true', joined: '2024' };
    expect(metadataCells(fields, metadata)).toEqual([
      { text: '5', isUnfit: true },
      { text: '5', isUnfit: true },
      { text: 'true', isUnfit: true },
      { text: '2024', isUnfit: true },
      { text: '' },
    ]);
  });
});

it('declaredMetadata has the values of fields', () => {
  expect(declaredMetadata(fields, { campaign: 'a', points: null, other: 1 })).toEqual({ campaign: 'a' });
  expect(declaredMetadata(fields, undefined)).toEqual({});
});
