import { ApiError } from '@survey/client';
import { questionsOf } from '@survey/questionnaire';
import { ANSWER_CODES } from '@survey/questionnaire/answers/answer-codes';
import { QUESTION_TYPE_NAMES } from '@survey/questionnaire/schema/question-schema';
import { describe, expect, it } from 'vitest';
import { describePasswordError, hintFor, messageLanguages, messagesFor, problemText } from './messages.ts';

function ask(members: object) {
  const [question] = questionsOf({ pages: [{ questions: [{ id: 'q', title: 't', ...members }] }] });
  if (question === undefined) throw new Error('no such question');
  return question;
}

const en = messagesFor('en');

it.each([
  ['de-AT', 'de'],
  ['AR', 'ar'],
  ['ja', 'en'],
])('the texts for %s are in the language %s', (language, tag) => {
  expect(messagesFor(language).tag).toBe(tag);
});

describe('a hint', () => {
  it.each([
    [{ type: 'multiple_choice', options: ['a'], max_selections: 2 }, 'Choose at most 2'],
    [{ type: 'multiple_choice', options: ['a'], min_selections: 2 }, 'Choose at least 2'],
    [{ type: 'multiple_choice', options: ['a'], min_selections: 1, max_selections: 2 }, 'Choose 1 to 2'],
    [{ type: 'multiple_choice', options: ['a'] }, ''],
    [{ type: 'rating', max: 100_000 }, 'From 1 to 100000'],
    [{ type: 'rating' }, ''],
    [{ type: 'date', min: '2026-01-01' }, 'From 2026-01-01'],
    [{ type: 'time', max: '12:00' }, 'Until 12:00'],
    [{ type: 'time', min: '11:00', max: '12:00' }, 'From 11:00 to 12:00'],
    [{ type: 'text', max_length: 5 }, 'At most 5 characters'],
    [{ type: 'textarea' }, ''],
    [{ type: 'file_upload', max_files: 2 }, 'At most 2 files'],
    [
      { type: 'likert', options: ['a'], rows: ['r', 's'], required: true, required_rows: 1 },
      'Rows to answer: at least 1',
    ],
    [{ type: 'matrix', columns: ['a'], rows: ['r'] }, ''],
  ])('of %j is: %s', (members, hint) => {
    expect(hintFor(en, ask(members))).toBe(hint);
  });
});

describe('an error', () => {
  it.each([
    ['REQUIRED', { type: 'text' }, 'Please answer this question.'],
    ['TOO_LONG', { type: 'textarea' }, 'At most 20000 characters'],
    ['TOO_COMPLEX', { type: 'textarea' }, 'Please shorten this text.'],
    ['TOO_SHORT', { type: 'text', min_length: 2 }, 'Enter at least 2 characters.'],
    ['OUT_OF_RANGE', { type: 'rating' }, 'From 1 to 5'],
    ['BAD_FORMAT', { type: 'text', format: 'email' }, 'Enter an email address, such as name@example.com.'],
    ['BAD_FORMAT', { type: 'date' }, 'Enter a complete date.'],
    ['UPLOAD_RUNNING', { type: 'file_upload' }, 'Please wait until your files are uploaded.'],
    ['NEW_CODE', { type: 'text' }, 'This answer is not accepted.'],
  ])('%s of %j is: %s', (code, members, text) => {
    expect(problemText(en, ask(members), code)).toBe(text);
  });
});

it.each([
  ['en', 1, 'At most 1 character', 'Enter at least 1 character.', 'Please try again in 1 second.'],
  ['de', 1, 'Höchstens 1 Zeichen', 'Geben Sie mindestens 1 Zeichen ein.', 'in 1 Sekunde noch einmal.'],
  ['es', 1, 'Como máximo 1 carácter', 'Escriba al menos 1 carácter.', 'en 1 segundo.'],
  ['fr', 1, '1 caractère au maximum', 'Saisissez au moins 1 caractère.', 'dans 1 seconde.'],
  ['fr', 2, '2 caractères au maximum', 'Saisissez au moins 2 caractères.', 'dans 2 secondes.'],
  ['ar', 1, 'الحد الأقصى لعدد الأحرف: 1', 'الحد الأدنى لعدد الأحرف: 1', 'بعد ثانية واحدة.'],
  ['ar', 2, 'الحد الأقصى لعدد الأحرف: 2', 'الحد الأدنى لعدد الأحرف: 2', 'بعد ثانيتين.'],
  ['ar', 5, 'الحد الأقصى لعدد الأحرف: 5', 'الحد الأدنى لعدد الأحرف: 5', 'بعد 5 ثوانٍ.'],
  ['ar', 60, 'الحد الأقصى لعدد الأحرف: 60', 'الحد الأدنى لعدد الأحرف: 60', 'بعد 60 ثانية.'],
])('texts in %s fit the number %i', (language, count, longest, shortest, wait) => {
  const { hints, problems, passwordLater } = messagesFor(language);
  expect([hints.length(count), problems.tooShort(count)]).toEqual([longest, shortest]);
  expect(passwordLater(count)).toContain(wait);
});

describe.each(messageLanguages)('the texts in the language %s', (language) => {
  it('explain every error of every type of question', () => {
    const messages = messagesFor(language);
    for (const type of QUESTION_TYPE_NAMES)
      for (const code of Object.keys(ANSWER_CODES))
        expect(problemText(messages, ask({ type, rows: ['r'], columns: ['c'] }), code), `${type} ${code}`).not.toBe('');
  });
});

it.each([
  ['LINK_PASSWORD_WRONG', 403, 'This password is wrong.'],
  ['TOO_MANY_REQUESTS', 429, 'Too many attempts. Please try again in 60 seconds.'],
  ['CONNECTION_LOST', 0, 'There is no connection. Please try again later.'],
  ['INTERNAL', 500, 'Please try again later.'],
] as const)('%s of a password is explained', (code, status, text) => {
  expect(describePasswordError(en, new ApiError('failed', { code, status }))).toBe(text);
});
