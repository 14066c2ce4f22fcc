import type { ImportFile } from '../files/import-file.ts';
import { invalidFile } from '../files/report.ts';
import { readXml, streamXml } from '../files/xml.ts';
import { type Archive, readZip } from '../files/zip.ts';
import { fromSerial } from './dates.ts';
import { type NumberStyle, readNumberStyles, showNumber } from './number-formats.ts';
import { MAX_CELLS, MAX_ROW_SIZE, type Row, type UnreadCell } from './row.ts';

interface Sheet {
  readonly name: string;
  readonly rows: readonly Row[];
}

/** A workbook (ECMA-376, `.xlsx`). */
export interface Workbook {
  readonly sheets: readonly SheetEntry[];
  /**
   * Streams the non-empty rows of a sheet. Cells are texts: the last result of a formula, numbers as they are displayed,
   * dates and times as in ISO 8601. Errors of formulas are unread cells. Throws `INVALID_IMPORT`.
   */
  rows(sheet: SheetEntry): AsyncGenerator<Row>;
}

interface SheetEntry {
  readonly name: string;
  readonly isHidden: boolean;
  readonly relation: string;
}

const XLSX_LIMITS = {
  sheets: 200,
  /** Columns of a sheet that is read into memory. */
  columns: 2_000,
  /** Cells of all sheets that are read into memory, with the empty ones to the left of a filled one. */
  cells: 500_000,
  /** Characters of all these cells. Many cells can refer to one shared text. */
  characters: 32 * 1024 * 1024,
} as const;

/** Maximum cells of rows that are parsed but not yet yielded. A row with one cell far right has many empty cells. */
const MAX_WAITING_CELLS = 1_000_000;

const OFFICE_DOCUMENT = /\/officeDocument$/;
const SHARED_STRINGS = /\/sharedStrings$/;
const STYLES = /\/styles$/;
const CELL = /^([A-Z]{1,3})\d+$/;
const CELL_ERROR = { code: 'CELL_ERROR', detail: 'the cell has an error in place of the result of its formula' };
/** Maximum characters of an error, such as `#DIV/0!`. */
const MAX_ERROR = 20;
/** A character that XML cannot contain, escaped as in ECMA-376 (ST_Xstring). */
const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;

/** Reads the wanted sheets of a workbook. Throws `INVALID_IMPORT` if it is no workbook or exceeds the limits. */
export async function readXlsx(file: ImportFile, isWanted: (name: string) => boolean): Promise<readonly Sheet[]> {
  const workbook = await openWorkbook(await readZip(file));
  const sheets: Sheet[] = [];
  const budget = createBudget();
  for (const entry of workbook.sheets) {
    const rows: Row[] = [];
    if (isWanted(entry.name)) {
      for await (const row of workbook.rows(entry)) {
        budget.take(row, entry.name);
        rows.push(row);
      }
    }
    sheets.push({ name: entry.name, rows });
  }
  return sheets;
}

/** Opens the workbook in an archive. Throws `INVALID_IMPORT` if it is none. */
export async function openWorkbook(archive: Archive): Promise<Workbook> {
  const root = [...(await readRelations(archive, ''))].find(([, { type }]) => OFFICE_DOCUMENT.test(type))?.[1].target;
  const part = root ?? 'xl/workbook.xml';
  const relations = await readRelations(archive, part);
  const { sheets, is1904 } = await readSheetList(archive, part);
  const partOf = (kind: RegExp) => [...relations.values()].find(({ type }) => kind.test(type))?.target;
  const strings = partOf(SHARED_STRINGS);
  const texts = strings === undefined ? [] : await readStrings(archive, strings);
  const stylesFile = await archive.read(partOf(STYLES) ?? '');
  const styles = stylesFile === undefined ? [] : await readNumberStyles(stylesFile);
  return {
    sheets,
    async *rows({ name, relation }) {
      const target = relations.get(relation)?.target;
      const file = target === undefined ? undefined : archive.stream(target);
      if (file === undefined) throw reject(`The sheet ${name} is missing from the workbook`);
      yield* rowsOf(file, { texts, styles, is1904, name });
    },
  };
}

interface Relation {
  readonly type: string;
  /** File name in the archive. */
  readonly target: string;
}

