import {
  escapeText,
  lettersOf,
  MAX_CELL_TEXT,
  type SheetCell,
  STYLE_SHEET,
  toCellXml,
  toHeaderXml,
} from './cell-xml.ts';
import { writeZip, type ZipPart } from './write-zip.ts';

/** A sheet of a workbook. */
export interface Sheet {
  /** At most 28 characters, without `[ ] : * ? / \`. */
  readonly name: string;
  /** At most `MAX_SHEET_COLUMNS` names. */
  readonly header: readonly string[];
  /** The rows, which are as long as the header. */
  readonly rows: AsyncIterable<readonly SheetCell[]>;
}

/** A cell whose text was longer than a cell can hold. */
export interface ShortenedCell {
  readonly sheet: string;
  /** Its address, such as `C7`. */
  readonly cell: string;
  /** Length of the whole text, in characters. */
  readonly characters: number;
}

interface Options {
  readonly onShortened: (cell: ShortenedCell) => void;
  /** Maximum number of rows of a sheet, with the header. Default 1,048,576. */
  readonly maxRows?: number;
}

export const MAX_SHEET_COLUMNS = 16_384;
const MAX_ROWS = 1_048_576;
const SHORTENED = ' … [shortened]';
/** Length of the pieces of a sheet, in characters. */
const PIECE = 64 * 1024;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const MEDIA = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/**
 * Writes a workbook (ECMA-376, `.xlsx`) in pieces, on demand. A sheet with too many rows continues in another one,
 * `Name 2`, with the same header. The next sheet is requested when all rows of the one before are written. A text that
 * is too long for a cell ends with a mark, and is reported. Throws the errors of reading rows. If the first rows cannot
 * be read, throws before the first piece.
 */
export function writeWorkbook(sheets: Iterable<Sheet>, options: Options): AsyncGenerator<Uint8Array> {
  return writeZip(partsOf(sheets, options));
}

async function* partsOf(sheets: Iterable<Sheet>, options: Options): AsyncGenerator<ZipPart> {
  const names: string[] = [];
  for (const { name, header, rows } of sheets) {
    const cursor = await createCursor(rows);
    try {
      for (let number = 1; number === 1 || cursor.current() !== undefined; number += 1) {
        const title = number === 1 ? name : `${name} ${number}`;
        names.push(title);
        yield { name: `xl/worksheets/sheet${names.length}.xml`, content: writeSheet(title, header, cursor, options) };
      }
    } finally {
      await cursor.close();
    }
  }
  for (const [name, content] of Object.entries(framePartsOf(names)))
    yield { name, content: once(DECLARATION + content) };
}

type Cursor = Awaited<ReturnType<typeof createCursor>>;

/** Reads rows one by one, for several sheets. */
async function createCursor(rows: Sheet['rows']) {
  const iterator = rows[Symbol.asyncIterator]();
  const next = async () => {
    const result = await iterator.next();
    return result.done === true ? undefined : result.value;
  };
  let row = await next();
  return {
    /** The row at the cursor; undefined after the last one. */
    current: () => row,
    async advance(): Promise<void> {
      row = await next();
    },
    async close(): Promise<void> {
      await iterator.return?.();
    },
  };
}

async function* writeSheet(
  name: string,
  header: readonly string[],
  cursor: Cursor,
  { onShortened, maxRows = MAX_ROWS }: Options,
): AsyncGenerator<Uint8Array> {
  const columns = header.map((_, index) => lettersOf(index));
  const fit = (text: string, cell: string): string => {
    if (text.length <= MAX_CELL_TEXT) return text;
    onShortened({ sheet: name, cell, characters: text.length });
    // A pair of surrogates may be cut.
    return text.slice(0, MAX_CELL_TEXT - SHORTENED.length).toWellFormed() + SHORTENED;
  };
  const headings = columns.map((column, index) => toHeaderXml(`${column}1`, fit(header[index] ?? '', `${column}1`)));
  let text =
    `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<sheetData><row r="1">${headings.join('')}</row>`;
  for (let number = 2; number <= maxRows; number += 1) {
    const cells = cursor.current();
    if (cells === undefined) break;
    text += `<row r="${number}">`;
    for (const [index, cell] of cells.entries()) {
      if (cell === '') continue;
      const reference = `${columns[index]}${number}`;
      text += toCellXml(reference, typeof cell === 'string' ? fit(cell, reference) : cell);
    }
    text += '</row>';
    await cursor.advance();
    if (text.length < PIECE) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}</sheetData></worksheet>`);
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** The parts that name the sheets, and the styles (ECMA-376 part 1, section 12). */
function framePartsOf(names: readonly string[]): Readonly<Record<string, string>> {
  const partOf = (_: string, index: number) => `worksheets/sheet${index + 1}.xml`;
  const relations = [...names.map(partOf).map((target) => ['worksheet', target] as const), STYLES_RELATION];
  const sheets = names.map(
    (name, index) => `<sheet name="${escapeText(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  const overrides = [
    ['workbook.xml', 'sheet.main'],
    ['styles.xml', 'styles'],
    ...names.map(partOf).map((part) => [part, 'worksheet']),
  ].map(([part, type]) => `<Override PartName="/xl/${part}" ContentType="${MEDIA}.${type}+xml"/>`);
  return {
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${sheets.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': toRelations(relations),
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}">${STYLE_SHEET}</styleSheet>`,
    '_rels/.rels': toRelations([['officeDocument', 'xl/workbook.xml']]),
    '[Content_Types].xml':
      `<Types xmlns="${PACKAGE}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`,
  };
}

const STYLES_RELATION = ['styles', 'styles.xml'] as const;

function toRelations(targets: readonly (readonly [type: string, target: string])[]): string {
  const relations = targets.map(
    ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${relations.join('')}</Relationships>`;
}
