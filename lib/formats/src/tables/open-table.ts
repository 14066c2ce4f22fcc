import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import type { ImportFile } from '../files/import-file.ts';
import { invalidFile, invalidImport, type Warn } from '../files/report.ts';
import { TEXT_SLICE } from '../files/text.ts';
import { type Archive, isZip, readZip } from '../files/zip.ts';
import { findDialect, nameOfSeparator, optionOfSeparator, readCsvRows } from './csv.ts';
import { decodeTable, findEncoding } from './encoding.ts';
import type { Row } from './row.ts';
import type { TableOptions } from './table-options.ts';
import { openWorkbook, type Workbook } from './workbook.ts';

/** A sheet of a workbook, or a file of an archive. */
export interface NamedTable {
  readonly name: string;
  /** The sheet or file for messages: `sheet kid`, `file form-kid.csv`. */
  readonly location: string;
  /** Like `rows` of a table. */
  rows(): AsyncIterable<Row>;
}

/** Rows of CSV, TSV or a sheet. */
export interface Table {
  /** Streams the non-empty rows, each time from the first. Throws `INVALID_IMPORT` at the first unreadable row. */
  rows(): AsyncIterable<Row>;
  /** The way in which the file is read, for messages: `separator ";", encoding utf-8`. */
  readonly description: string;
  /** Another separator that fits nearly as well, as in the option `separator`; undefined if there is none. */
  readonly rivalSeparator?: string;
  /** The other visible sheets with rows, or the other tables of an archive. */
  readonly others: readonly NamedTable[];
}

const WORKBOOK_PART = '[Content_Types].xml';
const TABLE_NAME = /\.(csv|tsv|tab|txt|xlsx)$/i;
/** Maximum number of tables in an archive: forms have fewer repeats. */
const MAX_TABLES = 200;
/** Maximum characters of a name in messages. */
const MAX_NAME = 200;
/** Files that operating systems add. */
const SYSTEM_FILE = /(^|\/)(__MACOSX\/|\.)/;

/**
 * Opens a table by its content: delimited text, a workbook, or an archive with one of these. Separator, line ends and
 * encoding are detected unless an option names them. Warns about an assumed encoding and about other sheets. Throws
 * `INVALID_IMPORT`.
 */
export async function openTable(file: ImportFile, options: TableOptions, warn: Warn): Promise<Table> {
  const table = await openVisible(file, options, warn, openMember);
  for (const { name } of table.others) {
    warn({ path: '', code: 'NOT_IMPORTED', detail: `The sheet ${name} is not imported: only the first one is` });
  }
  return table;
}

/**
 * Opens a table like `openTable`, for readers of all sheets. In an archive, the names of the other tables must begin
 * with the name of the main table: `form.csv`, `form-kid.csv`.
 */
export async function openTables(file: ImportFile, options: TableOptions, warn: Warn): Promise<Table> {
  return openVisible(file, options, warn, openMembers);
}

async function openVisible(
  file: ImportFile,
  options: TableOptions,
  warn: Warn,
  openArchive: typeof openMember,
): Promise<Table> {
  if (!(await isZip(file))) return openText(file, options, warn);
  const archive = await readZip(file);
  if (isWorkbook(archive)) return openSheet(await openWorkbook(archive));
  return openArchive(archive, options, warn);
}

async function openText(file: ImportFile, options: TableOptions, warn: Warn): Promise<Table> {
  const encoding = await findEncoding(file, options.encoding);
  if (encoding.isAssumed) {
    const detail = `The file does not say its encoding and is read as ${encoding.name}; set encoding for another one`;
    warn({ path: '', code: 'ENCODING_ASSUMED', detail });
  }
  let beginning = '';
  for await (const text of decodeTable(file, encoding)) {
    beginning += text;
    if (beginning.length >= TEXT_SLICE) break;
  }
  const dialect = findDialect(beginning, options.separator);
  const description = `separator ${nameOfSeparator(dialect.separator)}, encoding ${encoding.name}`;
  return {
    rows: () => readCsvRows(decodeTable(file, encoding), dialect, description),
    description,
    ...(dialect.rival !== undefined && { rivalSeparator: optionOfSeparator(dialect.rival) }),
    others: [],
  };
}

/** Opens the first visible sheet with rows. */
async function openSheet(workbook: Workbook): Promise<Table> {
  const visible = workbook.sheets.filter(({ isHidden }) => !isHidden);
  const filled: typeof visible = [];
  for (const sheet of visible) {
    for await (const _ of workbook.rows(sheet)) {
      filled.push(sheet);
      break;
    }
  }
  const [sheet, ...others] = filled;
  return {
    rows: async function* () {
      if (sheet !== undefined) yield* workbook.rows(sheet);
    },
    description: sheet === undefined ? 'an empty workbook' : `sheet ${sheet.name}`,
    others: others.map((one) => ({
      name: one.name,
      location: `sheet ${one.name}`,
      rows: () => workbook.rows(one),
    })),
  };
}

/** Opens the only table of an archive. */
async function openMember(archive: Archive, options: TableOptions, warn: Warn): Promise<Table> {
  const [name, ...others] = tablesIn(archive);
  if (name === undefined || others.length > 0) throw badArchive(name === undefined ? 0 : others.length + 1);
  return openNamed(archive, name, options, warn);
}

