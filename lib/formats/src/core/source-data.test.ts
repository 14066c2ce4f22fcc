import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import { fitSize } from './source-data.ts';

const NEEDED = new Set(['source', 'source_id']);
/** More than a third of the limit of a survey. */
const THIRD = 'x'.repeat(400_000);
const payloadWith = (note: string, rest: Record<string, string> = {}) => ({
  version: 1,
  survey: {
    title: 'Large',
    source_data: { source: 'x', note, ...rest },
    pages: [
      {
        source_data: { source_id: 'p', note },
        questions: [
          { id: 'q', options: [{ id: 'o', source_data: { note: 'kept' } }], source_data: { source_id: 'q', note } },
        ],
      },
    ],
  },
});
const withoutNotes = (rest: Record<string, string> = {}) => ({
  version: 1,
  survey: {
    title: 'Large',
    source_data: { source: 'x', ...rest },
    pages: [
      {
        source_data: { source_id: 'p' },
        questions: [
          { id: 'q', options: [{ id: 'o', source_data: { note: 'kept' } }], source_data: { source_id: 'q' } },
        ],
      },
    ],
  },
});

function fit(payload: ReturnType<typeof payloadWith>) {
  const warnings: FieldProblem[] = [];
  return { payload: fitSize(payload, NEEDED, (warning) => warnings.push(warning)), warnings };
}

describe('fitSize', () => {
  it('does not change a survey within the limit', () => {
    expect(fit(payloadWith('small'))).toEqual({ payload: payloadWith('small'), warnings: [] });
  });

  it('removes the largest members of source_data, with a warning', () => {
    const { payload, warnings } = fit(payloadWith(THIRD, { tables: 'y'.repeat(100_000), settings: 'z' }));
    expect(warnings).toEqual([
      {
        path: '',
        code: 'NOT_IMPORTED',
        detail: expect.stringMatching(/these members of source_data are not imported: note$/),
      },
    ]);
    expect(payload).toEqual(withoutNotes({ tables: 'y'.repeat(100_000), settings: 'z' }));
  });

  it('removes no more than necessary', () => {
    const { payload, warnings } = fit(payloadWith(THIRD, { tables: THIRD.repeat(4), settings: 'z' }));
    expect(warnings.map(({ detail }) => detail)).toEqual([expect.stringContaining('are not imported: tables, note')]);
    expect(payload).toEqual(withoutNotes({ settings: 'z' }));
  });

  it('does not change a survey with too large texts, which validation rejects', () => {
    const payload = { ...payloadWith(''), survey: { ...withoutNotes().survey, title: THIRD.repeat(3) } };
    const warnings: FieldProblem[] = [];
    expect(fitSize(payload, NEEDED, (warning) => warnings.push(warning))).toEqual(payload);
    expect(warnings).toEqual([]);
  });
});
