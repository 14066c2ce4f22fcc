import { PassThrough, Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A date or time. `serial` counts days since 1899-12-30, the epoch of spreadsheets. */
interface Moment {
  readonly serial: number;
  readonly style: 'date' | 'time' | 'timestamp';
}

/** A cell of a sheet. Texts are never formulas. An empty text makes an empty cell. */
export type SheetCell = string | number | Moment;

/** Maximum length of a text in a cell, in UTF-16 units. */
export const MAX_CELL_TEXT = 32_767;

/** Indexes in `cellXfs` of the style sheet. */
const STYLES = { text: 1, header: 2, date: 3, time: 4, timestamp: 5 } as const;

/** Texts have the number format `@`, so that they stay texts when a user edits them (ECMA-376 part 1, section 18.8). */
const STYLE_SHEET =
  '<numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>' +
  '<numFmt numFmtId="165" formatCode="hh:mm:ss"/><numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="6">${[
    [0, 0],
    [49, 0],
    [49, 1],
    [164, 0],
    [165, 0],
    [166, 0],
  ]
    .map(
      ([format, font]) =>
        `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`,
    )
    .join('')}</cellXfs>`;

/** Returns an empty text for an empty cell. `reference` is the address of the cell, such as `C7`. */
function toCellXml(reference: string, cell: SheetCell): string {
  if (cell === '') return '';
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
  if (typeof cell === 'string') return toTextXml(reference, cell, STYLES.text);
  return `<c r="${reference}" s="${STYLES[cell.style]}"><v>${cell.serial}</v></c>`;
}

function toHeaderXml(reference: string, text: string): string {
  return text === '' ? '' : toTextXml(reference, text, STYLES.header);
}

function toTextXml(reference: string, text: string, style: number): string {
  return `<c r="${reference}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`;
}

/** Markup characters, characters that XML cannot contain, and texts that look like an escape. */
const TO_ESCAPE = /[&<>\ufffe\uffff]|(?![\t\n])[\p{Control}\p{Surrogate}]|_(?=x[0-9A-Fa-f]{4}_)/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

/** Characters that XML cannot contain become `_xHHHH_` (ECMA-376 part 1, section 22.9.2.19). */
function escapeText(text: string): string {
  return text.replaceAll(
    TO_ESCAPE,
    (found) => ENTITIES[found] ?? `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
}

/** Returns the letters of a column: `A` for 0, `AA` for 26. */
function lettersOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : lettersOf(Math.floor(column / 26) - 1) + last;
}

const DAY_MS = 86_400_000;
/** 1970-01-01 in days since the epoch of spreadsheets. */
const UNIX_EPOCH = 25_569;
/** Earlier days are off by one, because spreadsheets count a day 1900-02-29. */
const FIRST_DAY = 61;
/** 9999-12-31. */
const LAST_DAY = 2_958_465;

/** Converts an RFC 3339 date or time (to UTC). Returns the text unchanged if spreadsheets do not support the day. */
export function toMoment(text: string, style: 'date' | 'timestamp'): SheetCell {
  const serial = Date.parse(text) / DAY_MS + UNIX_EPOCH;
  return serial >= FIRST_DAY && serial < LAST_DAY + 1 ? { serial, style } : text;
}

/** Converts HH:MM or HH:MM:SS to a fraction of a day. Returns other texts unchanged. */
export function toTimeOfDay(text: string): SheetCell {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  const serial = (hours * 3_600 + minutes * 60 + seconds) / 86_400;
  return Number.isFinite(serial) ? { serial, style: 'time' } : text;
}

export interface Sheet {
  /** At most 28 of 31 possible characters, because a continued sheet gets a number. Without `[ ] : * ? / \`. */
  readonly name: string;
  /** At most `MAX_SHEET_COLUMNS` names. */
  readonly header: readonly string[];
  /** Each row is as long as the header. */
  readonly rows: AsyncIterable<readonly SheetCell[]>;
}

/** A cell whose text was too long and was shortened. */
export interface ShortenedCell {
  readonly sheet: string;
  /** Address, such as `C7`. */
  readonly cell: string;
  /** Length of the whole text, in characters. */
  readonly characters: number;
}

interface Options {
  readonly onShortened: (cell: ShortenedCell) => void;
  /** Maximum number of rows of a sheet, including the header. Default 1,048,576. */
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
 * Writes a workbook (ECMA-376, `.xlsx`) in pieces, on demand. A sheet with too many rows continues in the sheet `Name
 * 2` with the same header. A text that is too long for a cell is shortened and reported. Reads each sheet after writing
 * the previous one. If the first rows cannot be read, throws before the first piece.
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

/** Reads rows one by one. Several sheets can share the cursor. */
async function createCursor(rows: Sheet['rows']) {
  const iterator = rows[Symbol.asyncIterator]();
  const next = async () => {
    const result = await iterator.next();
    return result.done === true ? undefined : result.value;
  };
  let row = await next();
  return {
    /** The row at the cursor. Undefined after the last row. */
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
    // The cut may split a pair of surrogates.
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

/** The parts that name the sheets, and the style sheet (ECMA-376 part 1, section 12). */
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

interface ZipPart {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Writes a ZIP archive in pieces, on demand. Throws if reading a part fails. */
async function* writeZip(parts: AsyncIterable<ZipPart>): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = new PassThrough();
  const fail = (error: unknown) => {
    output.destroy(error instanceof Error ? error : new Error('writing the archive failed', { cause: error }));
  };
  zip.on('error', fail);
  let current: Readable | undefined;

  async function addParts(): Promise<void> {
    for await (const { name, content } of parts) {
      if (output.destroyed) return;
      current = Readable.from(content);
      zip.addReadStream(current, name, { compressionLevel: 3 });
      await finished(current);
    }
    zip.end();
  }

  const piped = pipeline(zip.outputStream, output).catch(fail);
  const added = addParts().catch(fail);
  try {
    yield* output;
  } finally {
    // The reader may have stopped early. Stop reading the parts too.
    output.destroy();
    current?.destroy();
    await Promise.all([piped, added]);
  }
}
