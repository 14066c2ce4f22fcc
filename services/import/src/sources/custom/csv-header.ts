import type { Row } from '../../files/csv-rows.ts';
import { invalidImport } from '../../files/invalid-import.ts';
import type { Warn } from '../reader.ts';

const COLUMNS = [
  'question_id',
  'question_type',
  'question_title',
  'question_required',
  'question_options',
  'logic_conditions',
] as const;
/** So many names of columns make a header row; a single one may be something else, the text of an option say. */
const NAMES_OF_A_HEADER = 2;
const REQUIRED = ['question_type', 'question_title'] as const;

interface Header {
  /** The name of each column. */
  readonly header: readonly string[];
  /** The rows below. */
  readonly body: readonly Row[];
  /** Columns that the format does not know. */
  readonly unknown: readonly string[];
}

/** Recognises a header row, in which columns may stand in any order; without one it is the fixed order. */
export function readHeader(rows: readonly Row[], warn: Warn): Header {
  const [first, ...body] = rows;
  const named = first?.cells.map(toName) ?? [];
  if (first === undefined || named.filter(isColumn).length < NAMES_OF_A_HEADER) {
    return { header: COLUMNS, body: rows, unknown: [] };
  }
  const errors = [
    ...REQUIRED.filter((name) => !named.includes(name)).map((name) => ({ name, what: 'is missing' })),
    ...named.filter((name, index) => named.indexOf(name) < index).map((name) => ({ name, what: 'is there twice' })),
    // A name that JSON objects have a meaning of their own for.
    ...named.filter((name) => name === '__proto__').map((name) => ({ name, what: 'cannot be kept' })),
  ];
  if (errors.length > 0) {
    throw invalidImport(
      errors.map(({ name, what }) => ({
        path: '',
        code: 'BAD_HEADER',
        detail: `row ${first.number}, column ${name}: the column ${what}`,
      })),
    );
  }
  const unknown = named.filter((name) => !isColumn(name));
  for (const name of unknown) {
    const detail = `The column ${name} has no meaning here and is kept in source_data of the questions`;
    warn({ path: '', code: 'KEPT_AS_SOURCE_DATA', detail });
  }
  return { header: named, body, unknown };
}

function toName(cell: string, index: number): string {
  const name = cell.trim();
  const known = name.toLowerCase();
  if (isColumn(known)) return known;
  return name === '' ? `column ${index + 1}` : name;
}

function isColumn(name: string): boolean {
  return (COLUMNS as readonly string[]).includes(name);
}
