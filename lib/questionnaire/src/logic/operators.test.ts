import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';
import type { JsonObject } from '../json.ts';
import { rule, surveyOf, textQuestion } from '../testing/survey-of.ts';

function compiled(questions: readonly JsonObject[], ...logic: readonly JsonObject[]) {
  return compile(surveyOf(questions, { logic }));
}

function answered(survey: ReturnType<typeof compile>, data: JsonObject) {
  return Object.keys(survey.validate(data).data);
}
const target = textQuestion('t');

describe('5. an unanswered source', () => {
  const cases: readonly (readonly [source: JsonObject, operator: string, value: unknown, visible: boolean])[] = [
    [{ type: 'text' }, 'equals', 'x', false],
    [{ type: 'text' }, 'not_equals', 'x', true],
    [{ type: 'text' }, 'contains', 'x', false],
    [{ type: 'text' }, 'not_contains', 'x', true],
    [{ type: 'text' }, 'in', ['x'], false],
    [{ type: 'text' }, 'not_in', ['x'], true],
    [{ type: 'rating' }, 'greater_than', 0, false],
    [{ type: 'rating' }, 'greater_or_equal', 0, false],
    [{ type: 'rating' }, 'less_than', 9, false],
    [{ type: 'rating' }, 'less_or_equal', 9, false],
    [{ type: 'text' }, 'matches', '', false],
    [{ type: 'text' }, 'is_answered', undefined, false],
    [{ type: 'text' }, 'is_not_answered', undefined, true],
  ];
  it.each(cases)('%j %s %j holds: %s', (source, operator, value, visible) => {
    const survey = compiled([{ id: 's', ...source }, target], rule('t', 'show', 's', operator, value));
    expect(survey.lint.errors).toEqual([]);
    expect(answered(survey, { t: 'x' })).toEqual(visible ? ['t'] : []);
  });
});

describe('6. answers are compared by the type of their question', () => {
  const choice = {
    type: 'single_choice',
    options: [
      { id: 'a', text: 'Red' },
      { id: 'b', text: { en: 'Blue', de: 'Blau' } },
    ],
    allow_other: true,
  };
  const choices = { ...choice, type: 'multiple_choice' };
  const other = { option: 'other', text: 'Green' };
  const cases: readonly (readonly [
    source: JsonObject,
    operator: string,
    value: unknown,
    answer: unknown,
    holds: boolean,
  ])[] = [
    [choice, 'equals', 'a', 'a', true],
    [choice, 'equals', 'a', 'b', false],
    [choice, 'equals', 'Red', 'a', true],
    [choice, 'equals', 'Blau', 'b', true],
    [choice, 'equals', 'other', other, true],
    [choice, 'not_equals', 'a', other, true],
    [choice, 'in', ['b', 'Red'], 'a', true],
    [choice, 'in', 'a', 'a', true],
    [choice, 'not_in', ['a', 'b'], other, true],
    [{ ...choice, options: ['1', '2'] }, 'equals', 1, '1', true],
    [{ type: 'likert', options: ['low', 'high'] }, 'equals', 'high', 'high', true],
    [choices, 'contains', 'a', ['a', 'b'], true],
    [choices, 'contains', 'Blue', ['a'], false],
    [choices, 'contains', 'other', { options: [], other: 'Green' }, true],
    [choices, 'not_contains', 'a', ['b'], true],
    [choices, 'equals', 'a', ['a'], true],
    [choices, 'equals', 'a', ['a', 'b'], false],
    [choices, 'equals', ['b', 'a'], ['a', 'b'], true],
    [choices, 'not_equals', ['a'], ['a', 'b'], true],
    [choices, 'in', ['a', 'other'], { options: ['b'], other: 'x' }, true],
    [choices, 'not_in', ['a'], ['a', 'b'], false],
    [{ type: 'rating', max: 10 }, 'equals', '4', 4, true],
    [{ type: 'rating', max: 10 }, 'greater_than', '9', 10, true],
    [{ type: 'rating', max: 10 }, 'greater_than', 10, 10, false],
    [{ type: 'rating', max: 10 }, 'greater_or_equal', 10, 10, true],
    [{ type: 'rating', max: 10 }, 'less_than', 10, 9, true],
    [{ type: 'rating', max: 10 }, 'less_or_equal', 9, 10, false],
    [{ type: 'rating', min: 0 }, 'equals', 0, 0, true],
    [{ type: 'rating', min: 0 }, 'is_answered', undefined, 0, true],
    [{ type: 'text', format: 'number' }, 'greater_than', 9, '10', true],
    [{ type: 'text', format: 'integer' }, 'equals', 7, '007', true],
    [{ type: 'text', format: 'integer' }, 'contains', '00', '007', true],
    [{ type: 'text', format: 'integer' }, 'matches', '^00', '007', true],
    [{ type: 'date' }, 'greater_than', '2024-09-30', '2024-10-01', true],
    [{ type: 'date' }, 'less_or_equal', '2024-09-30', '2024-09-30', true],
    [{ type: 'time' }, 'equals', '09:30', '09:30:00', true],
    [{ type: 'time' }, 'greater_than', '09:30', '09:30:01', true],
    [{ type: 'text' }, 'equals', 'Straße', 'Straße', true],
    [{ type: 'text' }, 'equals', 'yes', 'Yes', false],
    [{ type: 'text' }, 'equals', 'e\u0301', '\u00e9', true],
    [{ type: 'text' }, 'equals', 7, '7', true],
    [{ type: 'text' }, 'contains', 'STRASSE', 'Hauptstraße 1', true],
    [{ type: 'text' }, 'contains', 'ΟΔΟΣ', 'οδος', true],
    [{ type: 'textarea' }, 'not_contains', 'spam', 'no SPAM here', false],
    [{ type: 'textarea' }, 'in', ['a', 'b'], 'b', true],
    [{ type: 'file_upload' }, 'is_answered', undefined, [{ file_id: 'f' }], true],
    [{ type: 'matrix', rows: ['r'], columns: ['c'] }, 'is_not_answered', undefined, { r: 'c' }, false],
  ];
  it.each(cases)('%j %s %j for the answer %j: %s', (source, operator, value, answer, holds) => {
    const survey = compiled([{ id: 's', ...source }, target], rule('t', 'show', 's', operator, value));
    expect(survey.lint.errors).toEqual([]);
    expect(survey.validate({ s: answer }).errors).toEqual([]);
    expect(answered(survey, { s: answer, t: 'x' }).includes('t')).toBe(holds);
  });
});
