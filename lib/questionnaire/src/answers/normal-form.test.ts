import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';
import { readNumber } from '../index.ts';
import type { JsonObject } from '../json.ts';
import { rule, surveyOf, textQuestion } from '../testing/survey-of.ts';

const LANGUAGES = { supported_languages: ['en', 'de'] };

function store(members: JsonObject, answer: unknown, language?: string) {
  const { validate } = compile(surveyOf([{ id: 'q', ...members }], LANGUAGES));
  const { data, errors } = validate({ q: answer }, { language });
  if (errors.length > 0) return errors[0]?.code;
  // A stored answer is its own normal form, also for a respondent in another language.
  expect(validate(data)).toEqual({ data, errors: [], disqualified: false });
  return data['q'];
}

const text = (format: string): JsonObject => ({ type: 'text', format });
const choice: JsonObject = { type: 'single_choice', options: ['a'], allow_other: true };

describe('a normal form', () => {
  it.each([
    // Blanks, no-break spaces and invisible characters around.
    [text('email'), ' pat@example.org\u00a0', 'pat@example.org'],
    [text('email'), '\u202apat@example.org\u202c\u200b', 'pat@example.org'],
    [text('email'), 'пат@пример.рф', 'пат@пример.рф'],
    [text('email'), 'pa\u200bt@example.org', 'BAD_FORMAT'],
    [text('email'), 'pat@exam\u00adple.org', 'BAD_FORMAT'],
    [text('url'), ' HTTPS://example.org/ü?a=1 ', 'HTTPS://example.org/ü?a=1'],
    [text('url'), 'https://example.org/\u2060a', 'BAD_FORMAT'],
    [text('phone'), '\u206847\u00a0000 00 003\u2069', '47 000 00 003'],
    [text('phone'), '+49\u200e 30\u201112345', '+49 30-12345'],
    [text('number'), ' 12.5\u200f', '12.5'],
    [{ type: 'date' }, ' 2026-03-01\u200b', '2026-03-01'],
    [{ type: 'time' }, '\u00a010:30 ', '10:30'],
    // Digits and signs of other scripts.
    [text('phone'), '٠٥٠١٢٣٤٥٦٧', '0501234567'],
    [text('number'), '١٢٫٥', '12.5'],
    [text('integer'), '۱۲', '12'],
    [text('integer'), '４２', '42'],
    [text('integer'), '\u{1d7d8}\u{1d7e1}', '09'],
    [text('number'), '\u22125', '-5'],
    [text('number'), '-.5', '-0.5'],
    [text('number'), '5.', '5'],
    [text('number'), '+1.50e3', '+1.50e3'],
    [{ type: 'date' }, '２０２６-０３-０１', '2026-03-01'],
    [{ type: 'time' }, '١٠:٣٠', '10:30'],
    // The respondent's own text.
    [choice, { option: 'other', text: '\u200b\u00a0 My way \ufeff' }, { option: 'other', text: 'My way' }],
    [choice, { option: 'other', text: 'می\u200cخواهم ❤\ufe0f' }, { option: 'other', text: 'می\u200cخواهم ❤\ufe0f' }],
    // Free texts lose only surrounding blanks.
    [{ type: 'text' }, ' \u00a0a  b\u200d\t', 'a  b\u200d'],
    [{ type: 'text' }, 'a\n', 'BAD_FORMAT'],
    [{ type: 'textarea' }, '\n a\n b \n', 'a\n b'],
    [{ type: 'text', pattern: '^[A-Z]$' }, ' A ', 'A'],
    [{ type: 'text', min_length: 3 }, ' a ', 'TOO_SHORT'],
    [{ type: 'text', max_length: 1 }, ' a ', 'a'],
    [{ type: 'rating' }, '3', 'WRONG_TYPE'],
  ])('of %j: %j is stored as %j', (members, answer, stored) => {
    expect(store(members, answer)).toEqual(stored);
  });

  it.each([
    ['36,6', 'de', '36.6'],
    ['−٣٦,٦', 'de-AT', '-36.6'],
    [',5', 'fr', '0.5'],
    ['36,6', 'pt_BR', '36.6'],
    ['36,6', 'de-CH', 'BAD_FORMAT'],
    ['36,6', 'en', 'BAD_FORMAT'],
    ['36,6', undefined, 'BAD_FORMAT'],
    ['36,6', 'xx', 'BAD_FORMAT'],
    ['36,6', 'not a tag', 'BAD_FORMAT'],
    ['1,234,567', 'de', 'BAD_FORMAT'],
    ['1.234,5', 'de', 'BAD_FORMAT'],
    ['1.234', 'de', '1.234'],
  ])('of the number %s for a respondent in %s is %s', (typed, language, stored) => {
    expect(store(text('number'), typed, language)).toBe(stored);
    expect(readNumber(typed, language)).toBe(stored === 'BAD_FORMAT' ? undefined : stored);
  });

  it('reads a decimal comma in the only language of a survey', () => {
    const survey = surveyOf([{ id: 'q', ...text('number') }], { supported_languages: ['de'] });
    expect(compile(survey).validate({ q: '1,5' }).data).toEqual({ q: '1.5' });
  });

  it('of numbers in imports is that of texts', () => {
    const { validate } = compile(surveyOf([{ id: 'q', type: 'rating', max: 5, step: 0.5 }], LANGUAGES));
    const read = (q: string, language: string) => validate({ q }, { lenient: true, language });
    expect(read(' ٣,٥', 'de').data).toEqual({ q: 3.5 });
    expect(read('3,5', 'en').errors).toMatchObject([{ code: 'WRONG_TYPE' }]);
  });

  it('is what conditions test', () => {
    const logic = [
      rule('a', 'show', 'q', 'greater_than', 36),
      rule('b', 'show', 'note', 'equals', 'yes '),
      rule('c', 'show', 'note', 'matches', '^yes$'),
    ];
    const questions = [{ id: 'q', ...text('number') }, ...['note', 'a', 'b', 'c'].map((id) => textQuestion(id))];
    const { applyTo } = compile(surveyOf(questions, { logic, ...LANGUAGES }));
    expect(applyTo({ q: '36,6', note: ' yes' }, 'de').visible).toEqual(['q', 'note', 'a', 'b', 'c']);
    expect(applyTo({ q: '36,6', note: ' yes' }, 'en').visible).toEqual(['q', 'note', 'b', 'c']);
  });
});
