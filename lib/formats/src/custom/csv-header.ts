import type { Warn } from '../core/reader.ts';
import { invalidImport } from '../files/report.ts';
import { readNames } from '../tables/header.ts';
import type { Row } from '../tables/row.ts';

const COLUMNS = [
  'question_id',
  'question_type',
  'question_title',
  'question_required',
  'question_options',
  'logic_conditions',
] as const;
/** A row with at least this many column names is a header. A single name can be other text, such as an option. */
const MIN_HEADER_NAMES = 2;
const REQUIRED = ['question_type', 'question_title'] as const;

interface Header {
  readonly header: readonly string[];
  readonly body: readonly Row[];
  readonly unknown: readonly string[];
}

/** Detects a header row, with columns in any order. Without one, the columns have a fixed order. */
export function readHeader(rows: readonly Row[], warn: Warn): Header {
  const [first, ...body] = rows;
  const named = first === undefined ? [] : readNames(first).map(toName);
  if (first === undefined || named.filter(isColumn).length < MIN_HEADER_NAMES) {
    return { header: COLUMNS, body: rows, unknown: [] };
  }
  const errors = [
    ...REQUIRED.filter((name) => !named.includes(name)).map((name) => ({ name, problem: 'is missing' })),
    ...named.filter((name, index) => named.indexOf(name) < index).map((name) => ({ name, problem: 'is duplicate' })),
    // JSON objects cannot have this member.
    ...named.filter((name) => name === '__proto__').map((name) => ({ name, problem: 'cannot be kept' })),
  ];
  if (errors.length > 0) {
    throw invalidImport(
      errors.map(({ name, problem }) => ({
        path: '',
        code: 'BAD_HEADER',
        detail: `row ${first.number}, column ${name}: the column ${problem}`,
      })),
    );
  }
  const unknown = named.filter((name) => !isColumn(name));
  for (const name of unknown) {
    const detail = `The column ${name} has no equivalent and is kept in source_data of the questions`;
    warn({ path: '', code: 'KEPT_AS_SOURCE_DATA', detail });
  }
  return { header: named, body, unknown };
}

function toName(name: string, index: number): string {
  const known = name.toLowerCase();
  if (isColumn(known)) return known;
  return name === '' ? `column ${index + 1}` : name;
}

function isColumn(name: string): boolean {
  return (COLUMNS as readonly string[]).includes(name);
}