/** Opens a table of an archive. Its messages begin with the name of the file. */
async function openNamed(archive: Archive, name: string, options: TableOptions, warn: Warn): Promise<Table> {
  const location = locationOf(name);
  const toFileProblem = (problem: FieldProblem) => ({ ...problem, detail: `${location}: ${problem.detail}` });
  const toFileError = (error: unknown) =>
    error instanceof AppError && error.code === 'INVALID_IMPORT'
      ? invalidImport(error.errors.map(toFileProblem))
      : error;
  const open = async () => {
    const book = name.toLowerCase().endsWith('.xlsx') ? await archive.read(name) : undefined;
    if (book !== undefined) return openSheet(await openWorkbook(await readZip(book)));
    return openText(streamOf(archive, name), options, (warning) => warn(toFileProblem(warning)));
  };
  try {
    const table = await open();
    const { rows, others } = table;
    return {
      ...table,
      rows: () => mapErrors(rows(), toFileError),
      description: `${location}, ${table.description}`,
      others: others.map((other) => ({ ...other, rows: () => mapErrors(other.rows(), toFileError) })),
    };
  } catch (error) {
    throw toFileError(error);
  }
}

function locationOf(file: string): string {
  return `file ${file.slice(0, MAX_NAME).toWellFormed()}`;
}

async function* mapErrors(rows: AsyncIterable<Row>, toError: (error: unknown) => unknown): AsyncGenerator<Row> {
  try {
    yield* rows;
  } catch (error) {
    throw toError(error);
  }
}

/**
 * Opens an archive with a main table and tables of its repeats. Warns about tables in deeper folders, such as files
 * that respondents uploaded.
 */
async function openMembers(archive: Archive, options: TableOptions, warn: Warn): Promise<Table> {
  const all = tablesIn(archive);
  const top = Math.min(...all.map(depthOf));
  const names = all.filter((name) => depthOf(name) === top);
  const [main, ...others] = names.toSorted((one, other) => one.length - other.length);
  if (main === undefined || others.length === 0) return openMember(archive, options, warn);
  const prefix = `${stemOf(main)}-`;
  const isForm = others.every((name) => name.startsWith(prefix));
  if (!isForm) throw badArchive(names.length, 'must have one, or tables of repeats named form-kid.csv beside form.csv');
  if (names.length > MAX_TABLES) throw badArchive(names.length, `can have ${MAX_TABLES}`);
  for (const name of all) {
    if (names.includes(name)) continue;
    warn({ path: '', code: 'NOT_IMPORTED', detail: `The file ${name} of the archive is not imported` });
  }
  const table = await openNamed(archive, main, options, warn);
  return { ...table, others: others.map((name) => openOther(archive, name, stemOf(name).slice(prefix.length))) };

  /** Opens a table each time that its rows are read. Warns only the first time. */
  function openOther(archive: Archive, file: string, name: string): NamedTable {
    let isOpened = false;
    return {
      name,
      location: locationOf(file),
      async *rows() {
        const warnFirst = isOpened ? () => {} : warn;
        isOpened = true;
        yield* (await openNamed(archive, file, options, warnFirst)).rows();
      },
    };
  }
}

function tablesIn({ names }: Archive): readonly string[] {
  return names.filter((name) => TABLE_NAME.test(name) && !SYSTEM_FILE.test(name));
}

function badArchive(tables: number, expected = 'must have one'): Error {
  const count = tables === 0 ? 'no table' : `${tables} tables`;
  return invalidFile('BAD_ZIP', `The ZIP archive has ${count} (.csv, .tsv, .tab, .txt, .xlsx), and ${expected}`);
}

function streamOf(archive: Archive, name: string): ImportFile {
  const member = archive.stream(name);
  if (member === undefined) throw new Error('The archive does not have the file that it lists');
  return member;
}

/** Number of folders in a path. */
function depthOf(name: string): number {
  return name.split('/').length - 1;
}

/** A name without its extension. */
function stemOf(name: string): string {
  return name.replace(TABLE_NAME, '');
}

function isWorkbook({ names }: Archive): boolean {
  return names.includes(WORKBOOK_PART) || names.some((name) => name.endsWith('xl/workbook.xml'));
}

/** Reads up to `count` rows from the start of a table. */
export async function firstRows(table: Pick<Table, 'rows'>, count: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const row of table.rows()) {
    rows.push(row);
    if (rows.length >= count) break;
  }
  return rows;
}

/** Reads the rows after the first `count`, such as those below the header. */
export async function* rowsAfter(table: Pick<Table, 'rows'>, count: number): AsyncGenerator<Row> {
  let left = count;
  for await (const row of table.rows()) {
    if (left > 0) left -= 1;
    else yield row;
  }
}

/** A table with each cell converted, including those of the header. */
export function mapCells(table: Table, convert: (cell: string) => string): Table {
  return {
    ...table,
    async *rows() {
      for await (const row of table.rows()) yield { ...row, cells: row.cells.map(convert) };
    },
  };
}
