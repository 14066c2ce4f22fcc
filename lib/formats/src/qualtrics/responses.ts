import { unmaskStart } from '@survey/questionnaire/columns/csv';
import { findOffsets } from '@survey/runtime/rest/timestamp';
import { createFindOption, createWordingSample, type Wording } from '../core/columns/choices.ts';
import { mapColumns } from '../core/columns/mapped-columns.ts';
import { MAX_TABLE_HEADER } from '../core/columns/table-header.ts';
import { findToolRows, learnToolValues, readToolRows } from '../core/columns/tool-rows.ts';
import { lookAhead } from '../core/look-ahead.ts';
import type { ResponseFileReader, Warn } from '../core/reader.ts';
import { fitMetadata, keepUnknownCells, unknownColumnWarning } from '../core/responses/metadata.ts';
import type { FileResponse, RejectedResponse, UnreadValue } from '../core/responses/response.ts';
import { createTimeReader, type ReadTime } from '../core/responses/times.ts';
import { createWarnOnce, type WarnOnce } from '../files/report.ts';
import { firstRows } from '../tables/first-rows.ts';
import { extraCellsProblem } from '../tables/header.ts';
import { mapCells } from '../tables/map-cells.ts';
import { openTable } from '../tables/open-table.ts';
import { type CellContext, optionsIn, readAnswers } from './answers.ts';
import { toLanguageTag } from './document.ts';
import {
  indexQuestions,
  type MetaName,
  type QualtricsHeader,
  type ResponseHeader,
  readQualtricsHeader,
  TIMES,
} from './headers.ts';

/** Columns that are imported and not kept in the metadata. */
const TAKEN: readonly MetaName[] = ['id', 'startedAt', 'endedAt', 'recordedAt', 'finished', 'language'];

/** "True" in several languages, for finished responses in exports of labels. */
const FINISHED = new Set('1 true wahr vrai verdadero verdadeiro vero waar sant sand tosi prawda'.split(' '));

/** Reads a Qualtrics CSV export: one to three header rows, then values or labels. */
export const readQualtricsResponses: ResponseFileReader = async function* (file, survey, options) {
  const { payload } = survey;
  const { unmask, warn } = options;
  const rows = await findToolRows(await openTable(file, options.table, warn), readQualtricsHeader, payload);
  const opened = rows.table;
  const table = unmask === true ? mapCells(opened, unmaskStart) : opened;
  const start = await firstRows(table, MAX_TABLE_HEADER);
  const mapped = mapColumns(start[0], survey, options);
  const header = readQualtricsHeader(start, payload, mapped.positions);
  header.check({ description: table.description, needsQuestion: !mapped.hasAnswers });
  mapped.warnOfRivals(header);
  const { response, columns, headerRows } = header;
  warnOfUnknown(header, warn);
  const values = await learnToolValues(table, header, mapped, options.table);
  const find = createFindOption();
  const sample = createWordingSample(find);
  let hint: Wording | undefined;
  let rowsSeen = 0;
  await lookAhead(table.rows(), (row) => {
    rowsSeen += 1;
    if (rowsSeen <= headerRows) return;
    const cells = mapped.hide(row.cells);
    hint ??= guessWording(response, cells);
    for (const [columnIndex, column] of columns.entries()) {
      const cell = cells[columnIndex]?.trim() ?? '';
      if (column !== undefined && cell !== '') sample.look(optionsIn(column), cell);
    }
  });
  const warnOnce = createWarnOnce(warn);
  const onSeen = () => {
    const detail = 'The value -99 means "seen but not answered" and is not imported';
    warnOnce('seen', { path: '', code: 'NOT_IMPORTED', detail });
  };
  const context = { questions: indexQuestions(payload), find, wording: sample.wording(hint ?? 'either'), onSeen };
  const timeZone = findZone(response.timeZone) ?? options.table.timeZone;
  const reader = { header, readTime: createTimeReader(timeZone, warnOnce), context, warnOnce };
  yield* rows.withLeftOut(readRows(), warn);

  async function* readRows(): AsyncGenerator<FileResponse> {
    for await (const { index, whole, cells, finish } of readToolRows(table, header, { values, mapped, warn })) {
      yield finish({ ...readRow(reader, cells, whole.number, index), row: whole.number });
    }
  }
};

