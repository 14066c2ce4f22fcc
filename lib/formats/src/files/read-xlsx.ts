import type { Row } from './csv-rows.ts';
import type { ImportFile } from './import-file.ts';
import { invalidImport } from './invalid-import.ts';
import { readXml } from './read-xml.ts';
import { type Archive, readZip } from './read-zip.ts';

interface Sheet {
  readonly name: string;
  readonly rows: readonly Row[];
}

const XLSX_LIMITS = {
  sheets: 200,
  columns: 2_000,
  /** Limit for all sheets, including empty cells before others in their row. */
  cells: 500_000,
  /** Limit for all cells. Many cells can refer to one shared text. */
  characters: 32 * 1024 * 1024,
} as const;

const OFFICE_DOCUMENT = /\/officeDocument$/;
const SHARED_STRINGS = /\/sharedStrings$/;
const CELL = /^([A-Z]{1,3})\d+$/;
/** A character that XML cannot contain, escaped as in ECMA-376 (ST_Xstring). */
const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;

/**
 * Reads the wanted sheets of a workbook (ECMA-376, `.xlsx`). Cells are texts: the last result of a formula, the stored
 * value of a number. Throws `INVALID_IMPORT` if the file is not a workbook or exceeds the limits.
 */
export async function readXlsx(file: ImportFile, isWanted: (name: string) => boolean): Promise<readonly Sheet[]> {
  const archive = await readZip(file);
  const root = [...(await readRelations(archive, ''))].find(([, { type }]) => OFFICE_DOCUMENT.test(type))?.[1].target;
  const workbook = root ?? 'xl/workbook.xml';
  const relations = await readRelations(archive, workbook);
  const listed = await readSheetList(archive, workbook);
  const strings = [...relations.values()].find(({ type }) => SHARED_STRINGS.test(type))?.target;
  const texts = strings === undefined ? [] : await readStrings(archive, strings);
  const sheets: Sheet[] = [];
  const budget = createBudget();
  for (const { name, relation } of listed) {
    const part = relations.get(relation)?.target;
    if (part === undefined || !isWanted(name)) {
      sheets.push({ name, rows: [] });
      continue;
    }
    sheets.push({ name, rows: await readSheet(archive, part, { texts, budget, name }) });
  }
  return sheets;
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
  const sheets: { readonly name: string; readonly relation: string }[] = [];
  await readXml(file, {
    open(element, attributes) {
      if (element !== 'sheet') return;
      const relation = [...attributes].find(([name]) => name.endsWith(':id'))?.[1] ?? '';
      sheets.push({ name: attributes.get('name') ?? '', relation });
      if (sheets.length > XLSX_LIMITS.sheets) throw reject(`The workbook has more than ${XLSX_LIMITS.sheets} sheets`);
    },
    text: () => {},
    close: () => {},
  });
  return sheets;
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
  readonly budget: Budget;
  readonly name: string;
}

interface Budget {
  take(cells: number, characters: number): void;
}

function createBudget(): Budget {
  let [cellsLeft, charactersLeft]: [number, number] = [XLSX_LIMITS.cells, XLSX_LIMITS.characters];
  return {
    take(cells, characters) {
      cellsLeft -= cells;
      charactersLeft -= characters;
      if (cellsLeft < 0) throw reject(`The workbook has more than ${XLSX_LIMITS.cells} cells`);
      if (charactersLeft < 0) throw reject(`The workbook has more than ${XLSX_LIMITS.characters} characters of text`);
    },
  };
}

async function readSheet(archive: Archive, part: string, { texts, budget, name }: SheetOptions): Promise<Row[]> {
  const file = await archive.read(part);
  if (file === undefined) throw reject(`The sheet ${name} is missing from the workbook`);
  const rows: Row[] = [];
  const content = createContent();
  let number = 0;
  let cells: string[] = [];
  let column = -1;
  let type: string | undefined;

  function endCell(): void {
    const text = toText(content.take(), type, texts);
    if (text === '') return;
    if (!text.isWellFormed() || text.includes('\0')) {
      throw reject(`A cell of the sheet ${name}, row ${number}, column ${column + 1}, has an invalid character`);
    }
    if (column >= XLSX_LIMITS.columns) {
      throw reject(`The sheet ${name} has more than ${XLSX_LIMITS.columns} columns, in row ${number}`);
    }
    budget.take(Math.max(1, column + 1 - cells.length), text.length);
    while (cells.length < column) cells.push('');
    cells[column] = text;
  }

  await readXml(file, {
    open(element, attributes) {
      content.open(element);
      if (element === 'row') {
        const given = Number(attributes.get('r'));
        number = Number.isSafeInteger(given) && given > 0 ? given : number + 1;
        cells = [];
        column = -1;
      } else if (element === 'c') {
        column = columnOf(attributes.get('r')) ?? column + 1;
        type = attributes.get('t');
      }
    },
    text: content.text,
    close(element) {
      content.close(element);
      if (element === 'c') endCell();
      if (element === 'row' && cells.some((cell) => cell.trim() !== '')) rows.push({ number, cells });
    },
  });
  return rows;
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

function toText(value: string, type: string | undefined, texts: readonly string[]): string {
  if (type === 's') return decodeText(texts[Number(value)] ?? '');
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type === undefined || type === 'n') {
    const number = Number(value);
    // Drop floating-point noise: 0.1 is stored as 0.10000000000000001.
    return value.trim() === '' || !Number.isFinite(number) ? value : String(number);
  }
  return decodeText(value);
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
  return invalidImport([{ path: '', code: 'BAD_XLSX', detail }]);
}
