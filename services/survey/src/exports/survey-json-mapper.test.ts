import { expect, it } from 'vitest';
import { testSurvey } from '../surveys/testing/test-survey.ts';
import { toSurveyJson } from './survey-json-mapper.ts';

it('a survey as JSON is one line, even for a deep definition', () => {
  const definition = { title: 'T', own: [[[[{ a: ['x y', null] }]]]] };
  const { text } = toSurveyJson({ ...testSurvey, definition });
  const start = `{"schema_version":"1.0","version":1,"survey":${JSON.stringify(definition)},"settings":{`;
  expect(text.startsWith(start)).toBe(true);
  expect(text.trimEnd()).toBe(JSON.stringify(JSON.parse(text)));
});
