import { describe, expect, it } from 'vitest';
import { testSurvey } from '../surveys/testing/test-survey.ts';
import { fileNameOf, toSurveyJson } from './export-handler.ts';

const surveyOf = (title: string) => ({
  ...testSurvey,
  definition: { title, supported_languages: ['en'] },
  version: 3,
});

describe('fileNameOf', () => {
  it.each([
    ['Lunch in the Canteen', 'lunch-in-the-canteen-v3'],
    ['Müller & Söhne: 100 %', 'muller-sohne-100-v3'],
    ['../../etc/passwd"\r\nSet-Cookie: x', 'etc-passwd-set-cookie-x-v3'],
    ['顧客満足度調査', 'survey-v3'],
    ['  ', 'survey-v3'],
    ['word '.repeat(100), 'word-v3'],
    [`a ${'x'.repeat(64)}`, `a-${'x'.repeat(58)}-v3`],
  ])('of %j is %s', (title, name) => {
    expect(fileNameOf(surveyOf(title))).toBe(name);
  });
});

it('a survey as JSON is one line, even for a deep definition', () => {
  const definition = { title: 'T', own: [[[[{ a: ['x y', null] }]]]] };
  const { text } = toSurveyJson({ ...testSurvey, definition });
  const start = `{"schema_version":"1.0","version":1,"survey":${JSON.stringify(definition)},"settings":{`;
  expect(text.startsWith(start)).toBe(true);
  expect(text.trimEnd()).toBe(JSON.stringify(JSON.parse(text)));
});
