import { describe, expect, it } from 'vitest';
import { compile } from '../../compile.ts';
import type { JsonObject } from '../../json.ts';
import type { QuestionTypeName } from '../../schema/question-schema.ts';
import { surveyOf } from '../../testing/survey-of.ts';

/** A value and its result: the normalised answer, or an error code. */
type Case = readonly [
  members: JsonObject,
  value: unknown,
  outcome: { readonly stored: unknown } | { readonly rejected: string },
];

function stored(value: unknown) {
  return { stored: value };
}
function rejected(code: string) {
  return { rejected: code };
}
function same(members: JsonObject, value: unknown): Case {
  return [members, value, stored(value)];
}

const options = [{ id: 'a', text: 'A' }, 'b', { text: 'other' }, { id: 'none', text: 'None', exclusive: true }];
const gone = { id: 'gone', inactive: true };
const open = { options, allow_other: true };
const rows = { rows: ['r1', { id: '__proto__', text: 'R2' }], options: ['x', 'y'], columns: ['x', 'y'] };
function fileIds(...ids: readonly unknown[]) {
  return ids.map((file_id) => ({ file_id }));
}
/** A row named `__proto__`, which only JSON can express. */
function protoRow(cell: unknown) {
  return JSON.parse(`{"__proto__": ${JSON.stringify(cell)}}`);
}

