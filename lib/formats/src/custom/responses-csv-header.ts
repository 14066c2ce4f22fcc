import {
  findResponseColumns,
  isExportHeader,
  type ResponseColumn,
} from '@survey/questionnaire/columns/response-columns';
import { unmaskFormula } from '@survey/runtime/csv/formula';
import type { Row } from '../files/csv-rows.ts';
import { invalidImport } from '../files/invalid-import.ts';
import type { Warn } from '../shared/reader.ts';

interface Options {
  /** Names of the survey's answer columns. */
  readonly columns: ReadonlySet<string>;
  /** Whether cells are masked against formulas; undefined to detect it. */
  readonly unmask: boolean | undefined;
  readonly warn: Warn;
}

export interface ResponseHeader {
  readonly names: readonly string[];
  /** Positions of the columns about the response itself. */
  readonly own: ReadonlyMap<ResponseColumn, number>;
  /** Answer columns, with their positions. */
  readonly answered: readonly (readonly [name: string, position: number])[];
  readonly isMasked: boolean;
}

/** Reads the header. Throws `INVALID_IMPORT` if it has no column of the survey. */
export function readResponseHeader(row: Row | undefined, { columns, unmask, warn }: Options): ResponseHeader {
  const reject = (detail: string) => invalidImport([{ path: '', code: 'BAD_HEADER', detail }]);
  if (row === undefined) throw reject('there is no header row');
  const written = row.cells.map((cell) => cell.trim());
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
    throw reject(`row ${row.number}: no column names a question of the survey${hint}`);
  }
  const counted = Map.groupBy(
    names.filter((name) => name !== ''),
    (name) => name,
  );
  for (const [name, same] of counted)
    if (same.length > 1) throw reject(`row ${row.number}, column ${name}: the column is duplicate`);
  for (const [name] of others) {
    if (columns.has(name)) continue;
    const detail = `The column ${name} is not imported: the survey has no such column`;
    warn({ path: '', code: 'NOT_IMPORTED', detail });
  }
  return { names, own, answered, isMasked };
}
