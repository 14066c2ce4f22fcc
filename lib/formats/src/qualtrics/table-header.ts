import type { JsonObject } from '@bufbuild/protobuf';
import type { TableHeader } from '../core/columns/table-header.ts';
import { nameOfTarget } from '../core/columns/target-name.ts';
import { badHeader, rejectDuplicates } from '../tables/header.ts';
import type { Row } from '../tables/row.ts';
import { type AnswerColumn, createColumnFinder } from './answer-columns.ts';
import { indexQuestions } from './question-index.ts';
import { type MetaName, type ResponseHeader, readResponseHeader, TIMES } from './response-header.ts';

export interface QualtricsHeader extends TableHeader {
  /** The header without the columns that the reader must ignore. */
  readonly response: ResponseHeader;
  /** Columns of questions by position. */
  readonly columns: readonly (AnswerColumn | undefined)[];
  /** Names of the columns that are neither of a question nor about the response, by position. */
  readonly unknown: ReadonlyMap<number, string>;
}

/** Targets of columns about the response. Columns that are not listed here are kept in its metadata. */
const TARGETS: Partial<Readonly<Record<MetaName, string>>> = {
  id: 'id',
  startedAt: 'started_at',
  endedAt: 'submitted_at',
  recordedAt: 'submitted_at',
  finished: 'status',
  language: 'language',
};
/** Row of the import ids. */
const ID_ROW = 3;

/** Reads the header of an export of responses, and finds the question of each column. */
export function readQualtricsHeader(
  start: readonly Row[],
  payload: JsonObject,
  ignored: ReadonlySet<number>,
): QualtricsHeader {
  const whole = readResponseHeader(start);
  const response = withoutColumns(whole, ignored);
  const { names, importIds, texts, meta } = response;
  const metaPositions = new Set(meta.values());
  const finder = createColumnFinder(indexQuestions(payload));
  // Questions can share a column name. Each `find` of it returns the next of them, so check the names before.
  const problem = problemOfNames(response, metaPositions, finder.sharing);
  const columns = names.map((name, position) =>
    metaPositions.has(position) ? undefined : finder.find(importIds[position], name, texts[position] ?? ''),
  );
  const targets = new Map<number, string>();
  for (const [name, position] of meta) targets.set(position, TARGETS[name] ?? `metadata.${name}`);
  for (const [position, column] of columns.entries()) {
    if (column === undefined) continue;
    const name = nameOfTarget(column);
    targets.set(position, column.kind === 'entry' ? `${name}.other` : name);
  }
  const isUnknown = (name: string, position: number) =>
    name !== '' && columns[position] === undefined && !metaPositions.has(position);
  return {
    response,
    columns,
    unknown: new Map(names.flatMap((name, position) => (isUnknown(name, position) ? [[position, name]] : []))),
    headings: whole.names,
    names,
    headerRows: response.rows,
    targets,
    kinds: new Map(TIMES.flatMap((name) => toKind(meta.get(name)))),
    check({ description, needsQuestion }) {
      if (problem !== undefined) throw badHeader(problem);
      rejectDuplicates(
        importIds.map((id, position) => (metaPositions.has(position) ? '' : (id ?? ''))),
        () => true,
        ID_ROW,
      );
      if (!needsQuestion || columns.some((column) => column !== undefined)) return;
      const detail = `no column names a question of the survey (${description}); import the survey from Qualtrics first`;
      throw badHeader(`row 1: ${detail}`);
    },
  };
}

function withoutColumns(header: ResponseHeader, ignored: ReadonlySet<number>): ResponseHeader {
  if (ignored.size === 0) return header;
  return {
    ...header,
    names: header.names.map((name, position) => (ignored.has(position) ? '' : name)),
    importIds: header.importIds.map((id, position) => (ignored.has(position) ? undefined : id)),
    meta: new Map([...header.meta].filter(([, position]) => !ignored.has(position))),
  };
}

function toKind(position: number | undefined): readonly (readonly [number, 'timestamp'])[] {
  return position === undefined ? [] : [[position, 'timestamp']];
}

/** Describes the first duplicate or ambiguous name of columns without an import id; undefined if there is none. */
function problemOfNames(
  { names, importIds }: ResponseHeader,
  metaPositions: ReadonlySet<number>,
  sharing: (name: string) => readonly string[],
): string | undefined {
  const namesWithoutId = names.filter(
    (name, position) => name !== '' && !metaPositions.has(position) && importIds[position] === undefined,
  );
  for (const [name, same] of Map.groupBy(namesWithoutId, (one) => one)) {
    const questions = sharing(name);
    if (questions.length === 0 || questions.length === same.length) continue;
    if (same.length > questions.length) return `row 1, column ${name}: the column is duplicate`;
    const detail = `the column can be of ${questions.join(' or ')}; export with the row of import ids`;
    return `row 1, column ${name}: ${detail}`;
  }
  return undefined;
}