const CASES: { readonly [Type in QuestionTypeName]: readonly Case[] } = {
  single_choice: [
    same({ options }, 'a'),
    same({ options }, 'b'),
    same({ options }, 'other_option'),
    [{ options: ['e\u0301'] }, 'e\u0301', stored('\u00e9')],
    [{ options }, 'A', rejected('UNKNOWN_OPTION')],
    [{ options: ['a', gone] }, 'gone', rejected('INACTIVE_OPTION')],
    [{ options }, 'other', rejected('UNKNOWN_OPTION')],
    [{ options }, 'constructor', rejected('UNKNOWN_OPTION')],
    [{ options }, 0, rejected('WRONG_TYPE')],
    [{ options }, false, rejected('WRONG_TYPE')],
    [{ options }, ['a'], rejected('WRONG_TYPE')],
    [{ options }, { option: 'other', text: 'x' }, rejected('OTHER_NOT_ALLOWED')],
    same(open, 'a'),
    same(open, { option: 'other', text: 'My own' }),
    [open, { option: 'other', text: 'e\u0301' }, stored({ option: 'other', text: '\u00e9' })],
    [open, 'other', rejected('OTHER_TEXT_REQUIRED')],
    [open, { option: 'other', text: '' }, rejected('OTHER_TEXT_REQUIRED')],
    [open, { option: 'other', text: ' \u200b' }, rejected('OTHER_TEXT_REQUIRED')],
    [open, { option: 'other' }, rejected('OTHER_TEXT_REQUIRED')],
    [open, { option: 'other', text: 5 }, rejected('WRONG_TYPE')],
    [open, { option: 'other', text: 'x'.repeat(1_001) }, rejected('TOO_LONG')],
    [open, { option: 'a', text: 'x' }, rejected('WRONG_TYPE')],
    [open, { option: 'other', text: 'x', more: 1 }, rejected('WRONG_TYPE')],
  ],
  multiple_choice: [
    same({ options }, ['a']),
    [{ options: ['a', gone] }, ['a', 'gone'], rejected('INACTIVE_OPTION')],
    [{ options: ['a', gone], min_selections: 1, required: true }, ['gone'], rejected('INACTIVE_OPTION')],
    [{ options }, ['b', 'a'], stored(['a', 'b'])],
    [{ options }, ['a', 'a'], rejected('DUPLICATE_OPTION')],
    [{ options }, ['a', 'x'], rejected('UNKNOWN_OPTION')],
    [{ options }, ['a', 1], rejected('WRONG_TYPE')],
    [{ options }, 'a', rejected('WRONG_TYPE')],
    [{ options }, { options: ['a'], other: 'x' }, rejected('OTHER_NOT_ALLOWED')],
    same({ options }, ['none']),
    [{ options }, ['none', 'a'], rejected('EXCLUSIVE_OPTION')],
    [{ options, min_selections: 2 }, ['a'], rejected('TOO_FEW')],
    [{ options, min_selections: 2 }, ['none'], stored(['none'])],
    [{ options, min_selections: 2 }, ['none', 'a'], rejected('EXCLUSIVE_OPTION')],
    [{ options, max_selections: 1 }, ['a', 'b'], rejected('TOO_MANY')],
    same({ options, min_selections: 2, max_selections: 2 }, ['a', 'b']),
    same(open, ['a']),
    same(open, { options: ['a'], other: 'x' }),
    same(open, { options: [], other: 'x' }),
    [open, { other: 'x' }, stored({ options: [], other: 'x' })],
    [open, { options: ['b', 'a'], other: '' }, stored(['a', 'b'])],
    [open, { options: [], other: null }, stored(undefined)],
    [open, { options: ['none'], other: 'x' }, rejected('EXCLUSIVE_OPTION')],
    [{ ...open, max_selections: 1 }, { options: ['a'], other: 'x' }, rejected('TOO_MANY')],
    [open, ['other'], rejected('OTHER_TEXT_REQUIRED')],
    [open, { options: 'a', other: 'x' }, rejected('WRONG_TYPE')],
    [open, { options: ['a'], other: ['x'] }, rejected('WRONG_TYPE')],
    [open, { options: ['a'], text: 'x' }, rejected('WRONG_TYPE')],
  ],
  text: [
    same({}, 'hello'),
    [{}, 'e\u0301', stored('\u00e9')],
    ...[' ', '\u00a0', '\u200b', '\u2060', '\u3000', '\u2800', '\u3164', ' \ufeff\t'].map(
      (blank): Case => [{}, blank, stored(undefined)],
    ),
    [{}, ' a\u200b', stored('a\u200b')],
    [{}, 0, rejected('WRONG_TYPE')],
    [{}, ['a'], rejected('WRONG_TYPE')],
    [{}, 'a\nb', rejected('BAD_FORMAT')],
    [{}, 'a\u2028b', rejected('BAD_FORMAT')],
    [{}, 'a\ud800', rejected('BAD_FORMAT')],
    same({}, '😀'.repeat(1_000)),
    [{}, 'x'.repeat(1_001), rejected('TOO_LONG')],
    same({ max_length: 2 }, '😀😀'),
    [{ max_length: 1 }, '😀a', rejected('TOO_LONG')],
    same({ max_length: 1 }, '😀'),
    [{ max_length: 1 }, 'e\u0301', stored('\u00e9')],
    [{ min_length: 2 }, '😀', rejected('TOO_SHORT')],
    same({ min_length: 2 }, 'ab'),
    same({ pattern: '^[A-Z]{2}$' }, 'AB'),
    [{ pattern: '^[A-Z]{2}$' }, 'ABC', rejected('PATTERN_MISMATCH')],
    ...['a@b.co', 'jörg.o+x@exämple.de'].map((value) => same({ format: 'email' }, value)),
    ...['a', 'a@b', 'a b@c.de', 'a@b..de', '@b.de', `${'x'.repeat(65)}@b.de`].map(
      (value): Case => [{ format: 'email' }, value, rejected('BAD_FORMAT')],
    ),
    ...['https://example.org/a?b#c', 'HTTP://localhost:80'].map((value) => same({ format: 'url' }, value)),
    ...['example.org', 'ftp://a.b', 'http://', 'javascript:alert(1)', 'http://a b'].map(
      (value): Case => [{ format: 'url' }, value, rejected('BAD_FORMAT')],
    ),
    ...['+49 (30) 123-456', '12345'].map((value) => same({ format: 'phone' }, value)),
    ...['1234', '+1234567890123456', '12345x', '12+345'].map(
      (value): Case => [{ format: 'phone' }, value, rejected('BAD_FORMAT')],
    ),
    ...['0', '-1.5', '+2', '1e3', '007'].map((value) => same({ format: 'number' }, value)),
    ...['1,5', '1..', '.', 'NaN', '0x1', '1 1'].map(
      (value): Case => [{ format: 'number' }, value, rejected('BAD_FORMAT')],
    ),
    same({ format: 'integer' }, '-12'),
    [{ format: 'integer' }, '1.0', rejected('BAD_FORMAT')],
  ],
  textarea: [
    [{}, 'a\nb\n', stored('a\nb')],
    [{}, '\n \u2028', stored(undefined)],
    same({}, 'x'.repeat(20_000)),
    [{}, 'x'.repeat(20_001), rejected('TOO_LONG')],
    [{ min_length: 3 }, 'ab', rejected('TOO_SHORT')],
    [{}, true, rejected('WRONG_TYPE')],
  ],
  rating: [
    same({}, 1),
    same({}, 5),
    [{}, 0, rejected('OUT_OF_RANGE')],
    [{}, 6, rejected('OUT_OF_RANGE')],
    [{}, 2.5, rejected('OUT_OF_RANGE')],
    [{}, '3', rejected('WRONG_TYPE')],
    [{}, true, rejected('WRONG_TYPE')],
    same({ min: 0, max: 10 }, 0),
    [{ min: -1, max: 1 }, -0, stored(0)],
    same({ min: 0, max: 1, step: 0.1 }, 0.3),
    [{ min: 0, max: 1, step: 0.1 }, 0.1 + 0.2, stored(0.3)],
    [{ min: -0.7, max: 1, step: 0.1 }, -0.7 + 3 * 0.1, stored(-0.4)],
    [{ min: 0, max: 1, step: 0.1 }, 0.35, rejected('OUT_OF_RANGE')],
    [{ min: 0, max: 0.6, step: 0.2 }, 3 * 0.2, stored(0.6)],
    [{ min: 0, max: 0.6, step: 0.2 }, 0.8, rejected('OUT_OF_RANGE')],
    [{ min: 0.1, max: 0.6, step: 0.2 }, -0.1, rejected('OUT_OF_RANGE')],
    [{}, 3.0000001, rejected('OUT_OF_RANGE')],
    [{}, 3.0000000000000004, stored(3)],
    same({ min: 0, max: 1, step: 1e-7 }, 3e-7),
    same({ min: 0, max: 1e21, step: 1e20 }, 3e20),
    [{ min: 0, max: 1e15 }, 2.5, rejected('OUT_OF_RANGE')],
    same({ max: 7 }, 7),
    same({ min: 7 }, 7),
    same({ options: '1-7' }, 7),
    [{ options: ['0-3'] }, 4, rejected('OUT_OF_RANGE')],
    same({ options: '-2 - 2' }, -2),
    same({ options: ['1', '2', '3'] }, 3),
    [
      {
        options: [
          { id: '1', text: 'bad' },
          { id: 3, text: 'good' },
        ],
      },
      4,
      rejected('OUT_OF_RANGE'),
    ],
  ],
  likert: [
    same({ options: ['x', 'y'] }, 'y'),
    [{ options: ['x', gone] }, 'gone', rejected('INACTIVE_OPTION')],
    [{ rows: ['r1', gone], options: ['x'] }, { gone: 'x' }, rejected('INACTIVE_OPTION')],
    same({ rows: ['r1', gone], options: ['x'], required: true }, { r1: 'x' }),
    [{ options: ['x', 'y'] }, 'z', rejected('UNKNOWN_OPTION')],
    [{ options: ['x', 'y'] }, { r1: 'x' }, rejected('WRONG_TYPE')],
    same(rows, { r1: 'x' }),
    same(rows, protoRow('y')),
    [rows, { r1: '', ...protoRow(null) }, stored(undefined)],
    [rows, { r1: 'z' }, rejected('UNKNOWN_OPTION')],
    [
      { rows: ['r2', '\u00c5', 'r1'], options: ['x'] },
      { r1: 'x', 'A\u030a': 'x', r2: 'x' },
      stored({ r2: 'x', '\u00c5': 'x', r1: 'x' }),
    ],
    [{ rows: ['\u00c5'], options: ['x'] }, { '\u212b': 'x', 'A\u030a': 'x' }, rejected('DUPLICATE_OPTION')],
    [rows, { toString: 'x' }, rejected('UNKNOWN_ROW')],
    [rows, 'x', rejected('WRONG_TYPE')],
    [rows, ['x'], rejected('WRONG_TYPE')],
    [rows, { r1: ['x'] }, rejected('WRONG_TYPE')],
    [{ ...rows, required: true }, { r1: 'x' }, rejected('REQUIRED')],
    same({ ...rows, required: true, required_rows: 1 }, { r1: 'x' }),
  ],
  matrix: [
    same(rows, { r1: 'x' }),
    [{ rows: ['r1'], columns: ['x', gone], multiple: true }, { r1: ['x', 'gone'] }, rejected('INACTIVE_OPTION')],
    same(rows, protoRow('x')),
    [rows, { r1: ['x'] }, rejected('WRONG_TYPE')],
    [rows, { r9: 'x' }, rejected('UNKNOWN_ROW')],
    [rows, { r1: 'z' }, rejected('UNKNOWN_OPTION')],
    [{ ...rows, multiple: true }, { r1: ['y', 'x'] }, stored({ r1: ['x', 'y'] })],
    [{ ...rows, multiple: true }, { r1: [] }, stored(undefined)],
    [{ ...rows, multiple: true }, { r1: 'x' }, rejected('WRONG_TYPE')],
    [{ ...rows, multiple: true }, { r1: ['x', 'x'] }, rejected('DUPLICATE_OPTION')],
    [{ ...rows, required: true }, { r1: 'x' }, rejected('REQUIRED')],
    [{ ...rows, required: true, required_rows: 2 }, protoRow('x'), rejected('REQUIRED')],
    same({ ...rows, required: true, required_rows: 1 }, protoRow('x')),
  ],
  date: [
    same({}, '2024-02-29'),
    same({}, '2000-02-29'),
    same({}, '0001-01-01'),
    [{}, '2023-02-29', rejected('BAD_FORMAT')],
    [{}, '1900-02-29', rejected('BAD_FORMAT')],
    [{}, '2024-04-31', rejected('BAD_FORMAT')],
    [{}, '2024-13-01', rejected('BAD_FORMAT')],
    [{}, '2024-00-10', rejected('BAD_FORMAT')],
    [{}, '2024-1-1', rejected('BAD_FORMAT')],
    [{}, '2024-01-01T00:00:00Z', rejected('BAD_FORMAT')],
    [{}, 20240101, rejected('WRONG_TYPE')],
    same({ min: '2024-01-01', max: '2024-01-31' }, '2024-01-01'),
    same({ min: '2024-01-01', max: '2024-01-31' }, '2024-01-31'),
    [{ min: '2024-01-02' }, '2024-01-01', rejected('OUT_OF_RANGE')],
    [{ max: '2024-01-01' }, '2024-01-02', rejected('OUT_OF_RANGE')],
  ],
  time: [
    same({}, '00:00'),
    same({}, '23:59:59'),
    [{}, '24:00', rejected('BAD_FORMAT')],
    [{}, '12:60', rejected('BAD_FORMAT')],
    [{}, '12:00:60', rejected('BAD_FORMAT')],
    [{}, '9:00', rejected('BAD_FORMAT')],
    [{}, '12:00Z', rejected('BAD_FORMAT')],
    [{}, 900, rejected('WRONG_TYPE')],
    same({ min: '09:00', max: '17:00:00' }, '17:00'),
    [{ max: '17:00' }, '17:00:01', rejected('OUT_OF_RANGE')],
    [{ min: '09:00' }, '08:59:59', rejected('OUT_OF_RANGE')],
  ],
  file_upload: [
    same({}, fileIds('f1', 'f2')),
    [{ max_files: 1 }, fileIds('f1', 'f2'), rejected('TOO_MANY')],
    [{}, fileIds(...Array.from({ length: 101 }, (_, index) => `f${index}`)), rejected('TOO_MANY')],
    [{}, fileIds('f1', 'f1'), rejected('DUPLICATE_OPTION')],
    [{}, fileIds(1), rejected('WRONG_TYPE')],
    [{}, fileIds(''), rejected('WRONG_TYPE')],
    [{}, fileIds('a|b'), rejected('WRONG_TYPE')],
    [{}, ['f1'], rejected('WRONG_TYPE')],
    [{}, [{ file_id: 'f1', name: 'x' }], rejected('WRONG_TYPE')],
    [{}, { file_id: 'f1' }, rejected('WRONG_TYPE')],
    [{}, 'f1', rejected('WRONG_TYPE')],
  ],
};

