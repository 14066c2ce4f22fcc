import { BYTE_ORDER_MARK, toCsvLine } from '@survey/questionnaire/columns/csv';
import type { CodebookEntry } from './codebook.ts';
import type { CsvOptions } from './response-csv.ts';

/** The columns of a codebook, in order. */
export const CODEBOOK_COLUMNS = [
  'column',
  'question_id',
  'title',
  'type',
  'row_id',
  'row_text',
  'option_id',
  'option_text',
  'required',
  'page',
  'versions',
] as const;

/** The cells of an entry. */
export function codebookCellsOf(entry: CodebookEntry): readonly (string | number)[] {
  const { column, questionId, title, type, row, option, required, page, versions } = entry;
  const items = [row?.id ?? '', row?.text ?? '', option?.id ?? '', option?.text ?? ''];
  return [column, questionId, title, type, ...items, String(required), page, versions.join(' ')];
}

/** Writes a codebook as CSV, a piece for each entry. */
export function* writeCodebookCsv(codebook: readonly CodebookEntry[], options: CsvOptions): Generator<string> {
  yield BYTE_ORDER_MARK + toCsvLine(CODEBOOK_COLUMNS);
  for (const entry of codebook) yield toCsvLine(codebookCellsOf(entry), options);
}

/** Writes a codebook as a JSON array, a piece for each entry. */
export function* writeCodebookJson(codebook: readonly CodebookEntry[]): Generator<string> {
  yield '[';
  for (const [index, entry] of codebook.entries()) yield `${index === 0 ? '\n' : ',\n'}${toJson(entry)}`;
  yield '\n]\n';
}

function toJson({ column, questionId, title, type, row, option, required, page, versions }: CodebookEntry): string {
  return JSON.stringify({
    column,
    question_id: questionId,
    title,
    type,
    row_id: row?.id,
    row_text: row?.text,
    option_id: option?.id,
    option_text: option?.text,
    required,
    page,
    versions,
  });
}
