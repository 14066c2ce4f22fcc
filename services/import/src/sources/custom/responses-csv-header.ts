import {
  findResponseColumns,
  isExportHeader,
  type ResponseColumn,
} from '@survey/questionnaire/columns/response-columns';
import { unmaskFormula } from '@survey/runtime/csv/formula';
import type { Row } from '../../files/csv-rows.ts';
import { invalidImport } from '../../files/invalid-import.ts';
import type { Warn } from '../reader.ts';

interface Options {
  /** Names of the columns of the survey's questions. */
  readonly columns: ReadonlySet<string>;
  /** Whether its cells are masked against being formulas; undefined when the file is to tell. */
  readonly unmask: boolean | undefined;
  readonly warn: Warn;
}

/** What stands in which column of a table of responses. */
export interface ResponseHeader {
  /** The name of each column. */
  readonly names: readonly string[];
  /** Places of the columns about the response itself. */
  readonly own: ReadonlyMap<ResponseColumn, number>;
  /** The columns of the survey's questions, and their places. */
  readonly answered: readonly (readonly [name: string, place: number])[];
  /** Whether the cells are masked. */
  readonly isMasked: boolean;
}

/** Throws `INVALID_IMPORT` when it is no header of responses to the survey. */
export function readResponseHeader(row: Row | undefined, { columns, unmask, warn }: Options): ResponseHeader {
  const refuse = (detail: string) => invalidImport([{ path: '', code: 'BAD_HEADER', detail }]);
  if (row === undefined) throw refuse('there is no header row');
  const written = row.cells.map((cell) => cell.trim());
  const isExport = isExportHeader(written);
  const isMasked = unmask ?? isExport;
  const names = isMasked ? written.map(unmaskFormula) : written;
  const own = findResponseColumns(names, columns);
  const ownPlaces = new Set(own.values());
  const others = names.flatMap((name, place) => (name === '' || ownPlaces.has(place) ? [] : [[name, place] as const]));
  const answered = others.filter(([name]) => columns.has(name));
  if (answered.length === 0) {
    const hint = isExport ? '; an export with labels=texts cannot be imported, one with labels=ids can' : '';
    throw refuse(`row ${row.number}: no column names a question of the survey${hint}`);
  }
  const counted = Map.groupBy(
    names.filter((name) => name !== ''),
    (name) => name,
  );
  for (const [name, same] of counted)
    if (same.length > 1) throw refuse(`row ${row.number}, column ${name}: the column is there twice`);
  for (const [name] of others) {
    if (columns.has(name)) continue;
    const detail = `The column ${name} is not imported: the survey has no such column`;
    warn({ path: '', code: 'NOT_IMPORTED', detail });
  }
  return { names, own, answered, isMasked };
}
