import { describe, expect, it } from 'vitest';
import { changedAnswers, mergeStored, withSurvey } from './changes.ts';
import type { Progress } from './progress.ts';

const text = (id: string) => ({ id, type: 'text' as const, title: id, max_length: 5 });
const rows = { id: 'rows', type: 'likert' as const, title: 'rows', options: ['no', 'yes'], rows: ['r', 's'] };
const logic = [
  { question_id: 'c', conditions: [{ source_question: 'a', operator: 'equals' as const, value: 'show' }] },
];
const definition = {
  title: 't',
  supported_languages: ['en'],
  pages: [{ questions: [text('a'), text('b'), text('c'), rows] }],
  logic,
};
const own = { id: 'r', resumeToken: 'token', revision: 1 };
const progressOf = (saved: object | undefined, answers: object): Progress => ({
  survey: { id: 's', version: 1, survey_version: 1, definition, languages: ['en'], metadata_fields: [] },
  answers: answers as Progress['answers'],
  page: 0,
  language: 'en',
  fileNames: {},
  startedAt: '2030-01-01T00:00:00Z',
  ...(saved && { response: { ...own, answers: saved as Progress['answers'] } }),
});
const storedOf = (answers: object) => ({ ...own, revision: 2, answers: answers as Progress['answers'] });

describe('the answers that another device has changed', () => {
  it.each<[string, object | undefined, object, object, readonly unknown[]]>([
    ['are none if the platform has what this device saved', { a: 'x' }, { a: 'y' }, { a: 'x' }, []],
    ['are none if both say the same', { a: 'x' }, { a: 'y', b: 'z' }, { b: 'z', a: 'y' }, []],
    [
      'are none if only the order of members differs',
      {},
      { rows: { r: 'no', s: 'yes' } },
      { rows: { s: 'yes', r: 'no' } },
      [],
    ],
    ['are none if logic hides the question here', { a: 'show', c: 'x' }, { a: 'y', c: 'x' }, { a: 'y' }, []],
    ['are shown if only the other one changed', { a: 'x' }, { a: 'x' }, { a: 'y' }, ['a']],
    ['are shown if the other one removed them', { a: 'x' }, { a: 'x' }, {}, ['a']],
    ['are contested if both changed', { a: 'x' }, { a: 'mine' }, { a: 'y' }, ['a!']],
    [
      'are contested if this one has saved nothing',
      undefined,
      { a: 'mine', b: 'z' },
      { a: 'show', c: 'x' },
      ['a!', 'c'],
    ],
    ['are contested by a text that is still invalid', {}, { a: 'much too long' }, { a: 'y' }, ['a!']],
  ])('%s', (_case, saved, mine, theirs, expected) => {
    const changes = changedAnswers(progressOf(saved, mine), storedOf(theirs));
    expect(changes.map(({ questionId, isContested }) => questionId + (isContested ? '!' : ''))).toEqual(expected);
  });

  it('are taken over, and contested ones as the respondent chooses', () => {
    const progress = progressOf({ a: 'x', b: 'x' }, { a: 'mine', b: 'x' });
    const stored = storedOf({ a: 'theirs', b: 'new' });
    expect(mergeStored(progress, stored, new Set(['a']))).toEqual({
      ...progress,
      answers: { a: 'mine', b: 'new' },
      response: stored,
    });
    expect(mergeStored(progress, stored).answers).toEqual({ a: 'theirs', b: 'new' });
    expect(changedAnswers(mergeStored(progress, stored, new Set(['a'])), stored)).toEqual([]);
  });
});

it('answers that are still invalid are kept with the same version, and dropped with another one', () => {
  const progress = progressOf(undefined, { a: 'much too long', b: 'x' });
  expect(withSurvey(progress, { ...progress.survey })).toBe(progress);
  const survey = { ...progress.survey, version: 2 };
  expect(withSurvey(progress, survey)).toEqual({ ...progress, survey, answers: { b: 'x' } });
});
