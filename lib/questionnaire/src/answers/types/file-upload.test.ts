import { describe, expect, it } from 'vitest';
import { compile } from '../../compile.ts';
import type { JsonObject } from '../../json.ts';
import { fileIdsOf } from '../answer-value.ts';

function fileQuestionsOf(...questions: readonly JsonObject[]) {
  return compile({
    schema_version: '1.0',
    version: 1,
    survey: { title: 'S', supported_languages: ['en'], pages: [{ questions }] },
  }).fileQuestions;
}

describe('fileQuestions', () => {
  it('have the path of their answer and their file rules', () => {
    const file = { id: 'a/b', type: 'file_upload', title: 'Q', max_bytes: 10, accept: ['.PDF', ' image/* '] };
    expect(fileQuestionsOf({ id: 't', type: 'text', title: 'T' }, { ...file, id: 'cv' })).toEqual([
      { id: 'cv', dataPath: '/data/cv', maxBytes: 10, accept: ['.pdf', 'image/*'] },
    ]);
  });

  it.each([
    [undefined, []],
    [null, []],
    ['', []],
    ['image/png, .pdf,', ['image/png', '.pdf']],
    [7, []],
    [['.a', 7], []],
  ])('take, with an accept of %j, %j', (accept, expected) => {
    const question = { id: 'q', type: 'file_upload', title: 'Q', ...(accept !== undefined && { accept }) };
    expect(fileQuestionsOf(question)).toMatchObject([{ accept: expected, maxBytes: undefined }]);
  });
});

it.each([
  [
    [{ file_id: 'a' }, { file_id: 'b' }],
    ['a', 'b'],
  ],
  [[{ file_id: 'a' }, { file_id: 1 }, 'b', null], ['a']],
  [undefined, []],
  ['a', []],
  [{ file_id: 'a' }, []],
])('fileIdsOf(%j) is %j', (answer, ids) => {
  expect(fileIdsOf(answer)).toEqual(ids);
});
