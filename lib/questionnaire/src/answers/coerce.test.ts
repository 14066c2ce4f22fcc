import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';
import type { JsonObject } from '../json.ts';
import { surveyOf } from '../testing/survey-of.ts';

const options = [
  { id: 'a', text: { en: 'Red', de: 'Rot' } },
  { id: 'b', text: 'Blue' },
  { id: '3', text: 'Three' },
  { id: 'd1', text: 'Same' },
  { id: 'd2', text: 'Same' },
];
const rows = [
  { id: 'r1', text: 'Service' },
  { id: 'r2', text: 'Price' },
];

function validate(question: JsonObject, value: unknown, lenient: boolean) {
  return compile(surveyOf([{ id: 'q', ...question }])).validate({ q: value }, { lenient });
}

describe('lenient validation', () => {
  const cases: readonly (readonly [question: JsonObject, value: unknown, stored: unknown])[] = [
    [{ type: 'rating' }, '4', 4],
    [{ type: 'rating', max: 10, step: 0.5 }, ' 4.50 ', 4.5],
    [{ type: 'single_choice', options }, 'Red', 'a'],
    [{ type: 'single_choice', options }, ' Rot ', 'a'],
    [{ type: 'single_choice', options }, 3, '3'],
    [
      { type: 'single_choice', options, allow_other: true },
      { option: 'other', text: 'x' },
      { option: 'other', text: 'x' },
    ],
    [{ type: 'multiple_choice', options }, ['Blue', 'a'], ['a', 'b']],
    [
      { type: 'multiple_choice', options, allow_other: true },
      { options: ['Red'], other: 'x' },
      { options: ['a'], other: 'x' },
    ],
    [{ type: 'multiple_choice', options, allow_other: true }, { other: 'x' }, { options: [], other: 'x' }],
    [{ type: 'likert', options }, 'Blue', 'b'],
    [
      { type: 'likert', options, rows },
      { Service: 'Blue', r2: 'a' },
      { r1: 'b', r2: 'a' },
    ],
    [{ type: 'matrix', columns: options, rows }, { Price: 'Blue' }, { r2: 'b' }],
    [{ type: 'matrix', columns: options, rows, multiple: true }, { Price: ['Blue', 'Red'] }, { r2: ['a', 'b'] }],
    [{ type: 'text' }, 42, '42'],
    [{ type: 'textarea' }, 4.5, '4.5'],
  ];

  it.each(cases)('for %j: the value %j is stored as %j', (question, value, stored) => {
    expect(validate(question, value, true)).toMatchObject({ data: { q: stored }, errors: [] });
  });

  it.each(cases.filter(([question]) => question.allow_other !== true))(
    'is rejected without lenient: %j %j',
    (question, value) => {
      expect(validate(question, value, false).errors).toHaveLength(1);
    },
  );

  it.each<[JsonObject, unknown, string]>([
    [{ type: 'rating' }, 'four', 'WRONG_TYPE'],
    [{ type: 'rating' }, '0x4', 'WRONG_TYPE'],
    [{ type: 'rating' }, '9', 'OUT_OF_RANGE'],
    [{ type: 'single_choice', options }, 'red', 'UNKNOWN_OPTION'],
    [{ type: 'single_choice', options }, 'Same', 'AMBIGUOUS_OPTION'],
    [{ type: 'single_choice', options }, true, 'WRONG_TYPE'],
    [{ type: 'multiple_choice', options }, ['Same'], 'AMBIGUOUS_OPTION'],
    [{ type: 'multiple_choice', options }, ['Red', 'a'], 'DUPLICATE_OPTION'],
    [{ type: 'multiple_choice', options }, 'Red', 'WRONG_TYPE'],
    [{ type: 'multiple_choice', options, allow_other: true }, { options: ['Same'], other: 'x' }, 'AMBIGUOUS_OPTION'],
    [{ type: 'likert', options, rows }, { Service: 'Same' }, 'AMBIGUOUS_OPTION'],
    [{ type: 'likert', options, rows }, { Service: 'a', r1: 'b' }, 'DUPLICATE_OPTION'],
    [{ type: 'likert', options, rows }, { Nothing: 'a' }, 'UNKNOWN_ROW'],
    [{ type: 'matrix', columns: options, rows: options }, { Same: 'a' }, 'AMBIGUOUS_OPTION'],
    [{ type: 'matrix', columns: options, rows }, 'a', 'WRONG_TYPE'],
    [{ type: 'text' }, true, 'WRONG_TYPE'],
  ])('refuses for %j the value %j with %s', (question, value, code) => {
    expect(validate(question, value, true).errors).toMatchObject([{ code }]);
  });
});
