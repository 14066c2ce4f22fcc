import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { invalidImport, type Warn } from '../files/report.ts';
import type { Row } from './row.ts';

const MAX_NAME = 200;

/** The reason why a header cannot be used. */
export function headerProblem(detail: string): FieldProblem {
  return { path: '', code: 'BAD_HEADER', detail };
}

/** The error for a header that cannot be used. */
export function badHeader(detail: string): Error {
  return invalidImport([headerProblem(detail)]);
}

/** The trimmed names of a header row, without empty ones at its end. Throws `BAD_HEADER` if there is no row. */
export function readNames(row: Row | undefined): readonly string[] {
  if (row === undefined) throw badHeader('there is no header row');
  const names = row.cells.map((cell) => cell.trim());
  return names.slice(0, names.findLastIndex((name) => name !== '') + 1);
}

/** A problem for the first name that occurs twice: one of the columns would overwrite the other. */
export function duplicateNames(names: readonly string[], row: number): readonly FieldProblem[] {
  const seen = new Set<string>();
  for (const name of names) {
    if (name === '') continue;
    if (seen.has(name)) {
      return [headerProblem(`row ${row}, column ${name.slice(0, MAX_NAME)}: the column is duplicate`)];
    }
    seen.add(name);
  }
  return [];
}

/** Describes values of a row to the right of the header; undefined if there are none. Empty cells are ignored. */
export function extraCellsProblem(cells: readonly string[], width: number): string | undefined {
  if (cells.length <= width || cells.slice(width).every((cell) => cell.trim() === '')) return undefined;
  return `the row has ${cells.length} cells, but there are ${width} columns`;
}

/** Watches rows for values in columns without a name, and warns once about each such column. */
export function watchNameless(names: readonly string[], warn: Warn): (cells: readonly string[]) => void {
  const nameless = new Set(names.flatMap((name, position) => (name === '' ? [position] : [])));
  return (cells) => {
    for (const position of nameless) {
      if ((cells[position] ?? '').trim() === '') continue;
      nameless.delete(position);
      const detail = `The column ${position + 1} is not imported: it has no name in the header`;
      warn({ path: '', code: 'NOT_IMPORTED', detail });
    }
  };
}
