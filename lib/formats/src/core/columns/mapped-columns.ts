import type { JsonObject } from '@bufbuild/protobuf';
import { OTHER_SUFFIX } from '@survey/questionnaire/columns/cell-format';
import { setMember } from '@survey/questionnaire/json';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { createWarnOnce, type WarnOnce } from '../../files/report.ts';
import type { ColumnKind } from '../../tables/column-values.ts';
import { readNames } from '../../tables/header.ts';
import type { Row } from '../../tables/row.ts';
import type { ColumnTarget } from '../../tables/table-options.ts';
import type { AnsweredSurvey, ResponseReadOptions } from '../reader.ts';
import { fitMetadata } from '../responses/metadata.ts';
import { type FileResponse, isRejected, type ParsedResponse, rowOf } from '../responses/response.ts';
import { questionsOf } from '../source-questions.ts';
import { createAnswerCells } from './answer-cells.ts';
import { createHeaderIndex, type HeaderIndex } from './header-index.ts';
import { cutHeading } from './headings.ts';
import { groupColumns, type MatchedColumn, matchGiven, rejectProblems } from './match-headers.ts';
import { mergeAnswers, mergeMetadata, withoutItems } from './overrides.ts';
import { kindsOf } from './plan.ts';
import { createRowReader } from './read-table.ts';
import type { TableHeader } from './table-header.ts';

/** Columns of another tool's table that the option `columns` names. They are read like columns of a spreadsheet. */
export interface MappedColumns {
  /** Positions of the columns. */
  readonly positions: ReadonlySet<number>;
  /** Whether one of these columns has answers. If so, the table needs no other columns with answers. */
  readonly hasAnswers: boolean;
  /** Positions of the columns with free texts. */
  readonly texts: ReadonlySet<number>;
  /** Kinds of values, by position. */
  readonly kinds: ReadonlyMap<number, ColumnKind>;
  /** Empties the cells of these columns, so that the reader of the tool ignores them. */
  hide(cells: readonly string[]): readonly string[];
  /** Warns about columns of the tool that have the same targets as these columns. */
  warnOfRivals(header: Pick<TableHeader, 'headings' | 'targets'>): void;
  /**
   * Adds the values of these columns to a response. They win over values of the tool's reader; replaced values are
   * reported. `row` has all cells, with converted values.
   */
  addTo(response: FileResponse, row: Row): FileResponse;
}

const FREE_TEXTS = new Set(['text', 'textarea']);

const NONE: MappedColumns = {
  positions: new Set(),
  hasAnswers: false,
  texts: new Set(),
  kinds: new Map(),
  hide: (cells) => cells,
  warnOfRivals: () => {},
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
  const cells = createAnswerCells(header, payload, index, { readsOther: false, warnOnce });
  const readRow = createRowReader(header, definition, cells, { warnOnce, timeZone: table.timeZone });
  const { positions, hasAnswers, kinds } = given;
  const typeOf = new Map(questionsOf(payload).map(({ id, type }) => [String(id), String(type)]));
  const flags = given.header.answerColumns.filter(({ target }) => target.column.kind === 'flag');

  const isText = ({ target: { name, column } }: (typeof given.header.answerColumns)[number]): boolean =>
    name.endsWith(OTHER_SUFFIX) || FREE_TEXTS.has(typeOf.get(column.question_id) ?? '');

  /** Removes the options that are not chosen according to the mapped columns. */
  function withoutUnchosen(answers: JsonObject, row: Row): JsonObject {
    const filled = flags.filter(({ column }) => (row.cells[column.position] ?? '').trim() !== '');
    if (filled.length === 0) return answers;
    const converted = cells.toCells(row.cells);
    const remaining: JsonObject = { ...answers };
    for (const { target } of filled) {
      const { question_id: id, items } = target.column;
      const answer = Object.hasOwn(remaining, id) ? remaining[id] : undefined;
      if (converted[target.name] !== '' || answer === undefined) continue;
      const path = items.map((item) => item.id);
      setMember(remaining, id, withoutItems(answer, path));
    }
    return remaining;
  }

  return {
    positions,
    hasAnswers,
    texts: new Set(
      [...given.header.answerColumns.filter(isText), ...given.header.metadata].map(({ column }) => column.position),
    ),
    kinds,
    hide: (all) => all.map((cell, position) => (positions.has(position) ? '' : cell)),
    warnOfRivals(tool) {
      for (const warning of rivalsOf(given.header.columns, tool)) warn(warning);
    },
    addTo(response, row) {
      if (isRejected(response)) return response;
      const fromTool = { ...response, answers: withoutUnchosen(response.answers, row) };
      const hasStatus = (row.cells[given.header.responseColumns.get('status') ?? -1] ?? '').trim() !== '';
      return merge(fromTool, readRow(row, response.index), { typeOf, hasStatus, warnOnce });
    },
  };
}

