import type { JsonObject } from '@bufbuild/protobuf';
import type { ResponseColumn } from '@survey/questionnaire/columns/response-columns';
import type { CompiledDefinition } from '@survey/questionnaire/compiled-definition';
import { createWarnOnce, type WarnOnce } from '../../files/report.ts';
import { extraCellsProblem, watchNameless } from '../../tables/header.ts';
import { openTable } from '../../tables/open-table.ts';
import type { Row } from '../../tables/row.ts';
import type { TableOptions } from '../../tables/table-options.ts';
import type { ResponseFileReader } from '../reader.ts';
import { fitMetadata } from '../responses/metadata.ts';
import {
  addUnreadCells,
  type DroppedValue,
  type FileResponse,
  type RejectedResponse,
  readStatus,
  type UnreadValue,
  unknownColumn,
} from '../responses/response.ts';
import { createTimeReader, type ReadTime } from '../responses/times.ts';
import { type AnswerCells, createAnswerCells } from './answer-cells.ts';
import { createHeaderIndex } from './header-index.ts';
import type { MatchedColumn } from './match-headers.ts';
import { planColumns, type TableSource } from './plan.ts';
import type { ResponseHeader } from './responses-csv-header.ts';

/** Tables exported by this platform, and tables made by hand. */
export const CUSTOM_TABLE: TableSource = { wordsOf: () => new Map(), readsOther: false };

/**
 * Creates a reader of tables with a header and a row for each response. Columns have details of the response, or
 * answers to a question that the heading names by id or title.
 */
export function createTableReader(source: TableSource): ResponseFileReader {
  return async function* (file, { payload, definition }, options) {
    const { warn } = options;
    const index = createHeaderIndex(payload, definition);
    const opened = await openTable(file, options.table, warn);
    const plan = await planColumns(opened, source, { payload, index }, options);
    plan.check();
    for (const warning of plan.warnings) warn(warning);
    const { header, table, keptAsUnknown } = plan;
    const convert = await plan.learn();
    const warnOnce = createWarnOnce(warn);
    const answerCells = createAnswerCells(header, payload, index, { readsOther: source.readsOther, warnOnce });
    const readRow = createRowReader(header, definition, answerCells, {
      warnOnce,
      timeZone: options.table.timeZone,
      keptAsUnknown,
    });
    const watch = watchNameless(header.columns.map(nameForWatch), warn);
    yield* plan.rows.withLeftOut(readRows(), warn);

    async function* readRows(): AsyncGenerator<FileResponse> {
      let position = -1;
      for await (const row of table.rows()) {
        if (position >= 0) {
          watch(row.cells);
          yield readRow(convert(row), position);
        }
        position += 1;
      }
    }
  };
}

export const readCustomCsvResponses = createTableReader(CUSTOM_TABLE);

/** The name of a column for the check of columns without a name. Columns in the option `columns` need no heading. */
function nameForWatch({ heading, foundBy, position }: MatchedColumn): string {
  return foundBy === 'option' ? `#${position + 1}` : heading;
}

interface RowReadOptions extends Pick<TableOptions, 'timeZone'> {
  readonly warnOnce: WarnOnce;
  /** Columns that are kept as metadata, but can be answers to questions that the survey does not have. */
  readonly keptAsUnknown?: ResponseHeader['metadata'];
}

/** Reads the rows below a header. */
export function createRowReader(
  {
    names,
    responseColumns,
    metadata,
    answerColumns,
    columns,
  }: Pick<ResponseHeader, 'names' | 'responseColumns' | 'metadata' | 'answerColumns' | 'columns'>,
  { answersFromColumns }: CompiledDefinition,
  answerCells: AnswerCells,
  { warnOnce, timeZone, keptAsUnknown = [] }: RowReadOptions,
): (row: Row, index: number) => FileResponse {
  const withoutTarget = columns.filter(
    ({ heading, target, isExcluded }) => target === undefined && !isExcluded && heading !== '',
  );
  const parseTime = createTimeReader(timeZone, warnOnce);
  const read = ({ number, cells }: Row, index: number): FileResponse => {
    const cellOf = (column: ResponseColumn) => cells[responseColumns.get(column) ?? -1] ?? '';
    const id = cellOf('id').trim();
    const reject = (code: string, detail: string, column?: string): RejectedResponse => ({
      index,
      id,
      row: number,
      code,
      detail: `row ${number}${detail}`,
      ...(column !== undefined && { column }),
    });
    const extra = extraCellsProblem(cells, names.length);
    if (extra !== undefined) return reject('TOO_MANY_CELLS', `: ${extra}`);
    const status = readStatus(cellOf('status').trim());
    if ('problem' in status) return reject('BAD_STATUS', `, column status: ${status.problem}`, 'status');
    const unread: UnreadValue[] = [];
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
      const given = answerColumns.flatMap(({ column, target }): readonly [string, string][] => {
        const cell = cells[column.position] ?? '';
        return target.column.question_id !== name || cell === '' ? [] : [[target.name, cell]];
      });
      const [[only, cell] = ['', '']] = given;
      const value = given.length === 1 && only === name ? cell : Object.fromEntries(given);
      unread.push({ kind: 'answer', name, code, detail, value });
    }
    const answers = { ...data };
    answerCells.addChoices(cells, answers);
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
    const dropped = [
      ...withoutTarget.flatMap((column) => dropUnknown(column)),
      ...keptAsUnknown.flatMap(({ column, target }) => dropUnknown(column, [target.member])),
    ];
    return {
      index,
      id,
      row: number,
      // Not trimmed: clients look responses up by the exact id.
      externalId: cellOf('external_id') || undefined,
      startedAt: started,
      completedAt: submitted,
      language: cellOf('language').trim() || undefined,
      // The values are strings, or lists and objects of strings.
      answers: answers as JsonObject,
      ...status,
      ...(unread.length === 0 ? {} : { unread }),
      ...fitMetadata(Object.fromEntries(kept), { warnOnce, dropped }),
    };
  };
  const named = columns
    .filter(({ isExcluded }) => !isExcluded)
    .map(({ position, heading, target }) => ({ position, heading, target: target?.name ?? '' }));
  return (row, index) => {
    const withOptions = answerCells.toOptions(row);
    return addUnreadCells(read(withOptions, index), withOptions, named);
  };
}

/** Undefined if empty, null if not a time. */
function toTime(cell: string, parseTime: ReadTime): Date | undefined | null {
  const text = cell.trim();
  if (text === '') return undefined;
  return parseTime(text) ?? null;
}
