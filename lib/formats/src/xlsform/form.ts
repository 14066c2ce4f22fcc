import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isObject } from '@survey/questionnaire/json';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { ImportFile } from '../files/import-file.ts';
import { readJson } from '../files/json.ts';
import { invalidImport } from '../files/report.ts';
import type { Table } from '../tables/open-table.ts';
import type { Row } from '../tables/row.ts';
import { readXlsx } from '../tables/workbook.ts';
import { type Column, toColumn } from './columns.ts';

/** A row of a form, without empty cells. */
export interface FormRow {
  /** JSON pointer, or `@sheet/row`, which `withSheetLocation` converts to a phrase. */
  readonly path: string;
  readonly cells: ReadonlyMap<string, string>;
  /** Texts by column and language. */
  readonly texts: ReadonlyMap<string, readonly (readonly [language: string, text: string])[]>;
}

export interface Form {
  readonly survey: readonly FormRow[];
  readonly choices: readonly FormRow[];
  readonly settings: FormRow | undefined;
  /** Names of sheets that are not imported. */
  readonly others: readonly string[];
}

const SHEETS = ['survey', 'choices', 'settings'];
const IGNORED = new Set(['types', 'introduction', 'entities']);

/** Converts a path in a sheet to "sheet, row, column" in the detail. */
export function withSheetLocation(problem: FieldProblem): FieldProblem {
  const [, sheet, row, column] = /^@([^/]*)(?:\/(\d+))?(?:\/(.*))?$/s.exec(problem.path) ?? [];
  if (sheet === undefined) return problem;
  const location = [`sheet ${sheet}`, row && `row ${row}`, column && `column ${column}`].filter(Boolean).join(', ');
  return { ...problem, path: '', detail: `${location}: ${problem.detail}` };
}

export async function readXlsxForm(file: ImportFile): Promise<Form> {
  const sheets = await readXlsx(file, (name) => SHEETS.includes(toSheetName(name)));
  return toForm(new Map(sheets.map(({ name, rows }) => [toSheetName(name), [rows]])));
}

/**
 * Reads all sheets from one CSV. The first column has the name of the sheet: once above its rows, or in each row. A
 * sheet can have several parts, each with a header.
 */
export async function readCsvForm(table: Table): Promise<Form> {
  const sheets = new Map<string, Row[][]>();
  let current = '';
  for await (const { number, cells } of table.rows()) {
    const [name = '', ...rest] = cells;
    const sheet = toSheetName(name);
    const isFilled = rest.some((cell) => cell.trim() !== '');
    if (sheet !== '' && (sheet !== current || !isFilled)) {
      const parts = sheets.get(sheet) ?? [];
      sheets.set(sheet, parts);
      parts.push([]);
      current = sheet;
    }
    if (isFilled) sheets.get(current)?.at(-1)?.push({ number, cells: rest });
  }
  return toForm(sheets);
}

/** Reads a Kobo asset, which has rows as objects. */
export async function readJsonForm(file: ImportFile): Promise<Form> {
  const root = await readJson(file, { without: ['submissions'] });
  const content = isObject(root) ? root['content'] : undefined;
  if (!isObject(content) || !Array.isArray(content['survey'])) {
    throw reject('The file must be a Kobo asset with content');
  }
  const translations = Array.isArray(content['translations']) ? content['translations'] : [];
  const rowsOf = (name: string) => {
    const rows = content[name];
    return (Array.isArray(rows) ? rows : []).flatMap((row, index) =>
      isObject(row) ? [fromJsonRow(row, `/content/${name}/${index}`, translations)] : [],
    );
  };
  const { settings } = content;
  return {
    survey: rowsOf('survey'),
    choices: rowsOf('choices'),
    settings: isObject(settings) ? fromJsonRow(settings, '/content/settings', []) : rowsOf('settings')[0],
    others: [],
  };
}

/** @param sheets the parts of each sheet, with a header each */
function toForm(sheets: ReadonlyMap<string, readonly (readonly Row[])[]>): Form {
  if (!sheets.has('survey')) throw reject('The file has no sheet named survey');
  const rowsOf = (name: string) => (sheets.get(name) ?? []).flatMap((part) => fromRows(name, part));
  return {
    survey: rowsOf('survey'),
    choices: rowsOf('choices'),
    settings: rowsOf('settings')[0],
    others: [...sheets.keys()].filter((name) => !SHEETS.includes(name) && !IGNORED.has(name)),
  };
}

function fromRows(sheet: string, [header, ...rows]: readonly Row[]): readonly FormRow[] {
  if (header === undefined) return [];
  const columns = header.cells.map((cell) => (cell.trim() === '' ? undefined : toColumn(cell)));
  return rows.map(({ number, cells }) =>
    toRow(
      `@${sheet}/${number}`,
      // Rows can have far fewer cells than the header.
      cells.flatMap((cell, index): readonly (readonly [Column, string])[] => {
        const column = columns[index];
        return column === undefined ? [] : [[column, cell]];
      }),
    ),
  );
}

/** Members with names that Kobo generates for unnamed rows and choices. */
const GENERATED_NAME_MEMBERS = ['$autoname', '$autovalue'];

function fromJsonRow(row: JsonObject, path: string, translations: readonly JsonValue[]): FormRow {
  const generatedNameMember = GENERATED_NAME_MEMBERS.find((name) => Object.hasOwn(row, name));
  const name = isAbsent(row['name']) || row['name'] === '' ? row[generatedNameMember ?? ''] : row['name'];
  return toRow(
    path,
    Object.entries({ ...row, ...(isAbsent(name) ? {} : { name }) }).flatMap(
      ([name, value]): readonly (readonly [Column, string])[] => {
        const column = toColumn(name);
        if (!Array.isArray(value)) return [[column, toCell(value)]];
        return value.map((one, index) => {
          const language = translations[index];
          return [{ ...column, language: typeof language === 'string' ? language : undefined }, toCell(one)];
        });
      },
    ),
  );
}

function toCell(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function toRow(path: string, values: readonly (readonly [Column, string])[]): FormRow {
  const cells = new Map<string, string>();
  const texts = new Map<string, (readonly [string, string])[]>();
  for (const [{ name, language }, cell] of values) {
    const text = cell.trim();
    if (text === '') continue;
    if (language === undefined) cells.set(name, text);
    else {
      const columnTexts = texts.get(name);
      if (columnTexts === undefined) texts.set(name, [[language, text]]);
      else columnTexts.push([language, text]);
    }
  }
  return { path, cells, texts };
}

function toSheetName(name: string): string {
  return name.trim().toLowerCase();
}

function reject(detail: string) {
  return invalidImport([{ path: '', code: 'NO_SURVEY', detail }]);
}
