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
/** Parts of a format that are not placeholders: texts, escaped characters, colours, conditions, locales. */
const LITERALS = /"[^"]*"|[\\_*].|\[[^\]]*\]/gs;
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
  return !ELAPSED.test(positive) && /[dyhs]|mmm/i.test(positive.replaceAll(LITERALS, ''));
}
