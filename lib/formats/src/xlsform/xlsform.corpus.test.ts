import { describe, expect, it } from 'vitest';
import { corpusFiles } from '../testing/corpus.ts';
import { readResponseFile, readSurveyFile, rejectionOf, validateResponses } from '../testing/read-files.ts';
import { readXlsformTableResponses } from './responses.ts';
import { readXlsformCsvSurvey, readXlsformJsonSurvey, readXlsformXlsxSurvey } from './survey.ts';

const forms = corpusFiles('xlsform').filter(({ name }) => !name.endsWith('.xml'));
const assets = corpusFiles('kobo-odk-responses', '.json');
const tables = corpusFiles('kobo-odk-responses', '.csv');
/** Two forms with only calculations, and one without a sheet named survey. */
const REJECTED = ['bad_calc.xlsx', 'pull_data.xlsx', 'survey_no_name.xlsx'];

const readerOf = (name: string) => (name.endsWith('.csv') ? readXlsformCsvSurvey : readXlsformXlsxSurvey);

describe.skipIf(forms.length === 0)('real forms of XLSForm (if the corpus exists)', () => {
  it.each(forms.filter(({ name }) => !REJECTED.includes(name)))('$name passes lint', async (file) => {
    const { problems, questions } = await readSurveyFile(readerOf(file.name), file.read());
    expect(problems).toEqual([]);
    expect(questions.size).toBeGreaterThan(0);
  });

  it.each(forms.filter(({ name }) => REJECTED.includes(name)))('$name is rejected with the reason', async (file) => {
    expect(await rejectionOf(readSurveyFile(readerOf(file.name), file.read()))).toMatchObject([{ code: 'NO_SURVEY' }]);
  });

  it.each(assets)('$name has submissions that are stored, or rejected with the reason', async (file) => {
    const survey = await readSurveyFile(readXlsformJsonSurvey, file.read());
    expect(survey.problems).toEqual([]);
    const responses = [];
    for await (const response of survey.responses?.(() => {}) ?? []) responses.push(response);
    expect(responses.length).toBeGreaterThan(0);
    const { failures } = validateResponses(responses, survey.payload);
    for (const failure of failures)
      expect(failure).toMatch(/^(BAD_FORMAT \/data\/report_date|UNKNOWN_OPTION \/data\/russian|REQUIRED )/);
  });

  it.each(tables)('$name is read for a form with its columns', async (file) => {
    const [header = ''] = file
      .read()
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/);
    const delimiter = header.includes(';') ? ';' : ',';
    const names = header.split(delimiter).map((name) => name.replaceAll('"', ''));
    const labels = names.filter(
      (name) => !/^(_|start$|end$|KEY$|meta|SubmissionDate)/.test(name) && !name.includes('/'),
    );
    const quote = (label: string) => `"${label}"`;
    const rows = labels.map((label, index) => `,text,q${index},${quote(label)}`).join('\n');
    const { payload } = await readSurveyFile(
      readXlsformCsvSurvey,
      `survey\n,type,name,label\n${rows === '' ? `,text,${quote(names[0] ?? '')},` : rows}\n`,
    );
    const { responses } = await readResponseFile(readXlsformTableResponses, file.read(), payload);
    expect(responses.length).toBeGreaterThan(0);
  });
});