describe.each(Object.entries(CASES))('%s', (type, cases) => {
  it.each(cases)('with %j: the answer %j becomes %j', (members, value, outcome) => {
    const { data, errors } = compile(surveyOf([{ id: 'q', type, ...members }])).validate({ q: value });
    if ('rejected' in outcome) {
      expect(errors.map(({ code, path, question_id }) => [code, path, question_id])).toEqual([
        [outcome.rejected, '/data/q', 'q'],
      ]);
    } else {
      expect(errors).toEqual([]);
      expect(data.q).toStrictEqual(outcome.stored);
    }
  });

  it.each([null, '', [], {}])('counts %j as unanswered', (value) => {
    const members = { rows: ['r'], columns: ['c'], options: ['a'] };
    const rating = type === 'rating' ? {} : members;
    const survey = (required: boolean) => compile(surveyOf([{ id: 'q', type, required, ...rating }]));
    expect(survey(false).validate({ q: value })).toEqual({ data: {}, errors: [], disqualified: false });
    expect(survey(true).validate({ q: value }).errors).toMatchObject([{ code: 'REQUIRED' }]);
    expect(survey(true).validate({ q: value }, { partial: true }).errors).toEqual([]);
  });
});

it('ignores the options of a rating with min and max', () => {
  const { lint } = compile(surveyOf([{ id: 'q', type: 'rating', min: 0, max: 10, options: ['Bad', 'Good'] }]));
  expect(lint.errors).toEqual([]);
});

