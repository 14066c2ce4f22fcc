import type { Response } from '../responses/response.ts';
import { CODEBOOK_COLUMNS, type CodebookEntry, codebookCellsOf } from './codebook.ts';
import { isNumber, type ResponseTable, type ValueKind } from './response-table.ts';
import {
  type Sheet,
  type SheetCell,
  type ShortenedCell,
  toMoment,
  toTimeOfDay,
  writeWorkbook,
} from './xlsx/cell-xml.ts';

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

interface Content {
  readonly table: ResponseTable;
  readonly codebook: Iterable<CodebookEntry>;
  readonly responses: AsyncIterable<readonly Response[]>;
}

/** Shortened cells that the workbook lists. */
const MAX_LISTED = 10_000;

/**
 * Writes a workbook with the sheets `Responses` and `Codebook`. If texts were shortened, a third sheet lists their
 * cells.
 */
export function writeXlsx({ table, codebook, responses }: Content): AsyncGenerator<Uint8Array> {
  const shortened = { count: 0, listed: [] as ShortenedCell[] };

  function* sheets(): Generator<Sheet> {
    yield { name: 'Responses', header: table.header, rows: rowsOf(table, responses) };
    yield { name: 'Codebook', header: CODEBOOK_COLUMNS, rows: toRows(codebook, codebookCellsOf) };
    if (shortened.count === 0) return;
    yield { name: 'Shortened cells', header: ['sheet', 'cell', 'characters'], rows: shortenedRowsOf(shortened) };
  }

  return writeWorkbook(sheets(), {
    onShortened: (cell) => {
      shortened.count += 1;
      if (shortened.listed.length < MAX_LISTED) shortened.listed.push(cell);
    },
  });
}

async function* rowsOf(table: ResponseTable, responses: Content['responses']) {
  for await (const chunk of responses) yield* table.rowsOf(chunk, toSheetCell);
}

async function* toRows<T>(items: Iterable<T>, toCells: (item: T) => readonly SheetCell[]) {
  for (const item of items) yield toCells(item);
}

async function* shortenedRowsOf({
  count,
  listed,
}: {
  readonly count: number;
  readonly listed: readonly ShortenedCell[];
}) {
  for (const { sheet, cell, characters } of listed) yield [sheet, cell, characters];
  if (count > listed.length) yield [`and ${count - listed.length} more`, '', ''];
}

function toSheetCell(text: string, kind: ValueKind): SheetCell {
  if (text === '') return '';
  switch (kind) {
    case 'number':
      return isNumber(text) ? Number(text) : text;
    case 'flag':
      return Number(text);
    case 'date':
    case 'timestamp':
      return toMoment(text, kind);
    case 'time':
      return toTimeOfDay(text);
    case undefined:
      return text;
  }
}