/** Warns about columns that the survey does not have. */
function warnOfUnknown({ unknown }: QualtricsHeader, warn: Warn): void {
  for (const name of unknown.values()) {
    warn({ path: '', ...unknownColumnWarning(name) });
  }
}

/** The time zone that the header names; undefined if it names none, or an unknown one. */
function findZone(name: string | undefined): string | undefined {
  if (name === 'Z') return 'UTC';
  return name === undefined || findOffsets(name) === undefined ? undefined : name;
}

interface ResponseTable {
  readonly header: QualtricsHeader;
  readonly readTime: ReadTime;
  readonly context: CellContext;
  readonly warnOnce: WarnOnce;
}

/**
 * Guesses from the column Finished whether cells have values or labels. Undefined for a number in the oldest exports,
 * which write numbers in both cases.
 */
function guessWording({ meta, hasOldNames }: ResponseHeader, cells: readonly string[]): Wording | undefined {
  const cell = cells[meta.get('finished') ?? -1]?.trim() ?? '';
  if (cell === '' || (hasOldNames && /^[01]$/.test(cell))) return undefined;
  return /^[01]$/.test(cell) ? 'codes' : 'texts';
}

function readRow(
  { header: { response: header, columns, unknown }, readTime, context, warnOnce }: ResponseTable,
  cells: readonly string[],
  number: number,
  index: number,
): FileResponse {
  const cellOf = (name: MetaName) => (cells[header.meta.get(name) ?? -1] ?? '').trim();
  const id = cellOf('id');
  const reject = (code: string, detail: string): RejectedResponse => ({
    index,
    id,
    code,
    detail: `row ${number}${detail}`,
  });
  const extra = extraCellsProblem(cells, header.names.length);
  if (extra !== undefined) return reject('TOO_MANY_CELLS', `: ${extra}`);
  const finished = cellOf('finished').toLowerCase();
  const isUnfinished = finished === '0' || finished === 'false';
  if (finished !== '' && !isUnfinished && !FINISHED.has(finished)) {
    const detail = 'the value is neither True nor False; export the responses with values or in English';
    return reject('BAD_STATUS', `, column Finished: ${detail}`);
  }
  const times = new Map<MetaName, Date>();
  const unread: UnreadValue[] = [];
  for (const name of TIMES) {
    const cell = cellOf(name);
    const time = readTime(cell);
    if (cell !== '' && time === undefined) {
      const column = header.names[header.meta.get(name) ?? -1] ?? name;
      const detail = 'the value must be a time such as YYYY-MM-DD HH:MM:SS';
      unread.push({ kind: 'response', name: column, code: 'BAD_TIME', detail, value: cell });
    }
    if (time !== undefined) times.set(name, time);
  }
  const completedAt = times.get('endedAt') ?? times.get('recordedAt');
  const language = toLanguageTag(cellOf('language')) ?? cellOf('language');
  const kept = [...header.meta.keys()]
    .filter((name) => !TAKEN.includes(name))
    .map((name) => [name, cellOf(name)] as const)
    .filter(([, cell]) => cell !== '');
  const answered = readAnswers(columns, cells, context);
  unread.push(...answered.unread);
  const others = keepUnknownCells(
    [...unknown]
      .map(([position, name]) => [name, (cells[position] ?? '').trim()] as const)
      .filter(([, cell]) => cell !== ''),
  );
  const dropped = [...others.dropped, ...answered.dropped];
  return {
    index,
    id,
    externalId: undefined,
    startedAt: times.get('startedAt'),
    completedAt,
    language: language || undefined,
    answers: answered.answers,
    ...(isUnfinished ? { status: 'in_progress' } : {}),
    ...(isTest(cellOf('status'), cellOf('distribution_channel')) ? { isTest: true } : {}),
    ...(unread.length === 0 ? {} : { unread }),
    ...fitMetadata({ ...Object.fromEntries(kept), ...others.metadata }, { warnOnce, dropped }),
  };
}

/** Bits of the column Status for previews, tests and spam. Exports of labels have the words of `TEST_LABEL` instead. */
const TEST_BITS = 0b1011;
const TEST_LABEL = /preview|vorschau|aper[cç]u|vista previa|anteprima|voorbeeld|\btest\b|spam/i;

function isTest(status: string, channel: string): boolean {
  if (/^(preview|test)$/i.test(channel)) return true;
  return /^\d+$/.test(status) ? (Number(status) & TEST_BITS) !== 0 : TEST_LABEL.test(status);
}