/** Relationships of a workbook part by id (ECMA-376, part 2). */
async function readRelations(archive: Archive, part: string): Promise<ReadonlyMap<string, Relation>> {
  const slash = part.lastIndexOf('/') + 1;
  const folder = part.slice(0, slash);
  const relations = new Map<string, Relation>();
  const file = await archive.read(`${folder}_rels/${part.slice(slash)}.rels`);
  if (file === undefined) return relations;
  await readXml(file, {
    open(name, attributes) {
      const [id, type = '', target] = ['Id', 'Type', 'Target'].map((attribute) => attributes.get(attribute));
      if (name !== 'Relationship' || id === undefined || target === undefined) return;
      relations.set(id, { type, target: target.startsWith('/') ? target.slice(1) : folder + target });
    },
    text: () => {},
    close: () => {},
  });
  return relations;
}

async function readSheetList(archive: Archive, workbook: string) {
  const file = await archive.read(workbook);
  if (file === undefined) throw reject('The file is not a workbook (.xlsx): it has no list of sheets');
  const sheets: SheetEntry[] = [];
  let is1904 = false;
  await readXml(file, {
    open(element, attributes) {
      if (element === 'workbookPr') is1904 = /^(1|true)$/.test(attributes.get('date1904') ?? '');
      if (element !== 'sheet') return;
      const relation = [...attributes].find(([name]) => name.endsWith(':id'))?.[1] ?? '';
      const isHidden = (attributes.get('state') ?? 'visible') !== 'visible';
      sheets.push({ name: attributes.get('name') ?? '', isHidden, relation });
      if (sheets.length > XLSX_LIMITS.sheets) throw reject(`The workbook has more than ${XLSX_LIMITS.sheets} sheets`);
    },
    text: () => {},
    close: () => {},
  });
  return { sheets, is1904 };
}

/** Shared texts, which cells refer to by number. */
async function readStrings(archive: Archive, part: string): Promise<readonly string[]> {
  const texts: string[] = [];
  const file = await archive.read(part);
  if (file === undefined) return texts;
  const content = createContent();
  await readXml(file, {
    open: content.open,
    text: content.text,
    close(name) {
      content.close(name);
      if (name === 'si') texts.push(content.take());
    },
  });
  return texts;
}

interface SheetOptions {
  readonly texts: readonly string[];
  readonly styles: readonly NumberStyle[];
  readonly is1904: boolean;
  readonly name: string;
}

/** Limits for sheets in memory. */
function createBudget() {
  let [cellsLeft, charactersLeft]: [number, number] = [XLSX_LIMITS.cells, XLSX_LIMITS.characters];
  return {
    take({ cells, number }: Row, name: string): void {
      if (cells.length > XLSX_LIMITS.columns) {
        throw reject(`The sheet ${name} has more than ${XLSX_LIMITS.columns} columns, in row ${number}`);
      }
      cellsLeft -= cells.length;
      for (const cell of cells) charactersLeft -= cell.length;
      if (cellsLeft < 0) throw reject(`The workbook has more than ${XLSX_LIMITS.cells} cells`);
      if (charactersLeft < 0) throw reject(`The workbook has more than ${XLSX_LIMITS.characters} characters of text`);
    },
  };
}

/** A row whose cells are being read. */
interface OpenRow {
  readonly number: number;
  readonly cells: string[];
  readonly numbers: Map<number, string>;
  readonly unread: Map<number, UnreadCell>;
  /** Characters of the cells. */
  size: number;
}

function createRow(number: number): OpenRow {
  return { number, cells: [], numbers: new Map(), unread: new Map(), size: 0 };
}

function isFilled({ cells, unread }: OpenRow): boolean {
  return unread.size > 0 || cells.some((text) => text.trim() !== '');
}

function toRow({ number, cells, numbers, unread }: OpenRow): Row {
  return { number, cells, ...(numbers.size > 0 && { numbers }), ...(unread.size > 0 && { unread }) };
}

