import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { describe, expect, it } from 'vitest';
import { renewIds } from './ids.ts';

const options = [
  { id: 'r', text: 'Red' },
  { id: 'b', text: 'Blue' },
];
const payload = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'T',
    supported_languages: ['en'],
    pages: [
      {
        id: 'p1',
        questions: [
          { id: 'one', type: 'single_choice', title: 'T', options, allow_other: true },
          { id: 'many', type: 'multiple_choice', title: 'T', options: [...options, 'Green'] },
          { id: 'grid', type: 'matrix', title: 'T', rows: [{ id: 'row', text: 'Row' }], columns: options },
          { id: 'mood', type: 'likert', title: 'T', options },
          { id: 'stars', type: 'rating', title: 'T', options: [{ id: '1' }, { id: '3' }] },
          { id: 'why', type: 'text', title: 'T', own: { r: 'r' } },
          { type: 'text', title: 'Without an id' },
        ],
      },
    ],
    sections: [{ id: 's', title: 'S', question_ids: ['why', 'stars'] }],
    logic: [
      { question_id: 's', conditions: [{ source_question: 'one', operator: 'equals', value: 'r', action: 'show' }] },
      { question_id: 'stars', conditions: [{ question_id: 'many', operator: 'in', value: ['b', 'Green', 'Red'] }] },
      {
        question_id: 'one',
        conditions: [
          { source_question: 'one', operator: 'equals', value: 'b', action: 'skip_to', target_question: 'why' },
        ],
      },
      { question_id: 'why', conditions: [{ source_question: 'stars', operator: 'equals', value: 1 }] },
    ],
  },
};
const answers = {
  one: 'r',
  many: ['b', 'Green', 'Red'],
  grid: { row: 'r' },
  mood: 'b',
  stars: 3,
  why: 'r',
};

function countingIds() {
  let count = 0;
  return () => {
    count += 1;
    return `new-${count}`;
  };
}

const renewed = renewIds(payload, countingIds());
const questions = () => {
  const survey = renewed.payload['survey'] as { pages: [{ questions: (JsonObject & { id?: string })[] }] };
  return survey.pages[0].questions;
};
const idOf = (position: number) => String(questions()[position]?.id);

describe('renewIds', () => {
  it('replaces all ids of questions, options, rows, pages and sections', () => {
    const given = JSON.stringify(renewed.payload);
    for (const id of ['one', 'many', 'grid', 'mood', 'stars', 'why', 'row', 's', 'p1']) {
      expect(given).not.toContain(`"${id}"`);
    }
    expect(questions()[0]?.['options']).toEqual([
      { id: expect.stringMatching(/^new-/), text: 'Red' },
      { id: expect.stringMatching(/^new-/), text: 'Blue' },
    ]);
  });

  it('keeps everything that is not an id', () => {
    expect(questions()[4]?.['options']).toEqual([{ id: '1' }, { id: '3' }]);
    expect(questions()[5]?.['own']).toEqual({ r: 'r' });
    expect(questions()[6]).toEqual({ type: 'text', title: 'Without an id' });
  });

  it('does not change its input', () => {
    const before = structuredClone(payload);
    renewIds(payload, countingIds());
    expect(payload).toEqual(before);
  });

  it('keeps the survey valid, with equivalent logic', () => {
    const [before, after] = [compile(payload), compile(renewed.payload)];
    expect(before.lint).toEqual({ errors: [], warnings: [] });
    expect(after.lint).toEqual(before.lint);
    for (const one of ['r', 'b', { option: 'other', text: 'x' }]) {
      const given = { ...answers, one };
      const keep = before.validate(given, { lenient: true });
      const changed = after.validate(renewed.renameIdsInAnswers(given), { lenient: true });
      expect(keep.errors).toEqual([]);
      expect(changed.errors).toEqual([]);
      expect(Object.keys(changed.data)).toHaveLength(Object.keys(keep.data).length);
    }
  });

  it('rewrites answers to the new ids, and keeps texts', () => {
    const given = renewed.renameIdsInAnswers({ ...answers, one: { option: 'r', text: 'r' }, unknown: 'r' });
    // The lists of the survey above contain objects and texts.
    const idsIn = (position: number, list: string) =>
      ((questions()[position]?.[list] ?? []) as { id?: string }[]).map(({ id }) => id);
    expect(given).toEqual({
      [idOf(0)]: { option: idsIn(0, 'options')[0], text: 'r' },
      [idOf(1)]: [idsIn(1, 'options')[1], 'Green', 'Red'],
      [idOf(2)]: { [String(idsIn(2, 'rows')[0])]: idsIn(2, 'columns')[0] },
      [idOf(3)]: idsIn(3, 'options')[1],
      [idOf(4)]: 3,
      [idOf(5)]: 'r',
      unknown: 'r',
    });
  });

  it('rewrites values by the name of their column', () => {
    const idsIn = (position: number, list: string) =>
      ((questions()[position]?.[list] ?? []) as { id?: string }[]).map(({ id }) => id);
    const [row] = idsIn(2, 'rows');
    const [r, b] = idsIn(2, 'columns');
    const given = {
      'grid[row]': ['r', 'b', 'Mauve'],
      'grid[row][b]': 'x',
      'grid[gone]': 'r',
      grid: { gone: 'b' },
      one: { one: 'Blue', 'one.other': 'r' },
      'one.other': 'r',
      'many[r]': 'x',
      'elsewhere[r]': 'r',
      'why not': 'r',
    };
    expect(renewed.renameColumns(given)).toEqual({
      [`${idOf(2)}[${row}]`]: [r, b, 'Mauve'],
      [`${idOf(2)}[${row}][${b}]`]: 'x',
      [`${idOf(2)}[gone]`]: r,
      [idOf(2)]: { gone: b },
      [idOf(0)]: { [idOf(0)]: 'Blue', [`${idOf(0)}.other`]: 'r' },
      [`${idOf(0)}.other`]: 'r',
      [`${idOf(1)}[${idsIn(1, 'options')[0]}]`]: 'x',
      'elsewhere[r]': 'r',
      'why not': 'r',
    });
  });

  it.each([
    ['texts', ['Speed', 'Price']],
    ['objects without an id', [{ text: 'Speed' }, { text: 'Price' }]],
    ['some of each', ['Speed', { id: 'Price', text: 'Price' }]],
  ])('rewrites choices in rows that are %s', (_, rows) => {
    const grids = [
      { id: 'grid', type: 'matrix', title: 'T', rows, columns: options },
      { id: 'mood', type: 'likert', title: 'T', rows, options },
    ];
    const survey = { title: 'T', supported_languages: ['en'], pages: [{ questions: grids }] };
    const { payload: copy, renameIdsInAnswers } = renewIds(
      { schema_version: '1.0', version: 1, survey },
      countingIds(),
    );
    const given = renameIdsInAnswers({ grid: { Speed: 'r', Price: 'b' }, mood: { Speed: 'b', Price: 'Red' } });
    const { data, errors } = compile(copy).validate(given, { lenient: true });
    expect(errors).toEqual([]);
    expect(Object.values(data).map((answer) => Object.keys(answer ?? {}).length)).toEqual([2, 2]);
  });
});
