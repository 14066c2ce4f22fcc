import type { Answer, Page } from '@survey/client';
import { fileIdsOf } from '@survey/questionnaire/answers/answer-value';
import { BYTE_ORDER_MARK, type Cell, toCsvLine } from '@survey/questionnaire/columns/csv';

/** Number of answers in one request: the maximum that the platform allows. */
export const CSV_PAGE_SIZE = 1000;

const COLUMNS: readonly Column[] = [
  ['response_id', ({ response_id }) => response_id],
  ['created_at', ({ created_at }) => created_at],
  ['status', ({ status }) => status],
  ['survey_version', ({ survey_version }) => survey_version],
];
type Column = readonly [header: string, read: (answer: Answer) => Cell];

/** Reads the page of a cursor; the first one without a cursor. */
type LoadPage = (cursor: string | undefined) => Promise<Page<Answer>>;

/**
 * Returns the answers to a question with texts or files as a CSV file, with a row for each answer or file. Pages are
 * requested while the file is read, because a list may be larger than the memory.
 *
 * @param count number of answers, for the progress
 */
export function toAnswerFile(load: LoadPage, isFiles: boolean, count: number): Response {
  const toRows = isFiles ? toFileRows : toTextRows;
  let cursor: string | undefined;
  let isBegun = false;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { items, nextCursor } = await load(cursor);
      const headers = [...COLUMNS.map(([header]) => header), isFiles ? 'file_id' : 'answer'];
      const headerLine = isBegun ? '' : BYTE_ORDER_MARK + toCsvLine(headers);
      const lines = items.flatMap(toRows).map((cells) => toCsvLine(cells));
      controller.enqueue(encoder.encode(headerLine + lines.join('')));
      isBegun = true;
      cursor = nextCursor;
      if (nextCursor === undefined) controller.close();
    },
  });
  return new Response(body, { headers: isFiles ? {} : { 'x-total-count': String(count) } });
}

function toTextRows(answer: Answer): readonly (readonly Cell[])[] {
  const text = typeof answer.answer === 'string' ? answer.answer : JSON.stringify(answer.answer);
  return [[...COLUMNS.map(([, read]) => read(answer)), text]];
}

function toFileRows(answer: Answer): readonly (readonly Cell[])[] {
  return fileIdsOf(answer.answer).map((id) => [...COLUMNS.map(([, read]) => read(answer)), id]);
}
