import type { ImportFile } from '../files/import-file.ts';
import { readXml } from '../files/xml.ts';

/** Built-in number formats of dates and times (ECMA-376, 18.8.30), including those of East Asian locales. */
const BUILT_IN: readonly (readonly [first: number, last: number])[] = [
  [14, 22],
  [27, 36],
  [45, 45],
  [47, 47],
  [50, 58],
];
/** Characters that begin a literal, with the one that ends it. Other literals have one more character. */
const LITERALS: ReadonlyMap<string, string | undefined> = new Map([
  ['"', '"'],
  ['[', ']'],
  ['\\', undefined],
  ['_', undefined],
  ['*', undefined],
]);
const ELAPSED = /\[(h+|m+|s+)\]/i;

/** Reads the styles of a workbook. Returns for each cell style whether it shows a number as a date or time. */
export async function readDateStyles(styles: ImportFile): Promise<readonly boolean[]> {
  const dateFormats = new Set<string>();
  const isDate: boolean[] = [];
  let isInCellStyles = false;
  await readXml(styles, {
    open(name, attributes) {
      const id = attributes.get('numFmtId') ?? '';
      if (name === 'numFmt' && showsDate(attributes.get('formatCode') ?? '')) dateFormats.add(id);
      if (name === 'cellXfs') isInCellStyles = true;
      if (name === 'xf' && isInCellStyles) isDate.push(dateFormats.has(id) || isBuiltInDate(Number(id)));
    },
    text: () => {},
    close(name) {
      if (name === 'cellXfs') isInCellStyles = false;
    },
  });
  return isDate;
}

function isBuiltInDate(id: number): boolean {
  return BUILT_IN.some(([first, last]) => id >= first && id <= last);
}

function showsDate(code: string): boolean {
  const [positive = ''] = code.split(';');
  return !ELAPSED.test(positive) && /[dyhs]|mmm/i.test(placeholdersOf(positive));
}

/** A format without its literals: texts, escaped characters, colours, conditions and locales. */
function placeholdersOf(code: string): string {
  const placeholders: string[] = [];
  for (let at = 0; at < code.length; at += 1) {
    const character = code.charAt(at);
    const end = LITERALS.get(character);
    if (end !== undefined) at = endOf(code, end, at);
    else if (LITERALS.has(character)) at += 1;
    else placeholders.push(character);
  }
  return placeholders.join('');
}

/** Position of the end of a literal; the end of the format if the literal has none. */
function endOf(code: string, end: string, from: number): number {
  const at = code.indexOf(end, from + 1);
  return at === -1 ? code.length : at;
}
