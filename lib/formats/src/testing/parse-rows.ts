import { fileOf } from '../files/import-file.ts';
import { openTable } from '../tables/open-table.ts';
import { DETECT } from '../tables/table-options.ts';
import type { Sheets } from './write-xlsx.ts';

/** The sheets of a form in CSV, with the row numbers of a workbook. */
export async function parseRows(csv: Uint8Array): Promise<Sheets> {
  const sheets: Record<string, string[][]> = {};
  let rows: string[][] = [];
  const table = await openTable(fileOf(csv), DETECT, () => {});
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
