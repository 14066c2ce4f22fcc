import { TEXT_FORMATS } from '@survey/questionnaire/answers/text-formats';
import { BYTE_ORDER_MARK, type Cell, toCsvLine } from '@survey/questionnaire/columns/csv';
import type { Response } from '../responses/response.ts';
import type { ExportFormat } from './export-format.ts';
import type { ResponseTable, ValueKind } from './response-table.ts';

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

export interface CsvOptions {
  /** Whether texts that could be formulas get an apostrophe. */
  readonly maskFormulas: boolean;
}

/** Writes a table of responses as CSV. */
export function createCsvFormat(table: ResponseTable, options: CsvOptions): ExportFormat<Response> {
  return {
    contentType: CSV_TYPE,
    extension: 'csv',
    begin: () => BYTE_ORDER_MARK + toCsvLine(table.header, options),
    async write(responses) {
      let text = '';
      for await (const cells of table.rowsOf(responses, toCell)) text += toCsvLine(cells, options);
      return text;
    },
    end: () => '',
  };
}

function toCell(text: string, kind: ValueKind): Cell {
  return kind === 'number' && TEXT_FORMATS.number(text) ? { digits: text } : text;
}
