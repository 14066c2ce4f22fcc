import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import { MAX_METADATA } from './file-response.ts';
import { fitMetadata } from './fit-metadata.ts';
import { createWarnOnce } from './warn-once.ts';

function fit(metadata: Parameters<typeof fitMetadata>[0]) {
  const warnings: FieldProblem[] = [];
  const warnOnce = createWarnOnce((warning) => warnings.push(warning));
  return { fitted: fitMetadata(metadata, warnOnce, '/responses/3'), warnings };
}

describe('fitMetadata', () => {
  it('is undefined for empty metadata', () => {
    expect(fit({})).toEqual({ fitted: undefined, warnings: [] });
  });

  it('keeps metadata up to the limit', () => {
    const metadata = { note: 'x'.repeat(MAX_METADATA - '{"note":""}'.length) };
    expect(fit(metadata)).toEqual({ fitted: metadata, warnings: [] });
  });

  it('removes the largest members beyond the limit, with a warning', () => {
    const metadata = { ip: '192.0.2.1', quiz: 'x'.repeat(MAX_METADATA), seed: '7' };
    const { fitted, warnings } = fit(metadata);
    expect(fitted).toEqual({ ip: '192.0.2.1', seed: '7' });
    expect(warnings).toEqual([
      { path: '/responses/3', code: 'NOT_IMPORTED', detail: expect.stringMatching(/are not imported: quiz$/) },
    ]);
  });

  it('removes everything if each member is too large', () => {
    expect(fit({ quiz: 'x'.repeat(MAX_METADATA) }).fitted).toBeUndefined();
  });
});