async function* rowsOf(file: ImportFile, options: SheetOptions): AsyncGenerator<Row> {
  const { name } = options;
  const content = createContent();
  let rows: Row[] = [];
  let waitingCells = 0;
  let row = createRow(0);
  let column = -1;
  let cell: ReadonlyMap<string, string> = new Map();
  const reading = streamXml(file, {
    open(element, attributes) {
      content.open(element);
      if (element === 'row') {
        const given = Number(attributes.get('r'));
        row = createRow(Number.isSafeInteger(given) && given > 0 ? given : row.number + 1);
        column = -1;
      } else if (element === 'c') {
        column = columnOf(attributes.get('r')) ?? column + 1;
        cell = attributes;
      }
    },
    text: content.text,
    close(element) {
      content.close(element);
      if (element === 'c') {
        const width = row.cells.length;
        addCell(row, column, readCell(content.take(), cell, options), name);
        waitingCells += row.cells.length - width;
        if (waitingCells > MAX_WAITING_CELLS) {
          throw reject(`The sheet ${name} has too many empty cells, in row ${row.number}`);
        }
      }
      if (element === 'row' && isFilled(row)) rows.push(toRow(row));
    },
  });
  for await (const _ of reading) {
    yield* rows;
    rows = [];
    waitingCells = 0;
  }
}

/** Adds a cell to a row, and empty cells before it. Throws `INVALID_IMPORT` if the row exceeds its limits. */
function addCell(row: OpenRow, column: number, { text, value, error }: ReadCell, sheet: string): void {
  if (text === '' && error === undefined) return;
  if (!text.isWellFormed() || text.includes('\0')) {
    throw reject(`A cell of the sheet ${sheet}, row ${row.number}, column ${column + 1}, has an invalid character`);
  }
  if (column >= MAX_CELLS) throw reject(`The sheet ${sheet} has more than ${MAX_CELLS} columns, in row ${row.number}`);
  row.size += text.length;
  if (row.size > MAX_ROW_SIZE) {
    throw reject(`Row ${row.number} of the sheet ${sheet} has more than ${MAX_ROW_SIZE} characters, the limit`);
  }
  while (row.cells.length < column) row.cells.push('');
  row.cells[column] = text;
  if (value !== undefined) row.numbers.set(column, value);
  if (error !== undefined) row.unread.set(column, error);
}

/** Collects the text of `t` and `v` elements, without phonetic hints (`rPh`). */
function createContent() {
  let content = '';
  let isText = false;
  let isPhonetic = false;
  return {
    open(name: string) {
      if (name === 'rPh') isPhonetic = true;
      isText = (name === 't' || name === 'v') && !isPhonetic;
    },
    text(text: string) {
      if (isText) content += text;
    },
    close(name: string) {
      if (name === 'rPh') isPhonetic = false;
      isText = false;
    },
    take(): string {
      const taken = content;
      content = '';
      return taken;
    },
  };
}

interface ReadCell {
  /** As the cell is displayed. */
  readonly text: string;
  /** The number of the cell; undefined if it is none, or a date. */
  readonly value?: string;
  readonly error?: UnreadCell;
}

function readCell(content: string, cell: ReadonlyMap<string, string>, options: SheetOptions): ReadCell {
  const [type, style] = [cell.get('t'), cell.get('s')];
  if (type === 's') return { text: decodeText(options.texts[Number(content)] ?? '') };
  if (type === 'b') return { text: content === '1' ? 'TRUE' : 'FALSE' };
  if (type === 'e')
    return { text: '', error: { ...CELL_ERROR, value: decodeText(content).slice(0, MAX_ERROR).toWellFormed() } };
  if (type !== undefined && type !== 'n') return { text: decodeText(content) };
  const number = Number(content);
  if (content.trim() === '' || !Number.isFinite(number)) return { text: content };
  const shown = options.styles[Number(style ?? 0)];
  const date = shown?.kind === 'date' ? fromSerial(number, options) : undefined;
  if (date !== undefined) return { text: date };
  // Drop floating-point noise: 0.1 is stored as 0.10000000000000001.
  const value = String(number);
  return { text: shown?.kind === 'pattern' ? showNumber(number, shown.pattern) : value, value };
}

function decodeText(text: string): string {
  return text.replaceAll(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Column index of a reference: `C7` is in column 2. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = reference === undefined ? undefined : CELL.exec(reference)?.[1];
  if (letters === undefined) return undefined;
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function reject(detail: string): Error {
  return invalidFile('BAD_XLSX', detail);
}
