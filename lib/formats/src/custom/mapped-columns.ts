import type { JsonObject } from '@bufbuild/protobuf';
import { setMember } from '@survey/questionnaire/json';
import { createHeaderIndex, type HeaderIndex } from '../headers/header-index.ts';
import { matchGiven, rejectProblems } from '../headers/match-headers.ts';
import { type FileResponse, isRejected, type ReadResponse, rowOf } from '../shared/file-response.ts';
import { fitMetadata } from '../shared/fit-metadata.ts';
import type { AnsweredSurvey, ResponseReadOptions } from '../shared/reader.ts';
import { createWarnOnce, type WarnOnce } from '../shared/warn-once.ts';
import type { ColumnKind } from '../tables/column-values.ts';
import { readNames } from '../tables/header.ts';
import type { Row } from '../tables/row.ts';
import type { ColumnTarget } from '../tables/table-options.ts';
import { createAnswerCells } from './answer-cells.ts';
import { kindsOf } from './match-table.ts';
import { createRowReader } from './responses-csv.ts';
import { sortColumns } from './responses-csv-header.ts';

/** Columns of another tool's table that the option `columns` names. They are read like those of a spreadsheet. */
export interface MappedColumns {
  /** Positions of the columns. */
  readonly positions: ReadonlySet<number>;
  /** Whether one of them has answers, so that the others need none. */
  readonly hasAnswers: boolean;
  /** Kinds of their values, by position. */
  readonly kinds: ReadonlyMap<number, ColumnKind>;
  /** Empties their cells, for the reader of the tool. */
  hide(cells: readonly string[]): readonly string[];
  /** Adds their values, which win over those of the tool's reader. `row` has all cells, with converted values. */
  addTo(response: FileResponse, row: Row): FileResponse;
}

const NONE: MappedColumns = {
  positions: new Set(),
  hasAnswers: false,
  kinds: new Map(),
  hide: (cells) => cells,
  addTo: (response) => response,
};

/**
 * Finds the columns that the option `columns` names. Throws `INVALID_IMPORT` if it names a column or target that does
 * not exist, or two columns with one target.
 *
 * @param first first row of the table, with cells as the reader gets them
 */
export function mapColumns(
  first: Row | undefined,
  { payload, definition }: AnsweredSurvey,
  { table, warn }: Pick<ResponseReadOptions, 'table' | 'warn'>,
): MappedColumns {
  if (table.columns.length === 0) return NONE;
  const names = readNames(first);
  const index = createHeaderIndex(payload, definition);
  const given = givenColumns(names, table.columns, payload, index);
  rejectProblems(given.header.columns, first?.number ?? 1);
  const header = { names, isMasked: false, isExport: false, ...given.header };
  const warnOnce = createWarnOnce(warn);
  const cells = createAnswerCells(header, payload, index, { readsOther: false });
  const readRow = createRowReader(header, definition, cells, warnOnce);
  const { positions, hasAnswers, kinds } = given;
  return {
    positions,
    hasAnswers,
    kinds,
    hide: (all) => all.map((cell, position) => (positions.has(position) ? '' : cell)),
    addTo: (response, row) =>
      isRejected(response) ? response : merge(response, readRow(row, response.index), warnOnce),
  };
}

/** Finds the columns that the option `columns` names, including those with problems. Throws like `matchGiven`. */
export function givenColumns(
  names: readonly string[],
  columns: readonly ColumnTarget[],
  payload: JsonObject,
  index: HeaderIndex,
) {
  const header = sortColumns(matchGiven(names, index, columns));
  return {
    header,
    positions: new Set(header.columns.map(({ position }) => position)),
    hasAnswers: header.answered.length + header.choices.length > 0,
    kinds: kindsOf(header, payload),
  };
}

function merge(response: ReadResponse, mapped: FileResponse, warnOnce: WarnOnce): FileResponse {
  const id = mapped.id === '' ? response.id : mapped.id;
  if (isRejected(mapped)) return { ...mapped, ...rowOf(response), index: response.index, id };
  const answers: JsonObject = { ...response.answers };
  for (const [questionId, answer] of Object.entries(mapped.answers)) setMember(answers, questionId, answer);
  const completedAt = mapped.completedAt ?? response.completedAt;
  return {
    ...response,
    id,
    externalId: mapped.externalId ?? response.externalId,
    // A lone `submitted_at` is no better start than that of the tool.
    startedAt: mapped.startedAt === mapped.completedAt ? (response.startedAt ?? completedAt) : mapped.startedAt,
    completedAt,
    language: mapped.language ?? response.language,
    answers,
    ...(mapped.status === undefined ? {} : { status: mapped.status }),
    unread: [...(response.unread ?? []), ...(mapped.unread ?? [])],
    ...fitMetadata(
      { ...response.metadata, ...mapped.metadata },
      {
        warnOnce,
        dropped: [...(response.dropped ?? []), ...(mapped.dropped ?? [])],
      },
    ),
  };
}
