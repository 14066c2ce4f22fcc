import { describe, expect, it } from 'vitest';
import { readQuestions } from '../definitions/questions.ts';
import { formatAnswer, toLine } from './format-answer.ts';

const options = [
  { id: 'a', text: { en: 'Apple', de: 'Apfel' } },
  { id: 'b', text: 'Banana' },
];

/** Formats an answer in German to a survey in English and German. */
function format(question: object, answer: unknown, language = 'de'): string {
  const definition = { supported_languages: ['en', 'de'], pages: [{ questions: [{ id: 'q', ...question }] }] };
  return toLine(formatAnswer(readQuestions(definition, language)[0], answer, language));
}

describe('formatAnswer', () => {
  it.each([
    ['an option', { type: 'single_choice', options }, 'a', 'Apfel'],
    [
      'a text in place of an option',
      { type: 'single_choice', options },
      { option: 'other', text: 'Kiwi' },
      'Other: Kiwi',
    ],
    ['options', { type: 'multiple_choice', options }, ['a', 'b'], 'Apfel, Banana'],
    [
      'options and a text',
      { type: 'multiple_choice', options },
      { options: ['b'], other: 'Kiwi' },
      'Banana, Other: Kiwi',
    ],
    ['only a text', { type: 'multiple_choice', options }, { options: [], other: 'Kiwi' }, 'Other: Kiwi'],
    ['an option without a text', { type: 'single_choice', options: [{ id: 'c' }] }, 'c', 'c'],
    ['an option that is only a text', { type: 'single_choice', options: ['Fig'] }, 'Fig', 'Fig'],
    ['an option of another version', { type: 'single_choice', options }, 'gone', 'gone'],
    ['a text', { type: 'text' }, '<b>1</b>', '<b>1</b>'],
    ['a long text', { type: 'textarea' }, 'one\ntwo', 'one\ntwo'],
    ['a number', { type: 'rating', step: 0.5 }, 4.5, '4,5'],
    ['a number with a label', { type: 'rating', labels: { 5: { en: 'Good', de: 'Gut' } } }, 5, '5 (Gut)'],
    ['a number with a label in a list', { type: 'rating', min: 0, max: 2, labels: ['no', '', 'yes'] }, 2, '2 (yes)'],
    ['a scale', { type: 'likert', options }, 'a', 'Apfel'],
    [
      'a scale for rows',
      { type: 'likert', options, rows: [{ id: 'r', text: { de: 'Zeile' } }] },
      { r: 'a' },
      'Zeile: Apfel',
    ],
    ['a matrix', { type: 'matrix', columns: options, rows: ['x', 'y'] }, { x: 'a', y: 'b' }, 'x: Apfel; y: Banana'],
    [
      'a matrix with sets',
      { type: 'matrix', multiple: true, columns: options, rows: ['x'] },
      { x: ['a', 'b'] },
      'x: Apfel, Banana',
    ],
    ['a day', { type: 'date' }, '2026-02-08', '8. Februar 2026'],
    ['a day that does not exist', { type: 'date' }, '2026-02-38', '2026-02-38'],
    ['a time', { type: 'time' }, '09:05', '09:05'],
    ['a time with seconds', { type: 'time' }, '09:05:07', '09:05:07'],
    ['files', { type: 'file_upload' }, [{ file_id: '1' }, { file_id: '2' }], '2 files'],
    ['an unknown type', { type: 'later' }, { deep: [1] }, '{"deep":[1]}'],
    ['an answer that does not fit', { type: 'multiple_choice', options }, 7, '7'],
    ['zero', { type: 'rating', min: 0 }, 0, '0'],
  ])('formats %s', (_case, question, answer, text) => {
    expect(format(question, answer)).toBe(text);
  });

  it.each([undefined, null, '', ' ', [], {}])('shows nothing for %j', (answer) => {
    expect(format({ type: 'text' }, answer)).toBe('');
  });

  it('shows answers to unknown questions as they are', () => {
    expect(toLine(formatAnswer(undefined, ['x'], 'en'))).toBe('["x"]');
  });

  it('takes the language of the browser for one that is no language tag', () => {
    expect(format({ type: 'date' }, '2026-02-08', 'not a language')).toContain('2026');
  });
});
