import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import { createWarnOnce } from '../../files/report.ts';
import { bytesOf } from '../source-data.ts';
import { fitMetadata } from './metadata.ts';
import { MAX_METADATA, type UnassignedValue } from './response.ts';

function fit(metadata: Parameters<typeof fitMetadata>[0], unassigned: readonly UnassignedValue[] = []) {
  const warnings: FieldProblem[] = [];
  const warnOnce = createWarnOnce((warning) => warnings.push(warning));
  return { fitted: fitMetadata(metadata, { warnOnce, path: '/responses/3', unassigned }), warnings };
}

describe('fitMetadata', () => {
  it('is undefined for empty metadata', () => {
    expect(fit({})).toEqual({ fitted: { metadata: undefined }, warnings: [] });
  });

  it('keeps metadata up to the limit', () => {
    const metadata = { note: 'x'.repeat(MAX_METADATA - '{"note":""}'.length) };
    expect(fit(metadata)).toEqual({ fitted: { metadata }, warnings: [] });
  });

  it('removes the largest members beyond the limit, with a warning', () => {
    const metadata = { ip: '192.0.2.1', quiz: 'x'.repeat(MAX_METADATA), seed: '7' };
    const { fitted, warnings } = fit(metadata);
    expect(fitted).toEqual({
      metadata: { ip: '192.0.2.1', seed: '7' },
      unassigned: [{ column: 'quiz', code: 'TOO_LARGE', detail: 'the metadata of the response is full' }],
    });
    expect(warnings).toEqual([
      { path: '/responses/3', code: 'NOT_IMPORTED', detail: expect.stringMatching(/are not imported: quiz$/) },
    ]);
  });

  it('removes everything if each member is too large', () => {
    expect(fit({ quiz: 'x'.repeat(MAX_METADATA) }).fitted.metadata).toBeUndefined();
  });

  it('removes members until the rest fits, however short their names are', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const groups = Array.from({ length: 60 }, (_, at) => [
      `g${at}`,
      Object.fromEntries(letters.map((one) => [one, 1])),
    ]);
    const { fitted } = fit(Object.fromEntries(groups));
    expect(bytesOf(fitted.metadata ?? {})).toBeLessThanOrEqual(MAX_METADATA);
    const kept = Object.values(fitted.metadata ?? {}).flatMap((group) => Object.keys(group ?? {}));
    expect(kept.length + (fitted.unassigned?.length ?? 0)).toBe(60 * letters.length);
  });

  it('removes members of objects, and reports values in them as no longer kept', () => {
    const source = { a: 'x', b: 'y'.repeat(MAX_METADATA) };
    const value = { code: 'UNKNOWN_COLUMN', detail: 'none' } as const;
    const unassigned = ['a', 'b'].map((column) => ({ ...value, column, keptAs: ['source_data', column] }));
    const { fitted } = fit({ source_data: source, repeats: { kid: ['z'.repeat(MAX_METADATA)] } }, unassigned);
    expect(fitted).toEqual({
      metadata: { source_data: { a: 'x' } },
      unassigned: [
        unassigned[0],
        { ...value, column: 'b', detail: 'none, and the metadata of the response is full' },
        { column: 'repeats.kid', code: 'TOO_LARGE', detail: 'the metadata of the response is full' },
      ],
    });
  });
});
