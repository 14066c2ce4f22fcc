import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { columnProblems } from '../core/columns/match-headers.ts';
import { planColumns } from '../core/columns/plan.ts';
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
import { type ColumnProfile, createCellReader, createProfile } from './column-profile.ts';
import { COLUMN_TYPES } from './guess-question.ts';
import { groupHeadings, type PlannedSurvey, planQuestions } from './plan-questions.ts';
import { ANSWER_TABLE, isId, isToolWord } from './table-words.ts';

/** A table with the questions that it becomes. */
export interface SurveyTable extends PlannedSurvey {
  readonly header: Row;
  /** Content of each column. */
  readonly profiles: readonly ColumnProfile[];
}

const TYPES: readonly string[] = COLUMN_TYPES;

/** Reads responses to a survey with titles as headings. */
export const readAnswerTable = createTableReader(ANSWER_TABLE);

/** Reads responses of Google Sheets, or those of the table that the survey was made of. */
export const readAnswerSheet = createTableReader({ ...ANSWER_TABLE, hasOnlyTexts: true });

/**
 * Makes a survey of a table of answers: a question for each column, with its heading as title. Types are guessed from
 * values, options are the values. The responses are in the same file.
 */
export const readTableSurvey: SurveyFileReader = async (file, options) => {
  const { table } = await findSurveyRows(await openTable(file, options.table, options.warn));
  const read = await readSurveyTable(table, options.table);
  const problems = headerProblems(read, table.description);
  if (problems.length > 0) throw invalidImport(problems);
  const { columns, questions } = read;
  const payload = payloadOf(questions, options);
  return {
    payload,
    responses: (warn) => readResponses(file, payload, { ...options, warn }),
    toFileProblem({ path, code, detail }) {
      const [, position] = /^\/survey\/pages\/0\/questions\/(\d+)/.exec(path) ?? [];
      const question = questions[Number(position)];
      const column = columns.find((one) => one.question === question && question !== undefined);
      return { path: '', code, detail: column === undefined ? detail : `column ${column.heading}: ${detail}` };
    },
  };
};

/** Finds the rows of a table that are no responses, if it becomes a survey. */
export function findSurveyRows(opened: Table): Promise<ResponseRows> {
  return findResponseRows(opened, {
    targetsOf: ({ cells }) =>
      new Map([...cells.entries()].flatMap(([position, cell]) => (isToolWord(cell) ? [[position, cell]] : []))),
    isAboutResponse: isToolWord,
  });
}

/**
 * Looks at the rows of a table to plan its questions.
 *
 * @param maxRows number of rows to look at, without the header
 */
export async function readSurveyTable(
  table: Table,
  options: TableOptions,
  maxRows = Number.POSITIVE_INFINITY,
): Promise<SurveyTable> {
  const contentOf = createCellReader(options);
  let header: Row | undefined;
  let names: readonly string[] = [];
  let builders: readonly ReturnType<typeof createProfile>[] = [];
  let groups: readonly {
    readonly key: string;
    readonly positions: readonly number[];
    readonly builder: ReturnType<typeof createProfile>;
  }[] = [];
  let rows = 0;
  for await (const row of table.rows()) {
    if (header === undefined) {
      header = row;
      names = readNames(row);
      builders = names.map((name) => createProfile(contentOf, mayBeIds(name)));
      groups = groupHeadings(names).map(({ members }) => {
        const positions = members.map(({ position }) => position);
        return { key: positions.join(), positions, builder: createProfile(contentOf) };
      });
      continue;
    }
    const addTo = (builder: ReturnType<typeof createProfile>, position: number) =>
      builder.add(row.cells[position] ?? '', row.numbers?.get(position));
    for (const [position, builder] of builders.entries()) addTo(builder, position);
    for (const { positions, builder } of groups) for (const position of positions) addTo(builder, position);
    rows += 1;
    if (rows >= maxRows) break;
  }
  if (header === undefined) throw badHeader('there is no header row');
  const profiles = builders.map((builder) => builder.profile());
  const groupBuilders = new Map(groups.map(({ key, builder }) => [key, builder]));
  const empty = createProfile(contentOf);
  const profileOf = (positions: readonly number[]) => {
    const [only, ...others] = positions;
    if (only !== undefined && others.length === 0) return profiles[only] ?? empty.profile();
    return (groupBuilders.get(positions.join()) ?? empty).profile();
  };
  return { header, profiles, ...planQuestions(names, options.columns, profileOf) };
}

/** Whether a heading is that of a column with the ids of responses. */
function mayBeIds(heading: string): boolean {
  return heading === 'id' || isId(heading);
}

/** Reasons why the table is rejected as a survey. If there are none, reasons why it is rejected as responses to it. */
export async function surveyTableProblems(
  table: Table,
  read: Pick<SurveyTable, 'columns' | 'questions' | 'header'>,
  options: TableOptions,
): Promise<readonly FieldProblem[]> {
  const problems = headerProblems(read, table.description);
  if (problems.length > 0) return problems;
  const payload = payloadOf(read.questions, { title: '', language: 'en' });
  const survey = { payload, definition: compile(payload) };
  const columns = withoutTypes(options.columns);
  const given = { table: { ...options, columns }, unmask: undefined };
  return (await planColumns(table, ANSWER_TABLE, survey, given)).problems();
}

function headerProblems(
  { columns, questions, header: { number } }: Pick<SurveyTable, 'columns' | 'questions' | 'header'>,
  description: string,
): readonly FieldProblem[] {
  const problems = columnProblems(columns, number);
  if (problems.length > 0 || questions.length > 0) return problems;
  return [{ path: '', code: 'BAD_HEADER', detail: `row ${number}: no column is a question (${description})` }];
}

/** Removes the entries that set the type of a question: responses cannot be read with them. */
function withoutTypes(columns: readonly ColumnTarget[]): readonly ColumnTarget[] {
  return columns.filter(({ target }) => !TYPES.includes(target));
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
