import type { JsonObject } from '@bufbuild/protobuf';
import { setMember } from '@survey/questionnaire/json';
import { unmaskFormula } from '@survey/runtime/csv/formula';
import { createHeaderIndex } from '../headers/header-index.ts';
import { matchGiven, rejectProblems } from '../headers/match-headers.ts';
import { type FileResponse, isRejected, type ReadResponse, rowOf } from '../shared/file-response.ts';
import { fitMetadata } from '../shared/fit-metadata.ts';
import type { FindCellText, ResponseFileReader } from '../shared/reader.ts';
import { createWarnOnce, type WarnOnce } from '../shared/warn-once.ts';
import { firstRows } from '../tables/first-rows.ts';
import { readNames } from '../tables/header.ts';
import { mapCells } from '../tables/map-cells.ts';
import { openTable } from '../tables/open-table.ts';
import { learnValues } from '../tables/read-values.ts';
import type { Row } from '../tables/row.ts';
import { createAnswerCells } from './answer-cells.ts';
import { kindsOf, MAX_HEADER_ROWS } from './match-table.ts';
import { createRowReader } from './responses-csv.ts';
import { sortColumns } from './responses-csv-header.ts';

/** Texts of cells that are only masked. */
const unmaskCells: FindCellText = (_, __, unmask) => (unmask === true ? unmaskFormula : (cell) => cell);

/**
 * Gives a reader of another tool's tables the option `columns`. The named columns are read like those of a spreadsheet,
 * the tool's reader does not see them, and their values win. The tool's reader must report the row of each response.
 */
export function withMappedColumns(
  read: ResponseFileReader,
  findCellText: FindCellText = unmaskCells,
): ResponseFileReader {
  return async function* (file, survey, options) {
    if (options.table.columns.length === 0) {
      yield* read(file, survey, options);
      return;
    }
    const { payload, definition } = survey;
    // The tool's reader reports how it opens the table.
    const opened = await openTable(file, options.table, () => {});
    const start = await firstRows(opened, MAX_HEADER_ROWS);
    const [first] = start;
    const table = mapCells(opened, findCellText(start, payload, options.unmask));
    const names = readNames(first);
    const index = createHeaderIndex(payload, definition);
    const columns = matchGiven(names, index, options.table.columns);
    rejectProblems(columns, first?.number ?? 1);
    const header = { names, isMasked: false, isExport: false, ...sortColumns(columns) };
    const kinds = kindsOf(header, payload);
    const values = await learnValues(table, { kinds, names, headerRows: 1, options: options.table });
    const warnOnce = createWarnOnce(options.warn);
    const cells = createAnswerCells(header, payload, index, { readsOther: false });
    const readRow = createRowReader(header, definition, cells, warnOnce);
    const hidden = new Set(columns.map(({ position }) => position));
    const hidesAnswers = header.answered.length + header.choices.length > 0;
    const rows = table.rows()[Symbol.asyncIterator]();
    try {
      const inner = read(file, survey, { ...options, table: { ...options.table, columns: [], hidden, hidesAnswers } });
      for await (const response of inner) {
        const row = isRejected(response) ? undefined : await rowAt(rows, response.row);
        yield row === undefined || isRejected(response)
          ? response
          : merge(response, readRow({ ...row, cells: values.convert(row) }, response.index), warnOnce);
      }
    } finally {
      await rows.return?.();
    }
  };
}

/** Advances to the row with a number. */
async function rowAt(rows: AsyncIterator<Row>, number: number | undefined): Promise<Row | undefined> {
  for (;;) {
    const next = await rows.next();
    if (next.done === true) return undefined;
    if (next.value.number === number) return next.value;
  }
}

function merge(response: ReadResponse, mapped: FileResponse, warnOnce: WarnOnce): FileResponse {
  const id = mapped.id === '' ? response.id : mapped.id;
  if (isRejected(mapped)) return { ...mapped, ...rowOf(response), index: response.index, id };
  const answers: JsonObject = { ...response.answers };
  for (const [questionId, answer] of Object.entries(mapped.answers)) setMember(answers, questionId, answer);
  const completedAt = mapped.completedAt ?? response.completedAt;
  return {
    ...response,
    id,
    externalId: mapped.externalId ?? response.externalId,
    // A lone `submitted_at` is no better start than that of the tool.
    startedAt: mapped.startedAt === mapped.completedAt ? (response.startedAt ?? completedAt) : mapped.startedAt,
    completedAt,
    language: mapped.language ?? response.language,
    answers,
    ...(mapped.status === undefined ? {} : { status: mapped.status }),
    unread: [...(response.unread ?? []), ...(mapped.unread ?? [])],
    ...fitMetadata({ ...response.metadata, ...mapped.metadata }, { warnOnce, dropped: response.dropped ?? [] }),
  };
}
