import type { JsonObject } from '@bufbuild/protobuf';
import type { ResponseColumn } from '@survey/questionnaire/columns/response-columns';
import type { CompiledDefinition } from '@survey/questionnaire/compiled-definition';
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
  type DroppedValue,
  type FileResponse,
  isRejected,
  type ParsedResponse,
  type RejectedResponse,
  readStatus,
  type UnreadValue,
  unknownColumn,
} from '../responses/response.ts';
import { createTimeReader, type ReadTime } from '../responses/times.ts';
import { type AnswerCells, createAnswerCells } from './answer-cells.ts';
import type { MatchedColumn, ResponseHeader } from './match-headers.ts';
import { mergeAnswers, mergeMetadata } from './overrides.ts';
import { type ColumnPlan, planColumns, type TitledTable } from './plan.ts';

/** Tables exported by this platform, and tables made by hand. */
export const CUSTOM_TABLE: TitledTable = { wordsOf: () => new Map(), readsOther: false };

/**
 * Creates a reader of tables with a header and a row for each response. Columns have details of the response, or
 * answers to a question that the heading names by id or title.
 */
export function createTableReader(source: TitledTable): ResponseFileReader {
  return async function* (file, survey, options) {
    const opened = await openTable(file, options.table, options.warn);
    yield* readTable(await planColumns(opened, source, survey, options), survey, options);
  };
}

export const readCustomCsvResponses = createTableReader(CUSTOM_TABLE);

/** A row of a table with codes as headings. */
export interface CodedRow {
  /** From 0. */
  readonly index: number;
  /** The row with all cells. */
  readonly row: Row;
  /** The cells, but empty in columns that the option `columns` names. */
  readonly cells: readonly string[];
}

/** Reads the columns of a row that have codes as headings. */
export type ReadCodes = (row: CodedRow) => FileResponse | Promise<FileResponse>;

/**
 * Reads the responses of a table by its plan. In a table with codes, the reader of the tool comes first. Then the values
 * of columns that the option `columns` names are added, and win. Throws `INVALID_IMPORT` if the header has problems.
 *
 * @param createReadCodes creates the reader of the tool, after the header was checked
 */