describe('an option that is no longer offered', () => {
  const gone = { id: 'gone', text: 'Gone', inactive: true };
  const survey = surveyOf([
    { id: 'one', type: 'single_choice', options: ['a', gone] },
    { id: 'many', type: 'multiple_choice', options: ['a', gone] },
    { id: 'rows', type: 'matrix', rows: ['r', gone], columns: ['x', gone] },
  ]);
  const definition = compile(survey);

  it('is accepted in imports and corrections, including by its text', () => {
    const answers = { one: 'Gone', many: ['a', 'gone'], rows: { Gone: 'Gone' } };
    expect(definition.validate(answers, { lenient: true, inactive: true })).toMatchObject({
      data: { one: 'gone', many: ['a', 'gone'], rows: { gone: 'gone' } },
      errors: [],
    });
    expect(definition.validate(answers, { lenient: true }).errors.map(({ code }) => code)).toEqual(
      Array(3).fill('INACTIVE_OPTION'),
    );
  });

  it.each(['likert', 'matrix'])('does not count as an answered row of a %s question', (type) => {
    const rows = ['a', 'b', gone];
    const { validate } = compile(surveyOf([{ id: 'q', type, required: true, rows, options: ['x'], columns: ['x'] }]));
    const codes = (...named: readonly string[]) =>
      validate({ q: Object.fromEntries(named.map((row) => [row, 'x'])) }, { inactive: true }).errors.map(
        ({ code }) => code,
      );
    expect(codes('a', 'gone')).toEqual(['REQUIRED']);
    expect(codes('a', 'b', 'gone')).toEqual([]);
  });

  it('has columns in exports and counts in summaries', () => {
    expect(definition.columns.map(({ name }) => name)).toEqual([
      'one',
      'many[a]',
      'many[gone]',
      'rows[r]',
      'rows[gone]',
    ]);
    expect(definition.questions.map(({ countingRule }) => 'options' in countingRule && countingRule.options)).toEqual([
      ['a', 'gone'],
      ['a', 'gone'],
      ['x', 'gone'],
    ]);
  });

  it('must not be the only one', () => {
    const { lint } = compile(surveyOf([{ id: 'one', type: 'single_choice', options: [gone] }]));
    expect(lint.errors.map(({ code, path }) => [code, path])).toEqual([
      ['MISSING_OPTIONS', '/survey/pages/0/questions/0/options'],
    ]);
  });
});
