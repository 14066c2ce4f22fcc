import { writeZip } from './write-zip.ts';

/** Sheets by name, each a list of rows. */
export type Sheets = Readonly<Record<string, readonly (readonly (string | number | boolean)[])[]>>;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The files of a workbook (ECMA-376), with shared texts. */
export function toXlsxParts(sheets: Sheets): Record<string, string> {
  const texts = new Map<string, number>();
  const indexOf = (text: string) => {
    if (!texts.has(text)) texts.set(text, texts.size);
    return texts.get(text) ?? 0;
  };
  const names = Object.keys(sheets);
  const parts = Object.fromEntries(
    Object.values(sheets).map((rows, index) => [
      `xl/worksheets/sheet${index + 1}.xml`,
      `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${rows.map((row, at) => toRow(row, at + 1, indexOf)).join('')}</sheetData></worksheet>`,
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
    ]),
    'xl/sharedStrings.xml': `${HEAD}<sst xmlns="${MAIN}">${shared}</sst>`,
    ...parts,
  };
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

function toRow(cells: Sheets[string][number], number: number, indexOf: (text: string) => number): string {
  const written = cells.map((cell, column) => {
    const reference = `r="${toColumn(column)}${number}"`;
    if (cell === '') return '';
    if (typeof cell === 'number') return `<c ${reference}><v>${cell}</v></c>`;
    if (typeof cell === 'boolean') return `<c ${reference} t="b"><v>${Number(cell)}</v></c>`;
    return `<c ${reference} t="s"><v>${indexOf(cell)}</v></c>`;
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