/** Warnings about columns of the tool whose answer or metadata also comes from a column of the option `columns`. */
export function rivalsOf(
  mapped: readonly MatchedColumn[],
  { headings, targets }: Pick<TableHeader, 'headings' | 'targets'>,
): readonly FieldProblem[] {
  const byName = new Map(
    mapped.flatMap(({ target, heading }) =>
      target?.kind === 'answer' || target?.kind === 'metadata' ? [[target.name, heading]] : [],
    ),
  );
  return [...targets].flatMap(([position, name]) => {
    const winner = byName.get(name);
    if (winner === undefined) return [];
    const [heading, other] = [headings[position] ?? '', winner].map(cutHeading);
    const detail = `The column ${heading} is for ${name} too: its values are not imported in rows where the column ${other} has one`;
    return [{ path: '', code: 'NOT_IMPORTED', detail }];
  });
}

/** Finds the columns that the option `columns` names, including those with problems. Throws like `matchGiven`. */
export function givenColumns(
  names: readonly string[],
  columns: readonly ColumnTarget[],
  payload: JsonObject,
  index: HeaderIndex,
) {
  const header = groupColumns(matchGiven(names, index, columns));
  return {
    header,
    positions: new Set(header.columns.map(({ position }) => position)),
    hasAnswers: header.answerColumns.length + header.choiceColumns.length > 0,
    kinds: kindsOf(header, payload),
  };
}

interface MergeOptions {
  /** Types of questions by id. */
  readonly typeOf: ReadonlyMap<string, string>;
  /** Whether a mapped column has the status of the response. */
  readonly hasStatus: boolean;
  readonly warnOnce: WarnOnce;
}

function merge(
  response: ParsedResponse,
  mapped: FileResponse,
  { typeOf, hasStatus, warnOnce }: MergeOptions,
): FileResponse {
  const id = mapped.id === '' ? response.id : mapped.id;
  if (isRejected(mapped)) return { ...mapped, ...rowOf(response), index: response.index, id };
  const { status: toolStatus, ...fromTool } = response;
  const status = hasStatus ? mapped.status : toolStatus;
  const answers = mergeAnswers(fromTool.answers, mapped.answers, typeOf);
  const metadata = mergeMetadata(fromTool, mapped.metadata ?? {});
  return {
    ...fromTool,
    id,
    externalId: mapped.externalId ?? fromTool.externalId,
    startedAt: mapped.startedAt ?? fromTool.startedAt,
    completedAt: mapped.completedAt ?? fromTool.completedAt,
    language: mapped.language ?? fromTool.language,
    answers: answers.value,
    ...(status === undefined ? {} : { status }),
    unread: [...(fromTool.unread ?? []), ...(mapped.unread ?? [])],
    ...fitMetadata(metadata.value, {
      warnOnce,
      dropped: [...metadata.dropped, ...(mapped.dropped ?? []), ...answers.replaced],
    }),
  };
}