export async function* readTable(
  plan: ColumnPlan,
  { payload, definition }: AnsweredSurvey,
  { table, warn }: ResponseReadOptions,
  createReadCodes?: () => Promise<ReadCodes>,
): AsyncGenerator<FileResponse> {
  const { header, index: questions, codes, readsOther, keptAsUnknown } = plan;
  plan.check();
  for (const warning of [...plan.lost, ...plan.warnings]) warn(warning);
  const { convert, ids } = await plan.learn();
  const readCodes = await createReadCodes?.();
  const warnOnce = createWarnOnce(warn);
  const answerCells = createAnswerCells(header, payload, questions, { ids, readsOther, warnOnce });
  const readRow = createRowReader(header, definition, answerCells, {
    warnOnce,
    timeZone: table.timeZone,
    keptAsUnknown,
  });
  const hide = hideGiven(plan);
  const watch = watchNameless(codes?.names ?? header.columns.map(nameForWatch), warn);
  const coded = plan.columns.filter(({ foundBy }) => foundBy !== 'option');
  yield* plan.rows.withLeftOut(readRows(), warn);

  async function* readRows(): AsyncGenerator<FileResponse> {
    let index = 0;
    for await (const given of plan.body()) {
      const row = convert(given);
      const cells = hide(row.cells);
      watch(cells);
      if (readCodes === undefined || codes === undefined) yield readRow(row, index);
      else {
        const own = { ...(await readCodes({ index, row, cells })), row: row.number };
        const extra = extraCellsProblem(cells, codes.names.length);
        const response = extra === undefined ? addUnreadCells(own, row, coded) : tooManyCells(own, row, extra);
        yield header.columns.length === 0 || isRejected(response) ? response : readRow(row, index, response);
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

/** Looks at the cells of the first rows like a reader of codes. */
export async function sampleCodes(plan: ColumnPlan, look: (cells: readonly string[]) => void): Promise<void> {
  const hide = hideGiven(plan);
  await lookAhead(plan.body(), ({ cells }) => look(hide(cells)));
}

/** Empties the cells that the option `columns` names in a table with codes. */
function hideGiven({ codes, header }: ColumnPlan): (cells: readonly string[]) => readonly string[] {
  const given = new Set(codes === undefined ? [] : header.columns.map(({ position }) => position));
  return given.size === 0 ? (cells) => cells : (cells) => cells.map((cell, at) => (given.has(at) ? '' : cell));
}

/** The name of a column for the check of columns without a name. Columns in the option `columns` need no heading. */
function nameForWatch({ heading, foundBy, position }: MatchedColumn): string {
  return foundBy === 'option' ? `#${position + 1}` : heading;
}

interface RowReadOptions extends Pick<TableOptions, 'timeZone'> {
  readonly warnOnce: WarnOnce;
  /** Columns that are kept as metadata, but can be answers to questions that the survey does not have. */
  readonly keptAsUnknown?: ResponseHeader['metadata'];
}

/** What other columns of a row say if there are none. */
const NOTHING: ParsedResponse = {
  index: 0,
  id: '',
  externalId: undefined,
  startedAt: undefined,
  completedAt: undefined,
  language: undefined,
  metadata: undefined,
  answers: {},
};

/**
 * Creates a reader of the rows below a header. The reader gets a row, its index, and the response from other columns of
 * the row. Values of these columns replace those of other columns. Replaced values are reported.
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
): (row: Row, index: number, others?: ParsedResponse) => FileResponse {
  const typeOf = new Map(questions.map(({ id, type }) => [id, type]));
  const withoutTarget = columns.filter(
    ({ heading, target, isExcluded }) => target === undefined && !isExcluded && heading !== '',
  );
  const parseTime = createTimeReader(timeZone, warnOnce);
  const read = ({ number, cells }: Row, index: number, others: ParsedResponse): FileResponse => {
    const cellOf = (column: ResponseColumn) => cells[responseColumns.get(column) ?? -1] ?? '';
    const id = cellOf('id').trim() || others.id;
    const reject = (code: string, detail: string, column?: string): RejectedResponse => ({
      index,
      id,
      row: number,
      code,
      detail: `row ${number}${detail}`,
      ...(column !== undefined && { column }),
    });
    const extra = extraCellsProblem(cells, names.length);
    if (extra !== undefined) return tooManyCells({ index, id }, { number, cells }, extra);
    const { status: earlier, ...base } = others;
    const given = cellOf('status').trim();
    const status = given === '' && earlier !== undefined ? { status: earlier } : readStatus(given);
    if ('problem' in status) return reject('BAD_STATUS', `, column status: ${status.problem}`, 'status');
    const unread: UnreadValue[] = [...(others.unread ?? [])];
    const readTime = (name: 'submitted_at' | 'started_at') => {
      const time = toTime(cellOf(name), parseTime);
      if (time !== null) return time;
      const detail = 'the value must be a time such as 2026-03-02T12:10:00Z';
      unread.push({ kind: 'response', name, code: 'BAD_TIME', detail, value: cellOf(name) });
      return undefined;
    };
    const [submitted, started] = [readTime('submitted_at'), readTime('started_at')];
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
    const own = { ...data };
    answerCells.addChoices(cells, own);
    // The values are strings, or lists and objects of strings.
    const answers = mergeAnswers(answerCells.withoutUnchosen(others.answers, cells), own as JsonObject, typeOf);
    const kept = metadata.flatMap(({ column, target }): readonly [string, string][] => {
      const cell = cells[column.position] ?? '';
      return cell.trim() === '' ? [] : [[target.member, cell]];
    });
    const dropUnknown = (
      { heading: column, position }: MatchedColumn,
      keptAs?: DroppedValue['keptAs'],
    ): readonly DroppedValue[] => {
      if ((cells[position] ?? '').trim() === '') return [];
      return [unknownColumn(column, keptAs === undefined ? {} : { keptAs })];
    };
    const merged = mergeMetadata(others, Object.fromEntries(kept));
    const dropped = [
      ...merged.dropped,
      ...withoutTarget.flatMap((column) => dropUnknown(column)),
      ...keptAsUnknown.flatMap(({ column, target }) => dropUnknown(column, [target.member])),
      ...answers.replaced,
    ];
    return {
      ...base,
      index,
      id,
      row: number,
      // Not trimmed: clients look responses up by the exact id.
      externalId: cellOf('external_id') || others.externalId,
      startedAt: started ?? others.startedAt,
      completedAt: submitted ?? others.completedAt,
      language: cellOf('language').trim() || others.language,
      answers: answers.value,
      ...status,
      ...(unread.length === 0 ? {} : { unread }),
      ...fitMetadata(merged.value, { warnOnce, dropped }),
    };
  };
  const named = columns
    .filter(({ isExcluded }) => !isExcluded)
    .map(({ position, heading, target }) => ({ position, heading, target: target?.name ?? '' }));
  return (row, index, others = NOTHING) => {
    const withOptions = answerCells.toOptions(row);
    return addUnreadCells(read(withOptions, index, others), withOptions, named);
  };
}

/** Undefined if empty, null if not a time. */
function toTime(cell: string, parseTime: ReadTime): Date | undefined | null {
  const text = cell.trim();
  if (text === '') return undefined;
  return parseTime(text) ?? null;
}
