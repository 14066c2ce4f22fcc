import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { ResponseColumn } from '@survey/questionnaire/columns/response-columns';
import type { CompiledDefinition } from '@survey/questionnaire/compiled-definition';
import { isObject } from '@survey/questionnaire/json';
import { JsonError, parseJson } from '@survey/runtime/json/parse-json';
import { findLoneSurrogate } from '../../files/json-builder.ts';
import { createWarnOnce, type WarnOnce } from '../../files/report.ts';
import { extraCellsProblem, watchNameless } from '../../tables/header.ts';
import { openTable } from '../../tables/open-table.ts';
import type { Row } from '../../tables/row.ts';
import type { TableOptions } from '../../tables/table-options.ts';
import { lookAhead } from '../look-ahead.ts';
import type { AnsweredSurvey, ResponseFileReader, ResponseReadOptions } from '../reader.ts';
import { fitMetadata } from '../responses/metadata.ts';
import {
  addUnreadCells,
  EMPTY_RESPONSE,
  type FileResponse,
  isRejected,
  type ParsedResponse,
  type RejectedResponse,
  readStatus,
  type UnassignedValue,
  type UnusableValue,
  unknownColumn,
} from '../responses/response.ts';
import { createTimeReader } from '../responses/times.ts';
import { type AnswerCells, createAnswerCells } from './answer-cells.ts';
import type { MatchedColumn, ResponseHeader } from './match-headers.ts';
import { mergeAnswers, mergeMetadata } from './overrides.ts';
import type { ColumnPlan } from './plan.ts';
import { planTitles, type TitledTable } from './plan-titles.ts';

/** Tables exported by this platform, and tables made by hand. */
export const CUSTOM_TABLE: TitledTable = { targetsOfWords: () => new Map(), readsOther: false };

/**
 * Creates a reader of tables with a header and a row for each response. Columns have details of the response, or
 * answers to a question that the heading names by id or title.
 */
export function createTableReader(source: TitledTable): ResponseFileReader {
  return async function* (file, survey, options) {
    const opened = await openTable(file, options.table, options.warn);
    yield* readTable(await planTitles(opened, source, survey, options), survey, options);
  };
}

export const readCustomCsvResponses = createTableReader(CUSTOM_TABLE);

/** A row of a table with codes as headings. */
export interface CodedRow {
  /** From 0. */
  readonly index: number;
  /** The row with all cells. */
  readonly row: Row;
  /** The cells. Those in columns that the option `columns` names are emptied. */
  readonly cells: readonly string[];
}

/** Reads the columns of a row that have codes as headings. */
export type ReadCodes = (row: CodedRow) => FileResponse | Promise<FileResponse>;

/**
 * Reads the responses of a table by its plan. In a table with codes, the reader of the tool reads each row first. Then
 * values of columns that the option `columns` names replace its values. Throws `INVALID_IMPORT` if the header has problems.
 *
 * @param createReadCodes creates the reader of the tool, after the header was checked
 */
export async function* readTable(
  plan: ColumnPlan,
  { payload, definition }: AnsweredSurvey,
  { table, warn }: ResponseReadOptions,
  createReadCodes?: () => Promise<ReadCodes>,
): AsyncGenerator<FileResponse> {
  const { header, index: questions, codedHeader, readsOther, keptAsUnknown } = plan;
  plan.check();
  for (const warning of [...plan.lossWarnings, ...plan.warnings]) warn(warning);
  const { convert, idUse } = await plan.learn();
  const readCodes = await createReadCodes?.();
  const warnOnce = createWarnOnce(warn);
  const answerCells = createAnswerCells(header, payload, questions, { idUse, readsOther, warnOnce });
  const readRow = createRowReader(header, definition, answerCells, {
    warnOnce,
    timeZone: table.timeZone,
    keptAsUnknown,
  });
  const hide = hideGiven(plan);
  const warnOfNameless = watchNameless(codedHeader?.names ?? header.columns.map(nameForWatch), warn);
  const codedColumns = plan.columns.filter(({ foundBy }) => foundBy !== 'option');
  yield* plan.rows.withLeftOut(readRows(), warn);

  async function* readRows(): AsyncGenerator<FileResponse> {
    let index = 0;
    for await (const raw of plan.body()) {
      const row = convert(raw);
      const cells = hide(row.cells);
      warnOfNameless(cells);
      if (readCodes === undefined || codedHeader === undefined) yield readRow(row, index);
      else {
        const found = { ...(await readCodes({ index, row, cells })), row: row.number };
        const extra = extraCellsProblem(cells, codedHeader.names.length);
        const coded = extra === undefined ? addUnreadCells(found, row, codedColumns) : tooManyCells(found, row, extra);
        yield header.columns.length === 0 || isRejected(coded) ? coded : readRow(row, index, coded);
      }
      index += 1;
    }
  }
}

