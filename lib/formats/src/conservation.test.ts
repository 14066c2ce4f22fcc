import { readFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { itemsOf } from '@survey/questionnaire/json';
import { AppError } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import { findResponseReader, findSurveyReader } from './sources.ts';
import { findLostInList, findLostInTable, type Path, pathsBelow, valueAt } from './testing/conservation.ts';
import { areNamedAlike, CORPUS_FOLDERS, type CorpusFile, corpusFiles, formatOf } from './testing/corpus.ts';
import { readSurveyFile } from './testing/read-files.ts';

const fixture = (path: string): Uint8Array => readFileSync(new URL(path, import.meta.url));

/** Cells that mean that there is no answer, or repeat another, and times of a response that repeat its others. */
const NO_ANSWERS: Readonly<Record<string, (cell: string, column: string) => boolean>> = {
  typeform: (_, column) => column === 'Response Type',
  qualtrics: (cell, column) =>
    /^(-99|0)$/.test(cell) || /^(StartDate|EndDate|RecordedDate|Finished|V8|V9|V10)$/.test(column),
  limesurvey: (cell, column) => /^(N\/A|N|No|0|-oth-|1980-01-01.*)$/.test(cell) || column === 'datestamp',
  xlsform: (cell) => /^(n\/a|0|false|no)$/i.test(cell),
};

/** The paths of a tool's responses in JSON, and of the values in a response. */
const LISTS: Readonly<
  Record<
    string,
    { readonly at: Path; readonly besideSurvey: Path; readonly valuesIn: (response: JsonValue) => readonly Path[] }
  >
> = {
  typeform: {
    at: ['items'],
    besideSurvey: ['responses', 'items'],
    valuesIn: (response) => pathsBelow(valueAt(response, ['answers']), ['answers']),
  },
  surveymonkey: {
    at: ['data'],
    besideSurvey: ['responses', 'data'],
    valuesIn: (response) =>
      pathsBelow(valueAt(response, ['pages']), ['pages'])
        .flatMap((page) => pathsBelow(valueAt(response, [...page, 'questions']), [...page, 'questions']))
        .flatMap((question) => pathsBelow(valueAt(response, [...question, 'answers']), [...question, 'answers'])),
  },
  google_forms: {
    at: ['responses'],
    besideSurvey: ['responses', 'responses'],
    valuesIn: (response) =>
      pathsBelow(valueAt(response, ['answers']), ['answers']).flatMap((answer) => {
        const own = [...answer, 'textAnswers', 'answers'];
        return pathsBelow(valueAt(response, own), own);
      }),
  },
  formbricks: {
    at: ['data'],
    besideSurvey: ['responses'],
    valuesIn: (response) =>
      pathsBelow(valueAt(response, ['data']), ['data']).filter((path) => !isBlank(valueAt(response, path))),
  },
  surveyjs: { at: [], besideSurvey: ['results'], valuesIn: membersIn },
  xlsform: { at: ['results'], besideSurvey: ['submissions'], valuesIn: membersIn },
};

/** Members that are about the response itself in SurveyJS and Kobo. */
const OF_TOOLS =
  /^(_|formhub|meta(\/|$)|__|locale$|pageNo$|InstanceId$|instanceId$|instanceID$|id$|HappendAt$|createdAt$|end$|start$)/;

function membersIn(response: JsonValue): readonly Path[] {
  return pathsBelow(response).filter((path) => {
    const value = valueAt(response, path);
    return !OF_TOOLS.test(String(path[0])) && value !== 'n/a' && !isBlank(value);
  });
}

function isBlank(value: JsonValue | undefined): boolean {
  return value === '' || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

async function conserve(source: string, format: string, contents: Uint8Array, payload: JsonObject) {
  const read = findResponseReader({ source, format });
  if (read === undefined) throw new Error(`There is no reader of responses of ${source} ${format}`);
  if (format !== 'json') return findLostInTable(read, contents, payload, NO_ANSWERS[source] ?? (() => false));
  const list = LISTS[source];
  const whole: JsonValue = JSON.parse(Buffer.from(contents).toString());
  if (list === undefined) throw new Error(`The shape of responses of ${source} is unknown`);
  const found = [list.at, list.besideSurvey, []].map((path) => valueAt(whole, path)).find(Array.isArray);
  return findLostInList(read, itemsOf(found) as JsonValue[], payload, {
    valuesIn: list.valuesIn,
    wrap: (responses) => list.at.toReversed().reduce<JsonValue>((value, name) => ({ [name]: value }), responses),
  });
}

async function payloadOf(source: string, format: string, contents: Uint8Array): Promise<JsonObject | undefined> {
  const read = findSurveyReader({ source, format });
  if (read === undefined) return undefined;
  try {
    return (await readSurveyFile(read, contents)).payload;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

describe('no value of a file is lost silently', () => {
  it.each([
    ['typeform', 'json', 'typeform/fixtures/all-types.json', 'typeform/fixtures/responses.json', 'json'],
    ['typeform', 'json', 'typeform/fixtures/all-types.json', 'typeform/fixtures/responses.csv', 'csv'],
    ['surveymonkey', 'json', 'surveymonkey/fixtures/details.json', 'surveymonkey/fixtures/bulk.json', 'json'],
    ['surveymonkey', 'json', 'surveymonkey/fixtures/details.json', 'surveymonkey/fixtures/expanded.csv', 'csv'],
    ['google_forms', 'json', 'google-forms/fixtures/all-kinds.json', 'google-forms/fixtures/responses.json', 'json'],
    ['surveyjs', 'json', 'surveyjs/fixtures/kinds.json', 'surveyjs/fixtures/results.json', 'json'],
    ['qualtrics', 'qsf', 'qualtrics/fixtures/kinds.qsf', 'qualtrics/fixtures/responses-values.csv', 'csv'],
    ['qualtrics', 'qsf', 'qualtrics/fixtures/kinds.qsf', 'qualtrics/fixtures/responses-list.csv', 'csv'],
    ['limesurvey', 'lss', 'limesurvey/fixtures/kinds.lss', 'limesurvey/fixtures/responses-codes.csv', 'csv'],
    ['xlsform', 'csv', 'xlsform/fixtures/all.csv', 'xlsform/fixtures/central.csv', 'csv'],
    ['xlsform', 'csv', 'xlsform/fixtures/all.csv', 'xlsform/fixtures/kobo-labels.csv', 'csv'],
    ['xlsform', 'csv', 'xlsform/fixtures/all.csv', 'xlsform/fixtures/kobo.json', 'json'],
    ['formbricks', 'json', 'formbricks/fixtures/survey.json', 'formbricks/fixtures/responses.json', 'json'],
  ])('%s: %s %s, %s', async (source, format, survey, responses, responseFormat) => {
    const payload = await payloadOf(source, format, fixture(survey));
    const { values, lost } = await conserve(source, responseFormat, fixture(responses), payload ?? {});
    expect(values).toBeGreaterThan(5);
    expect(lost).toEqual([]);
  });
});

/** The surveys of a folder with the files that can have their responses. */
async function pairsIn(folder: string, source: string) {
  const files = corpusFiles(folder);
  const pairs: { readonly name: string; readonly file: CorpusFile; readonly payload: JsonObject }[] = [];
  for (const survey of files) {
    const payload = await payloadOf(source, formatOf(survey), survey.read());
    if (payload === undefined) continue;
    for (const file of files) {
      const isOwn = file === survey && formatOf(file) === 'json';
      const isOther = file !== survey && areNamedAlike(survey, file);
      if (!(isOwn || isOther) || findResponseReader({ source, format: formatOf(file) }) === undefined) continue;
      pairs.push({ name: `${file.name} for ${survey.name}`, file, payload });
    }
  }
  return pairs;
}

const folders = CORPUS_FOLDERS.filter(([folder]) => corpusFiles(folder).length > 0);

describe.skipIf(folders.length === 0)('no value of the corpus is lost silently (if the corpus exists)', () => {
  it.each(folders)('%s', async (folder, source) => {
    const losses: Record<string, unknown> = {};
    for (const { name, file, payload } of await pairsIn(folder, source)) {
      try {
        const { lost } = await conserve(source, formatOf(file), file.read(), payload);
        if (lost.length > 0) losses[name] = [...new Set(lost)];
      } catch (error) {
        // The file has no responses to this survey.
        if (!(error instanceof AppError)) throw error;
      }
    }
    expect(losses).toEqual({});
  });
});
