import type { JsonObject } from '@bufbuild/protobuf';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { invalidImport } from '../../files/report.ts';
import type { Table } from '../../tables/open-table.ts';
import type { HeaderIndex } from './header-index.ts';
import { cutHeading } from './heading-key.ts';
import { NUMBER, type NumberedColumn, numberedColumns, type Reading } from './numbered-columns.ts';
import type { ResponseHeader } from './responses-csv-header.ts';

/** Converts the cells of a row with numbers of options to ids of options. */
type ConvertNumbers = (cells: readonly string[]) => readonly string[];

/** The numbers in the cells of a column. */
interface SeenNumbers {
  /** The first row with a number. */
  readonly row: number;
  readonly highest: number;
  readonly lowest: number;
}

/** The cells with numbers in a table. */
interface SeenTable {
  readonly numbers: ReadonlyMap<number, SeenNumbers>;
  /** First rows by column and reading, for options with numbers as texts. */
  readonly readings: ReadonlyMap<NumberedColumn, ReadonlyMap<Reading, number>>;
  /**
   * Whether a column for one option has a 1, although the option is not the first one. Then 1 is not the number of the
   * option, so the table marks chosen options with 1.
   */
  readonly isMarked: boolean;
}

const ADVICE = 'export again with "Actual answer text" in the cells, or import the JSON';

/**
 * Finds out whether a table has numbers in place of the texts of options: in all of its columns of choices, no cell has
 * the text of an option, and some have numbers. Then the numbers are positions of options. Throws `INVALID_IMPORT` if
 * the positions are unknown, for example because some options are hidden, or if a number can be a text or a position.
 */
export async function createNumberConverter(
  table: Table,
  header: ResponseHeader,
  payload: JsonObject,
  index: HeaderIndex,
): Promise<ConvertNumbers> {
  const columns = numberedColumns(header, payload, index);
  if (columns.length === 0) return (given) => given;
  const seen = await lookAtCells(table, columns);
  if (seen === undefined) return (given) => given;
  const { numbers } = seen;
  const withNumbers = columns.filter(({ position }) => numbers.has(position));
  if (!isNumbered(withNumbers, seen)) {
    const problems = ambiguousColumns(seen);
    if (problems.length > 0) throw invalidImport(problems);
    return (given) => given;
  }
  const problems = withNumbers.flatMap((column): readonly FieldProblem[] => {
    const { position, ids, problem } = column;
    const { row = 1, lowest = 1, highest = 1 } = numbers.get(position) ?? {};
    const isOutside = ids !== undefined && (lowest < 1 || highest > ids.length);
    const reason = problem ?? (isOutside ? `the question has the options 1 to ${ids.length}` : undefined);
    if (reason === undefined) return [];
    const detail = `the cells have numbers in place of the texts of options, and ${reason}; ${ADVICE}`;
    return [problemAt(column, row, detail)];
  });
  if (problems.length > 0) throw invalidImport(problems);
  return (cells) => {
    const converted = [...cells];
    for (const { position, ids } of withNumbers) {
      const cell = (cells[position] ?? '').trim();
      if (!NUMBER.test(cell)) continue;
      converted[position] = ids === undefined ? (Number(cell) > 0 ? '1' : '') : (ids[Number(cell) - 1] ?? cell);
    }
    return converted;
  };
}

/** Looks at all cells; undefined if one has the text of an option that is no number. */
async function lookAtCells(table: Table, columns: readonly NumberedColumn[]): Promise<SeenTable | undefined> {
  const numbers = new Map<number, SeenNumbers>();
  const readings = new Map<NumberedColumn, Map<Reading, number>>();
  let isMarked = false;

  function addNumber(column: NumberedColumn, cell: string, row: number): void {
    const reading = column.readingOf?.(cell);
    // Both readings give the same option, so the number decides nothing.
    if (reading === 'same') return;
    if (reading !== undefined) {
      const rows = readings.get(column) ?? new Map<Reading, number>();
      readings.set(column, rows);
      if (!rows.has(reading)) rows.set(reading, row);
    }
    const value = Number(cell);
    isMarked ||= column.ids === undefined && value === 1 && (column.number ?? 1) > 1;
    const before = numbers.get(column.position);
    numbers.set(column.position, {
      row: before?.row ?? row,
      highest: Math.max(before?.highest ?? 0, value),
      lowest: Math.min(before?.lowest ?? value, value),
    });
  }

  let isHeader = true;
  try {
    for await (const { cells, number: row } of table.rows()) {
      if (isHeader) {
        isHeader = false;
        continue;
      }
      for (const column of columns) {
        const cell = (cells[column.position] ?? '').trim();
        if (cell === '') continue;
        if (!NUMBER.test(cell) && column.isText(cell)) return undefined;
        if (column.pattern.test(cell)) addNumber(column, cell, row);
      }
    }
  } catch (error) {
    // The error is reported later, after the rows before it.
    if (!(error instanceof AppError)) throw error;
  }
  return { numbers, readings, isMarked };
}

/**
 * Whether the numbers of a table are positions. The first case that occurs in it decides:
 *
 * | case | numbers are |
 * |---|---|
 * | above 1 in a column for one option, or any number in a column whose options have no numbers as texts | positions |
 * | a column for one option, which is not the first one, has a 1 (`isMarked`) | texts |
 * | a number is only the text of an option | texts |
 * | a number is only the position of an option | positions |
 * | a number is the text of an option and the position of another one | unknown: the file is rejected |
 */
function isNumbered(withNumbers: readonly NumberedColumn[], { numbers, readings, isMarked }: SeenTable): boolean {
  // A single option can be marked with 1, in any kind of table.
  const isSure = withNumbers.some(
    ({ ids, isEvidence, position }) => isEvidence && (ids !== undefined || (numbers.get(position)?.highest ?? 0) > 1),
  );
  const has = (reading: Reading) => [...readings.values()].some((rows) => rows.has(reading));
  return isSure || (!isMarked && !has('text') && has('position'));
}

/** Problems of columns whose numbers are texts of options and positions of others, if no other column decides. */
function ambiguousColumns({ readings, isMarked }: SeenTable): readonly FieldProblem[] {
  if (isMarked || [...readings.values()].some((rows) => rows.has('text'))) return [];
  const detail =
    'the numbers in the cells can be texts of options or their positions, and no other column decides; import the JSON';
  return [...readings].flatMap(([column, rows]) => {
    const row = rows.get('two');
    return row === undefined ? [] : [problemAt(column, row, detail)];
  });
}

function problemAt({ heading }: NumberedColumn, row: number, detail: string): FieldProblem {
  const column = cutHeading(heading);
  return { path: '', code: 'NUMBERED_OPTIONS', detail: `row ${row}, column ${column}: ${detail}` };
}
