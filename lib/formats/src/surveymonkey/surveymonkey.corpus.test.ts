import { describe, expect, it } from 'vitest';
import { isRejected } from '../core/responses/response.ts';
import { fileOf } from '../files/import-file.ts';
import { openTable } from '../tables/open-table.ts';
import { DETECT_ALL } from '../tables/table-options.ts';
import { corpusFiles } from '../testing/corpus.ts';
import { readResponseFile, readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { readSurveyMonkeyTable } from './headers.ts';
import { readSurveyMonkeyResponses } from './responses.ts';
import { readSurveyMonkeySurvey } from './survey.ts';

const files = corpusFiles('surveymonkey', '.json');
const isDetails = (name: string) => name.endsWith('_details.json') || name.endsWith('_schema.json');
const isBulk = (name: string) => name.includes('bulk');
const bulks = files.filter(({ name }) => isBulk(name));
const tables = corpusFiles('surveymonkey', '.csv');
const others = files.filter(({ name }) => !isDetails(name));
const surveyOf = (name: string) => files.find((file) => file.name === name)?.read() ?? '';

describe.skipIf(files.length === 0)('real files of SurveyMonkey', () => {
  it.each(files.filter(({ name }) => isDetails(name)))('$name is imported', async ({ read }) => {
    const { problems, questions } = await readSurveyFile(readSurveyMonkeySurvey, read());
    expect(problems).toEqual([]);
    expect(questions.size).toBeGreaterThan(0);
  });

  it.each(others)('$name is rejected as a survey, with a precise reason', async ({ read }) => {
    const [problem] = await rejectionOf(readSurveyFile(readSurveyMonkeySurvey, read()));
    expect(problem?.detail).toMatch(/The file is a list|their survey is missing|error reply|webhook/);
  });

  it('has responses that validate', async () => {
    const { payload } = await readSurveyFile(readSurveyMonkeySurvey, surveyOf('318754279_details.json'));
    const file = surveyOf('318754279_responses_bulk.json');
    const { stored, failures } = await readResponseFile(readSurveyMonkeyResponses, file, payload);
    expect([stored.length, failures]).toEqual([2, []]);
  });

  it.each(bulks)('$name fails for another survey', async ({ name, read }) => {
    const { payload } = await readSurveyFile(readSurveyMonkeySurvey, surveyOf('two_pages_details.json'));
    const { failures, stored } = await readResponseFile(readSurveyMonkeyResponses, read(), payload);
    expect(stored).toEqual([]);
    expect(failures.every((failure) => failure.startsWith('NO_ANSWERS'))).toBe(true);
    expect(failures.length > 0).toBe(!name.includes('empty'));
  });
});

describe.skipIf(tables.length === 0)('real tables of SurveyMonkey', () => {
  it.each(tables)('$name has all answers in a survey with its titles', async ({ read }) => {
    const { payload, ids, cells } = await surveyFor(read());
    const { responses, failures, stored } = await readResponseFile(readSurveyMonkeyTable, read(), payload);
    expect(failures).toEqual([]);
    expect(responses.filter((one) => !isRejected(one)).map(({ id }) => id)).toEqual(ids);
    const answers = stored.flatMap((data) => Object.values(data).map(countCells));
    expect(answers.reduce((sum, count) => sum + count, 0)).toBe(cells);
  });
});

/** Cells of an answer. With another option, the text and the choice have a cell each. */
function countCells(answer: unknown): number {
  if (Array.isArray(answer)) return answer.length;
  if (typeof answer !== 'object' || answer === null) return 1;
  return 2 + ('options' in answer && Array.isArray(answer.options) ? answer.options.length : 0);
}

/** A survey with the titles of a table: a question for each title, and the values of its columns as options. */
async function surveyFor(contents: Buffer) {
  const table = await openTable(fileOf(contents), DETECT_ALL, () => {});
  const rows = (await Array.fromAsync(table.rows())).map((row) => row.cells);
  const hasParts = rows[1]?.[0] === '';
  const body = rows.slice(hasParts ? 2 : 1);
  const questions = new Map<string, { options: Set<string>; isMultiple: boolean; hasOther: boolean }>();
  for (const [position, heading] of (rows[0] ?? []).entries()) {
    if (position === 0) continue;
    const [title = '', ...part] = heading.split(/ +- (?=[A-Z])/);
    const known = questions.get(title) ?? { options: new Set(), isMultiple: false, hasOther: false };
    questions.set(title, known);
    const option = part.join(' - ');
    if (option.startsWith('Other (')) known.hasOther = true;
    else if (option === '') for (const row of body) known.options.add(row[position] ?? '');
    else {
      known.options.add(option);
      known.isMultiple = true;
    }
  }
  const payload = {
    schema_version: '1.0',
    version: 1,
    survey: {
      title: 'T',
      supported_languages: ['en'],
      pages: [
        {
          questions: [...questions].map(([title, { options, isMultiple, hasOther }], index) => ({
            id: `q${index}`,
            type: isMultiple ? 'multiple_choice' : 'single_choice',
            title,
            options: [...options].filter((text) => text !== '' && !text.startsWith('Other (')),
            ...(hasOther && { allow_other: true }),
          })),
        },
      ],
    },
  };
  const cells = body.flatMap((row) => row.slice(1)).filter((cell) => cell !== '').length;
  return { payload, ids: body.map(([id]) => id), cells };
}
