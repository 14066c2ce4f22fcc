import { writeZip } from './write-zip.ts';

/** A number with the format in which it is displayed. */
interface FormattedNumber {
  readonly value: number;
  readonly format: string;
}

/** A formula with an error as its result, such as `#N/A`. */
interface CellError {
  readonly error: string;
}

type Cell = string | number | boolean | FormattedNumber | CellError;

/** Sheets by name, each a list of rows. */
export type Sheets = Readonly<Record<string, readonly (readonly Cell[])[]>>;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
/** Own number formats have ids from this one. */
const FIRST_FORMAT = 164;
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The files of a workbook (ECMA-376), with shared texts. */
export function toXlsxParts(sheets: Sheets): Record<string, string> {
  const texts = new Map<string, number>();
  const indexOf = (text: string) => {
    if (!texts.has(text)) texts.set(text, texts.size);
    return texts.get(text) ?? 0;
  };
  const formats: string[] = [];
  const styleOf = (format: string) => {
    if (!formats.includes(format)) formats.push(format);
    return formats.indexOf(format) + 1;
  };
  const names = Object.keys(sheets);
  const parts = Object.fromEntries(
    Object.values(sheets).map((rows, index) => [
      `xl/worksheets/sheet${index + 1}.xml`,
      `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${rows.map((row, at) => toRow(row, at + 1, { indexOf, styleOf })).join('')}</sheetData></worksheet>`,
    ]),
  );
  const shared = [...texts.keys()].map((text) => `<si><t xml:space="preserve">${escapeXml(text)}</t></si>`).join('');
  return {
    '_rels/.rels': toRelations([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${names
      .map((name, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': toRelations([
      ...names.map((_, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`] as const),
      ['sharedStrings', 'sharedStrings.xml'],
      ['styles', 'styles.xml'],
    ]),
    'xl/sharedStrings.xml': `${HEAD}<sst xmlns="${MAIN}">${shared}</sst>`,
    'xl/styles.xml': toStyles(formats),
    ...parts,
  };
}

function toStyles(formats: readonly string[]): string {
  const codes = formats.map((code, at) => `<numFmt numFmtId="${FIRST_FORMAT + at}" formatCode="${escapeXml(code)}"/>`);
  const styles = formats.map((_, at) => `<xf numFmtId="${FIRST_FORMAT + at}"/>`);
  return `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts>${codes.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`;
}

export function writeXlsx(sheets: Sheets): Promise<Buffer> {
  return writeZip(toXlsxParts(sheets));
}

function toRelations(targets: readonly (readonly [type: string, target: string])[]): string {
  const relations = targets.map(
    ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}">${relations.join('')}</Relationships>`;
}

interface RowOptions {
  readonly indexOf: (text: string) => number;
  readonly styleOf: (format: string) => number;
}

function toRow(cells: Sheets[string][number], number: number, { indexOf, styleOf }: RowOptions): string {
  const written = cells.map((cell, column) => {
    const reference = `r="${toColumn(column)}${number}"`;
    if (cell === '') return '';
    if (typeof cell === 'number') return `<c ${reference}><v>${cell}</v></c>`;
    if (typeof cell === 'boolean') return `<c ${reference} t="b"><v>${Number(cell)}</v></c>`;
    if (typeof cell === 'string') return `<c ${reference} t="s"><v>${indexOf(cell)}</v></c>`;
    if ('error' in cell) return `<c ${reference} t="e"><f>A1</f><v>${cell.error}</v></c>`;
    return `<c ${reference} s="${styleOf(cell.format)}"><v>${cell.value}</v></c>`;
  });
  return `<row r="${number}">${written.join('')}</row>`;
}

function toColumn(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : toColumn(Math.floor(index / 26) - 1) + last;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
