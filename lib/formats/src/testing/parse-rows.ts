import { fileOf } from '../files/import-file.ts';
import { openTable } from '../tables/open-table.ts';
import { DETECT_ALL } from '../tables/table-options.ts';
import type { Sheets } from './write-xlsx.ts';

/** Reads the sheets of an XLSForm in CSV. Rows keep their numbers: empty rows are added for skipped ones. */
export async function parseRows(csv: Uint8Array): Promise<Sheets> {
  const sheets: Record<string, string[][]> = {};
  let rows: string[][] = [];
  const table = await openTable(fileOf(csv), DETECT_ALL, () => {});
  for await (const { number, cells } of table.rows()) {
    const [name = '', ...rest] = cells;
    if (name !== '') {
      rows = [];
      sheets[name] = rows;
    }
    if (rest.some((cell) => cell !== '')) {
      while (rows.length < number - 1) rows.push([]);
      rows.push(rest);
    }
  }
  return sheets;
}
