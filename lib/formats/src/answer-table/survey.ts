import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { columnProblems, givenTargets } from '../core/columns/match-headers.ts';
import { planTitles } from '../core/columns/plan-titles.ts';
import { createTableReader } from '../core/columns/read-table.ts';
import { findResponseRows, type ResponseRows } from '../core/columns/rows.ts';
import type { SurveyFileReader, SurveyReadOptions } from '../core/reader.ts';
import { UNTITLED } from '../core/texts.ts';
import type { ImportFile } from '../files/import-file.ts';
import { invalidImport } from '../files/report.ts';
import { badHeader, readNames } from '../tables/header.ts';
import { openTable, type Table } from '../tables/open-table.ts';
import type { Row } from '../tables/row.ts';
import type { ColumnTarget, TableOptions } from '../tables/table-options.ts';
import { createCellReader, createProfile, type ProfileBuilder } from './column-profile.ts';
import { columnTypeOf } from './guess-question.ts';
import { type PlannedSurvey, planQuestions } from './plan-questions.ts';
import { ANSWER_TABLE, isId, isToolWord } from './table-words.ts';

/** A table with the questions that it becomes. */
interface SurveyTable extends PlannedSurvey {
  readonly header: Row;
}

/** Reads responses to a survey with titles as headings. */
export const readAnswerTable = createTableReader(ANSWER_TABLE);

/** Reads responses of Google Sheets, or those of the table that the survey was made of. Nobody knows ids of options. */
export const readAnswerSheet = createTableReader({ ...ANSWER_TABLE, hasOnlyTexts: true });

/**
 * Makes a survey of a table of answers: a question for each column, with its heading as title. Types are guessed from
 * values, options are the values. The responses are in the same file.
 */
export const readTableSurvey: SurveyFileReader = async (file, options) => {
  const { table } = await findSurveyRows(await openTable(file, options.table, options.warn), options.table.columns);
  const surveyTable = await readSurveyTable(table, options.table);
  const problems = headerProblems(surveyTable, table.description);
  if (problems.length > 0) throw invalidImport(problems);
  const { columns, questions } = surveyTable;
  const payload = payloadOf(questions, options);
  return {
    payload,
    responses: (warn) => readResponses(file, payload, { ...options, warn }),
    toFileProblem({ path, code, detail }) {
      const [, position] = /^\/survey\/pages\/0\/questions\/(\d+)/.exec(path) ?? [];
      const question = questions[Number(position)];
      const column = columns.find((one) => question !== undefined && one.question === question);
      return { path: '', code, detail: column === undefined ? detail : `column ${column.heading}: ${detail}` };
    },
  };
};

/**
 * For a table that becomes a survey: finds the responses, and other rows, such as a title above the header.
 *
 * @param columns the option `columns`
 */
export function findSurveyRows(opened: Table, columns: readonly ColumnTarget[]): Promise<ResponseRows> {
  return findResponseRows(opened, {
    targetsOf({ cells }) {
      const headings = cells.map((cell) => cell.trim());
      const words = [...headings.entries()].filter(([, heading]) => isToolWord(heading));
      return new Map([...words, ...givenTargets(headings, columns)]);
    },
    isAboutResponse: isToolWord,
  });
}

/** Reads the rows once, profiles each column, and plans the questions from headings and profiles. */
export async function readSurveyTable(table: Table, options: TableOptions): Promise<SurveyTable> {
  const contentOf = createCellReader(options);
  let header: Row | undefined;
  let profiles: readonly ProfileBuilder[] = [];
  for await (const row of table.rows()) {
    for (const [position, { add }] of profiles.entries()) add(row.cells[position] ?? '', row.numbers?.get(position));
    if (header !== undefined) continue;
    header = row;
    profiles = readNames(row).map((name) => createProfile(contentOf, isId(name)));
  }
  if (header === undefined) throw badHeader('there is no header row');
  const columns = profiles.map(({ profile }) => profile);
  return { header, ...planQuestions(readNames(header), options.columns, columns) };
}

/**
 * Reasons why no survey can be made of the table. If one can be made, reasons why its rows cannot be imported as
 * responses to that survey.
 */
export async function surveyTableProblems(
  table: Table,
  surveyTable: SurveyTable,
  options: TableOptions,
): Promise<readonly FieldProblem[]> {
  const problems = headerProblems(surveyTable, table.description);
  if (problems.length > 0) return problems;
  const payload = payloadOf(surveyTable.questions, { title: '', language: 'en' });
  const survey = { payload, definition: compile(payload) };
  const columns = withoutTypes(options.columns);
  const given = { table: { ...options, columns }, unmask: undefined };
  return (await planTitles(table, ANSWER_TABLE, survey, given)).problems();
}

function headerProblems(
  { columns, questions, header: { number } }: SurveyTable,
  description: string,
): readonly FieldProblem[] {
  const problems = columnProblems(columns, number);
  if (problems.length > 0 || questions.length > 0) return problems;
  return [{ path: '', code: 'BAD_HEADER', detail: `row ${number}: no column is a question (${description})` }];
}

/** Removes the entries that set the type of a question: responses cannot be read with them. */
function withoutTypes(columns: readonly ColumnTarget[]): readonly ColumnTarget[] {
  return columns.filter(({ target }) => columnTypeOf(target) === undefined);
}

function payloadOf(
  questions: readonly JsonObject[],
  { title, language }: Pick<SurveyReadOptions, 'title' | 'language'>,
): JsonObject {
  return {
    schema_version: '1.0',
    version: 1,
    survey: {
      title: title === '' ? UNTITLED : title,
      supported_languages: [language],
      pages: [{ questions: [...questions] }],
      source_data: { source: 'table' },
    },
  };
}

function readResponses(file: ImportFile, payload: JsonObject, { table, warn }: SurveyReadOptions) {
  const columns = withoutTypes(table.columns);
  const survey = { payload, definition: compile(payload) };
  return readAnswerSheet(file, survey, { unmask: undefined, table: { ...table, columns }, warn });
}
