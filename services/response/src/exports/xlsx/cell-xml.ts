/** A value with a format: days since 1899-12-30, the epoch of spreadsheets. */
interface Moment {
  readonly serial: number;
  readonly style: 'date' | 'time' | 'timestamp';
}

/** A cell of a sheet. Texts are never formulas; an empty text is an empty cell. */
export type SheetCell = string | number | Moment;

/** Maximum length of a text in a cell, in UTF-16 units. */
export const MAX_CELL_TEXT = 32_767;

/** Positions in `cellXfs` of the style sheet. */
const STYLES = { text: 1, header: 2, date: 3, time: 4, timestamp: 5 } as const;

/**
 * Texts have the number format `@`, so that a spreadsheet keeps them as texts when somebody edits them.
 * ECMA-376 part 1, section 18.8.
 */
export const STYLE_SHEET =
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

/** Writes a cell, or nothing for an empty one. `reference` is its address, such as `C7`. */
export function toCellXml(reference: string, cell: SheetCell): string {
  if (cell === '') return '';
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
  if (typeof cell === 'string') return toTextXml(reference, cell, STYLES.text);
  return `<c r="${reference}" s="${STYLES[cell.style]}"><v>${cell.serial}</v></c>`;
}

export function toHeaderXml(reference: string, text: string): string {
  return text === '' ? '' : toTextXml(reference, text, STYLES.header);
}

function toTextXml(reference: string, text: string, style: number): string {
  return `<c r="${reference}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`;
}

/** Characters with a meaning in XML, those that XML cannot contain, and texts that look like an escape. */
const TO_ESCAPE = /[&<>\ufffe\uffff]|(?![\t\n])[\p{Control}\p{Surrogate}]|_(?=x[0-9A-Fa-f]{4}_)/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

/** Escapes a text. Characters that XML cannot contain become `_xHHHH_` (ECMA-376 part 1, section 22.9.2.19). */
export function escapeText(text: string): string {
  return text.replaceAll(
    TO_ESCAPE,
    (found) => ENTITIES[found] ?? `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
}

/** The letters of a column, from 0: `A`, `Z`, `AA`. */
export function lettersOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : lettersOf(Math.floor(column / 26) - 1) + last;
}

const DAY_MS = 86_400_000;
/** 1970-01-01 in days since the epoch of spreadsheets. */
const UNIX_EPOCH = 25_569;
/** Earlier days are off by one, because spreadsheets count a 1900-02-29. */
const FIRST_DAY = 61;
/** 9999-12-31. */
const LAST_DAY = 2_958_465;

/** Converts an RFC 3339 time or full date. Returns the text unchanged if spreadsheets do not support the day. */
export function toMoment(text: string, style: 'date' | 'timestamp'): SheetCell {
  const serial = Date.parse(text) / DAY_MS + UNIX_EPOCH;
  return serial >= FIRST_DAY && serial < LAST_DAY + 1 ? { serial, style } : text;
}

/** Converts a time of day, HH:MM or HH:MM:SS, to a fraction of a day. Returns other texts unchanged. */
export function toTimeOfDay(text: string): SheetCell {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  const serial = (hours * 3_600 + minutes * 60 + seconds) / 86_400;
  return Number.isFinite(serial) ? { serial, style: 'time' } : text;
}
