import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import { fitSize } from './fit-size.ts';

const NAMES = new Set(['source', 'source_id']);
const payloadWith = (note: string) => ({
  version: 1,
  survey: {
    title: 'Large',
    source_data: { source: 'x', note },
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

function fit(note: string) {
  const warnings: FieldProblem[] = [];
  const payload = fitSize(payloadWith(note), NAMES, (warning) => warnings.push(warning));
  return { payload, codes: warnings.map(({ code }) => code) };
}

describe('fitSize', () => {
  it('leaves a survey that can be stored as it is', () => {
    expect(fit('small')).toEqual({ payload: payloadWith('small'), codes: [] });
  });

  it('leaves out what is only kept of a survey that could not be, and says so', () => {
    const { payload, codes } = fit('x'.repeat(400_000));
    expect(codes).toEqual(['NOT_IMPORTED']);
    expect(payload).toEqual({
      version: 1,
      survey: {
        title: 'Large',
        source_data: { source: 'x' },
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
  });
});