function tooManyCells(
  { index, id }: Pick<FileResponse, 'index' | 'id'>,
  { number }: Row,
  extra: string,
): RejectedResponse {
  return { index, id, row: number, code: 'TOO_MANY_CELLS', detail: `row ${number}: ${extra}` };
}

/** Passes the cells of the first rows to `look`, as a reader of codes gets them. */
export async function sampleCodes(plan: ColumnPlan, look: (cells: readonly string[]) => void): Promise<void> {
  const hide = hideGiven(plan);
  await lookAhead(plan.body(), ({ cells }) => look(hide(cells)));
}

/** Empties the cells that the option `columns` names in a table with codes. */
function hideGiven({ codedHeader, header }: ColumnPlan): (cells: readonly string[]) => readonly string[] {
  const given = new Set(codedHeader === undefined ? [] : header.columns.map(({ position }) => position));
  return given.size === 0 ? (cells) => cells : (cells) => cells.map((cell, at) => (given.has(at) ? '' : cell));
}

/** The name of a column for the check of columns without a name. Columns in the option `columns` need no heading. */
function nameForWatch({ heading, foundBy, position }: MatchedColumn): string {
  return foundBy === 'option' ? `#${position + 1}` : heading;
}

/** Parses a cell as strictly as a request body. */
function parseObject(cell: string): JsonObject | undefined {
  try {
    const value = parseJson(cell);
    const isValid = !cell.includes('\\u') || findLoneSurrogate(cell) === undefined;
    return isValid && isObject(value) ? (value as JsonObject) : undefined; // `parseJson` returns JSON
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

interface RowReadOptions extends Pick<TableOptions, 'timeZone'> {
  readonly warnOnce: WarnOnce;
  /** As in the plan. */
  readonly keptAsUnknown?: ResponseHeader['metadata'];
}

/**
 * Creates a reader of the rows below a header. The reader gets a row, its index, and the response that the tool's reader
 * made of columns with codes. Values of the columns of this header replace its values. Replaced values are reported.
 */
export function createRowReader(
  {
    names,
    responseColumns,
    metadata,
    answerColumns,
    columns,
  }: Pick<ResponseHeader, 'names' | 'responseColumns' | 'metadata' | 'answerColumns' | 'columns'>,
  { answersFromColumns, questions }: CompiledDefinition,
  answerCells: AnswerCells,
  { warnOnce, timeZone, keptAsUnknown = [] }: RowReadOptions,
): (row: Row, index: number, coded?: ParsedResponse) => FileResponse {
  const typeOf = new Map(questions.map(({ id, type }) => [id, type]));
  const withoutTarget = columns.filter(
    ({ heading, target, isExcluded }) => target === undefined && !isExcluded && heading !== '',
  );
  const parseTime = createTimeReader(timeZone, warnOnce);

  function detailOf(cells: readonly string[], column: ResponseColumn): string {
    return cells[responseColumns.get(column) ?? -1] ?? '';
  }

  /** Undefined if the cell is empty or no time. Adds a cell that is no time to `unread`. */
  function readTime(
    cells: readonly string[],
    name: 'submitted_at' | 'started_at',
    unread: UnusableValue[],
  ): Date | undefined {
    const value = detailOf(cells, name);
    if (value.trim() === '') return undefined;
    const time = parseTime(value.trim());
    if (time !== undefined) return time;
    const detail = 'the value must be a time such as 2026-03-02T12:10:00Z';
    unread.push({ kind: 'response', name, code: 'BAD_TIME', detail, value });
    return undefined;
  }

  /** Adds answers that cannot be converted to `unread`. */
  function readAnswers(cells: readonly string[], unread: UnusableValue[]): JsonObject {
    const { data, errors } = answersFromColumns(answerCells.toCells(cells));
    for (const { code, detail, question_id: name = '' } of errors) {
      const filled = answerColumns.flatMap(({ column, target }): readonly [string, string][] => {
        const cell = cells[column.position] ?? '';
        return target.column.question_id !== name || cell === '' ? [] : [[target.name, cell]];
      });
      const [[only, cell] = ['', '']] = filled;
      const value = filled.length === 1 && only === name ? cell : Object.fromEntries(filled);
      unread.push({ kind: 'answer', name, code, detail, value });
    }
    const answers = { ...data };
    answerCells.addChoices(cells, answers);
    // The values are strings, or lists and objects of strings.
    return answers as JsonObject;
  }

  /** Adds a cell that should have a JSON object, and has none, to `unread`. */
  function readMetadata(cells: readonly string[], unread: UnusableValue[]): JsonObject {
    const filled = metadata.flatMap(({ column, target }): readonly [string, JsonValue][] => {
      const cell = cells[column.position] ?? '';
      if (cell.trim() === '') return [];
      if (target.member !== '') return [[target.member, cell]];
      const members = parseObject(cell);
      if (members !== undefined) return Object.entries(members);
      const detail = 'the value must be a JSON object';
      unread.push({ kind: 'response', name: target.name, code: 'WRONG_TYPE', detail, value: cell });
      return [];
    });
    return Object.fromEntries(filled);
  }

  /** The cells that no question takes. */
  function unknownIn(cells: readonly string[]): readonly UnassignedValue[] {
    const toUnknown = ({ heading, position }: MatchedColumn, kept: Pick<UnassignedValue, 'keptAs'>) =>
      (cells[position] ?? '').trim() === '' ? [] : [unknownColumn(heading, kept)];
    return [
      ...withoutTarget.flatMap((column) => toUnknown(column, {})),
      ...keptAsUnknown.flatMap(({ column, target }) => toUnknown(column, { keptAs: [target.member] })),
    ];
  }

  function read(row: Row, index: number, { status: codedStatus, ...coded }: ParsedResponse): FileResponse {
    const { number, cells } = row;
    const id = detailOf(cells, 'id').trim() || coded.id;
    const extra = extraCellsProblem(cells, names.length);
    if (extra !== undefined) return tooManyCells({ index, id }, row, extra);
    const statusCell = detailOf(cells, 'status').trim();
    const status = statusCell === '' && codedStatus !== undefined ? { status: codedStatus } : readStatus(statusCell);
    if ('problem' in status) {
      const detail = `row ${number}, column status: ${status.problem}`;
      return { index, id, row: number, code: 'BAD_STATUS', detail, column: 'status' };
    }
    const unread: UnusableValue[] = [...(coded.unread ?? [])];
    const [submitted, started] = [readTime(cells, 'submitted_at', unread), readTime(cells, 'started_at', unread)];
    const given = readAnswers(cells, unread);
    const answers = mergeAnswers(answerCells.withoutUnchosen(coded.answers, cells), given, typeOf);
    const merged = mergeMetadata(coded, readMetadata(cells, unread));
    const unassigned = [...merged.unassigned, ...unknownIn(cells), ...answers.replaced];
    return {
      ...coded,
      index,
      id,
      row: number,
      // Not trimmed: clients look responses up by the exact id.
      externalId: detailOf(cells, 'external_id') || coded.externalId,
      startedAt: started ?? coded.startedAt,
      completedAt: submitted ?? coded.completedAt,
      language: detailOf(cells, 'language').trim() || coded.language,
      answers: answers.value,
      ...status,
      ...(unread.length === 0 ? {} : { unread }),
      ...fitMetadata(merged.value, { warnOnce, unassigned }),
    };
  }

  const named = columns
    .filter(({ isExcluded }) => !isExcluded)
    .map(({ position, heading, target }) => ({ position, heading, target: target?.name ?? '' }));
  return (row, index, coded = EMPTY_RESPONSE) => {
    const withOptions = answerCells.toOptions(row);
    return addUnreadCells(read(withOptions, index, coded), withOptions, named);
  };
}
