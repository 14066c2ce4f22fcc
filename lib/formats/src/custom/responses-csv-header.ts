import {
  findResponseColumns,
  isExportHeader,
  type ResponseColumn,
} from '@survey/questionnaire/columns/response-columns';
import { unmaskFormula } from '@survey/runtime/csv/formula';
import type { Warn } from '../shared/reader.ts';
import { badHeader, readNames, rejectDuplicates } from '../tables/header.ts';
import type { Row } from '../tables/row.ts';

interface Options {
  /** Names of the survey's answer columns. */
  readonly columns: ReadonlySet<string>;
  /** Whether cells are masked against formulas; undefined to detect it. */
  readonly unmask: boolean | undefined;
  /** The way in which the file is read, for messages. */
  readonly description: string;
  readonly warn: Warn;
}

export interface ResponseHeader {
  readonly names: readonly string[];
  /** Positions of the columns about the response itself. */
  readonly own: ReadonlyMap<ResponseColumn, number>;
  /** Answer columns, with their positions. */
  readonly answered: readonly (readonly [name: string, position: number])[];
  readonly isMasked: boolean;
  /** Whether the file is an export of this platform. */
  readonly isExport: boolean;
}

/** Reads the header. Throws `INVALID_IMPORT` if it has no column of the survey. */
export function readResponseHeader(
  row: Row | undefined,
  { columns, unmask, description, warn }: Options,
): ResponseHeader {
  const written = readNames(row);
  const number = row?.number ?? 1;
  const isExport = isExportHeader(written);
  const isMasked = unmask ?? isExport;
  const names = isMasked ? written.map(unmaskFormula) : written;
  const own = findResponseColumns(names, columns);
  const ownPositions = new Set(own.values());
  const others = names.flatMap((name, position) =>
    name === '' || ownPositions.has(position) ? [] : [[name, position] as const],
  );
  const answered = others.filter(([name]) => columns.has(name));
  if (answered.length === 0) {
    const hint = isExport ? '; export with labels=ids instead of labels=texts' : '';
    throw badHeader(`row ${number}: no column names a question of the survey (${description})${hint}`);
  }
  const ownNames = new Set([...own.values()].map((position) => names[position]));
  rejectDuplicates(names, (name) => columns.has(name) || ownNames.has(name), number);
  for (const [name] of others) {
    if (columns.has(name)) continue;
    const detail = `The column ${name} is not imported: the survey has no such column`;
    warn({ path: '', code: 'NOT_IMPORTED', detail });
  }
  return { names, own, answered, isMasked, isExport };
}
