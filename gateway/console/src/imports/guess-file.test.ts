import { expect, it } from 'vitest';
import { guessFile } from './guess-file.ts';

it.each([
  ['lunch.csv', 'question_id,question_type,question_title\n', 'custom', 'csv'],
  ['form.qsf', '{"SurveyEntry":{}}', 'qualtrics', 'qsf'],
  ['export.json', '{"SurveyEntry":{},"SurveyElements":[]}', 'qualtrics', 'qsf'],
  ['survey.lss', '<?xml version="1.0"?>', 'limesurvey', 'lss'],
  ['survey.lsa', 'PK\u0003\u0004', 'limesurvey', 'lsa'],
  ['survey.txt', 'id\trelated_id\tclass\ttype/scale\tname\n', 'limesurvey', 'tsv'],
  ['form', 'PK\u0003\u0004', 'xlsform', 'xlsx'],
  ['form.csv', 'survey,,\n,type,name,label\n', 'xlsform', 'csv'],
  ['form.json', '\ufeff{"formId":"1","items":[]}', 'google_forms', 'json'],
  ['x.json', '{"form":{"fields":[{"id":"a"}]}}', 'typeform', 'json'],
  ['x.json', '{"data":{"welcomeCard":{},"questions":[]}}', 'formbricks', 'json'],
  ['x.json', '{"pages":[{"elements":[]}]}', 'surveyjs', 'json'],
  ['x.json', '{"survey":{"title":"x","questions":[]}}', 'custom', 'json'],
  ['x', '', 'custom', 'csv'],
])('guesses %s as the survey of a tool', (name, head, source, format) => {
  expect(guessFile(name, head, 'survey')).toEqual({ source, format });
});

it.each([
  ['a.csv', 'id,submitted_at,q1\n', 'custom', 'csv'],
  ['a.csv', 'StartDate,EndDate,Status\n', 'qualtrics', 'csv'],
  ['a.csv', '"id","submitdate","lastpage","startlanguage"\n', 'limesurvey', 'csv'],
  ['vv.txt', 'Response ID\tDate\nid\tsubmitdate\tlastpage\n', 'limesurvey', 'csv'],
  ['a.lsa', 'PK', 'limesurvey', 'lsa'],
  ['a.csv', 'SubmissionDate,q1,KEY\n', 'xlsform', 'csv'],
  ['a.json', '{"id":"1","answers":[]}\n{"id":"2"}\n', 'custom', 'ndjson'],
  ['a.jsonl', '{"id":"1"}', 'custom', 'ndjson'],
  ['a.json', '{"items":[{"landed_at":"x"}]}', 'typeform', 'json'],
  ['a.json', '{"data":[{"surveyId":"x"}]}', 'formbricks', 'json'],
  ['a.json', '[{"HappendAt":"x"}]', 'surveyjs', 'json'],
  ['a.xlsx', 'PK', 'custom', 'xlsx'],
])('guesses %s as the responses of a tool', (name, head, source, format) => {
  expect(guessFile(name, head, 'responses')).toEqual({ source, format });
});
