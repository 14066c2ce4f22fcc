import type { JsonObject } from '@bufbuild/protobuf';
import type { ImportFile } from '../files/import-file.ts';
import { invalidImport } from '../files/report.ts';
import { readXml } from '../files/xml.ts';
import { DEPTH } from './xml-depth.ts';

export interface LssRow {
  /** Path in the file, such as `/questions/rows/3`. */
  readonly path: string;
  /** The text of a field; empty if absent. */
  get(name: string): string;
  readonly fields: ReadonlyMap<string, string>;
}

/** A LimeSurvey structure file (LSS): tables of rows. */
export interface Lss {
  rows(table: string): readonly LssRow[];
  /** Names of tables with rows. */
  readonly tables: readonly string[];
}

const MAX_ROWS = 200_000;
const MAX_FIELDS = 500;

/** Reads the tables of an LSS file. Throws `INVALID_IMPORT` if it is not an LSS. */
export async function readLss(file: ImportFile): Promise<Lss> {
  const tables = new Map<string, LssRow[]>();
  const open: string[] = [];
  let values = new Map<string, string>();
  let text = '';
  let rows = 0;
  const documentTexts = new Map<string, string>();

  await readXml(file, {
    open(name) {
      open.push(name);
      text = '';
      if (open.length === DEPTH.row) values = new Map();
    },
    text(piece) {
      if (open.length === DEPTH.section || open.length === DEPTH.field) text += piece;
    },
    close(name) {
      const table = open[DEPTH.section - 1] ?? '';
      if (open.length === DEPTH.section) documentTexts.set(name, text.trim());
      if (open.length === DEPTH.field && text !== '' && values.size < MAX_FIELDS) values.set(name, text);
      if (open.length === DEPTH.row && name === 'row') {
        rows += 1;
        if (rows > MAX_ROWS) throw rejection('TOO_LARGE', `The file has more than ${MAX_ROWS} rows`);
        add(tables, table, values);
      }
      open.pop();
      text = '';
    },
  });

  const type = documentTexts.get('LimeSurveyDocType');
  if (type !== 'Survey') {
    const problem =
      type === undefined ? 'it has no LimeSurveyDocType' : `its LimeSurveyDocType is ${type.slice(0, 50)}, not Survey`;
    throw rejection('WRONG_TYPE', `The file is not a LimeSurvey survey (LSS): ${problem}`);
  }
  return {
    rows: (table) => tables.get(table) ?? [],
    tables: [...tables.keys()],
  };
}

function add(tables: Map<string, LssRow[]>, table: string, fields: ReadonlyMap<string, string>): void {
  const rows = tables.get(table) ?? [];
  tables.set(table, rows);
  rows.push({ path: `/${table}/rows/${rows.length}`, fields, get: (name) => fields.get(name) ?? '' });
}

export function toObject({ fields }: LssRow): JsonObject {
  return Object.fromEntries(fields);
}

function rejection(code: string, detail: string) {
  return invalidImport([{ path: '', code, detail }]);
}
