import { unmaskFormula } from '@survey/questionnaire/columns/csv';

/** Parses a CSV file (RFC 4180, with a byte order mark) and unmasks formulas, like an import. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  if (!text.startsWith('\uFEFF')) throw new Error('There is no byte order mark');
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  cell.lastIndex = 1;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const match = cell.exec(text);
    if (match === null) throw new Error(`No cell at ${at}: ${text.slice(at, at + 20)}`);
    const [, quoted, plain = '', end] = match;
    row.push(unmaskFormula(quoted?.replaceAll('""', '"') ?? plain));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** Returns the rows as objects with the names of the header. */
export function parseTable(text: string): readonly Readonly<Record<string, string>>[] {
  const [header = [], ...rows] = parseCsv(text);
  return rows.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])));
}
