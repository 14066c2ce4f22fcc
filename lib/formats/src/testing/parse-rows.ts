import { readCsvRows } from '../files/csv-rows.ts';
import { fileOf } from '../files/import-file.ts';
import type { Sheets } from './write-xlsx.ts';

/** The sheets of a form in CSV, with the row numbers of a workbook. */
export async function parseRows(csv: Uint8Array): Promise<Sheets> {
  const sheets: Record<string, string[][]> = {};
  let rows: string[][] = [];
  for await (const { number, cells } of readCsvRows(fileOf(csv))) {
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
