import { unmaskFormula } from '@survey/runtime/csv/formula';
import {
  type DroppedValue,
  type FileResponse,
  type RejectedResponse,
  type UnreadValue,
  unknownColumn,
} from '../shared/file-response.ts';
import { fitMetadata } from '../shared/fit-metadata.ts';
import { parseLocalTime } from '../shared/local-time.ts';
import { lookAhead } from '../shared/look-ahead.ts';
import { createFindOption, createWordingSample, type Wording } from '../shared/option-wording.ts';
import type { ResponseFileReader, Warn } from '../shared/reader.ts';
import { createResponseLanguages } from '../shared/response-language.ts';
import { createWarnOnce, type WarnOnce } from '../shared/warn-once.ts';
import { firstRows } from '../tables/first-rows.ts';
import { badHeader, extraCellsProblem, rejectDuplicates, watchNameless } from '../tables/header.ts';
import { openTable } from '../tables/open-table.ts';
import { learnValues } from '../tables/read-values.ts';
import { type AnswerColumn, createColumnFinder } from './answer-columns.ts';
import { type CellReading, optionsIn, readAnswers } from './answers.ts';
import { toLanguageTag } from './languages.ts';
import { type IndexedQuestion, indexQuestions } from './question-index.ts';
import { type MetaName, type ResponseHeader, readResponseHeader } from './response-header.ts';

/** Columns that are imported and not kept in the metadata. */
const TAKEN: readonly MetaName[] = ['id', 'startedAt', 'endedAt', 'recordedAt', 'finished', 'language'];
const TIMES = ['startedAt', 'endedAt', 'recordedAt'] as const;
const HEADER_ROWS = 3;

/** "True" in several languages, for finished responses in exports of labels. */
const FINISHED = new Set('1 true wahr vrai verdadero verdadeiro vero waar sant sand tosi prawda'.split(' '));

/** Reads a Qualtrics CSV export: one to three header rows, then values or labels. */
export const readQualtricsResponses: ResponseFileReader = async function* (file, { payload }, options) {
  const { unmask, warn } = options;
  const index = indexQuestions(payload);
  const toCells = (cells: readonly string[]) => (unmask === true ? cells.map(unmaskFormula) : cells);
  const opened = await openTable(file, options.table, warn);
  const first = await firstRows(opened, HEADER_ROWS);
  const warnOnce = createWarnOnce(warn);
  const header = readResponseHeader(first);
  const columns = findColumns(header, index, {
    description: opened.description,
    needsQuestion: options.table.hidesAnswers !== true,
    warn,
  });
  const values = await learnValues(opened, {
    kinds: new Map(TIMES.flatMap((name) => toKind(header.meta.get(name)))),
    names: header.names,
    headerRows: header.rows,
    options: options.table,
  });
  const find = createFindOption();
  const sample = createWordingSample(find);
  let hint: Wording | undefined;
  let rows = 0;
  await lookAhead(opened.rows(), (row) => {
    rows += 1;
    if (rows <= header.rows) return;
    const cells = toCells(row.cells);
    hint ??= hintOf(header, cells);
    for (const [columnIndex, column] of columns.entries()) {
      const cell = cells[columnIndex]?.trim() ?? '';
      if (column !== undefined && cell !== '') sample.look(optionsIn(column), cell);
    }
  });
  const onSeen = () => {
    const detail = 'The value -99 means "seen but not answered" and is not imported';
    warnOnce('seen', { path: '', code: 'NOT_IMPORTED', detail });
  };
  const reading = { questions: index, find, wording: sample.wording(hint ?? 'either'), onSeen };
  const table = { header, columns, reading, languageOf: createResponseLanguages(payload, warnOnce), warnOnce };
  const watch = watchNameless(header.names, warn);
  let position = -header.rows;
  for await (const row of opened.rows()) {
    if (position >= 0) {
      watch(row.cells);
      yield { ...readRow(table, toCells(values.convert(row)), row.number, position), row: row.number };
    }
    position += 1;
  }
};

function toKind(position: number | undefined): readonly (readonly [number, 'timestamp'])[] {
  return position === undefined ? [] : [[position, 'timestamp']];
}

interface ResponseTable {
  readonly header: ResponseHeader;
  readonly columns: readonly (AnswerColumn | undefined)[];
  readonly reading: CellReading;
  readonly languageOf: ReturnType<typeof createResponseLanguages>;
  readonly warnOnce: WarnOnce;
}

/**
 * Guesses from the column Finished whether cells have values or labels. The oldest exports always have a number there.
 */
function hintOf({ meta, dialect }: ResponseHeader, cells: readonly string[]): Wording | undefined {
  const cell = cells[meta.get('finished') ?? -1]?.trim() ?? '';
  if (cell === '' || (dialect === 'old' && /^[01]$/.test(cell))) return undefined;
  return /^[01]$/.test(cell) ? 'codes' : 'texts';
}

function findColumns(
  header: ResponseHeader,
  index: ReadonlyMap<string, IndexedQuestion>,
  {
    description,
    needsQuestion,
    warn,
  }: { readonly description: string; readonly needsQuestion: boolean; readonly warn: Warn },
): readonly (AnswerColumn | undefined)[] {
  const own = new Set(header.meta.values());
  const finder = createColumnFinder(index);
  checkNames(header, own, finder.sharing);
  const columns = header.names.map((name, columnIndex) =>
    own.has(columnIndex) ? undefined : finder.find(header.importIds[columnIndex], name),
  );
  if (needsQuestion && columns.every((column) => column === undefined)) {
    const detail = `no column names a question of the survey (${description}); import the survey from Qualtrics first`;
    throw badHeader(`row 1: ${detail}`);
  }
  for (const [columnIndex, name] of header.names.entries()) {
    if (columns[columnIndex] !== undefined || own.has(columnIndex) || name === '') continue;
    const detail = `The column ${name} is not imported: the survey has no such column`;
    warn({ path: '', code: 'NOT_IMPORTED', detail });
  }
  const hasTimes = header.meta.has('startedAt') || header.meta.has('endedAt');
  if (hasTimes && header.timeZone === undefined) {
    const detail = 'The file has no time zone; its times are read as UTC';
    warn({ path: '', code: 'TIME_ZONE_ASSUMED', detail });
  }
  return columns;
}

/** Throws `BAD_HEADER` if the names do not show which column belongs to which question. */
function checkNames(
  { names, importIds }: ResponseHeader,
  own: ReadonlySet<number>,
  sharing: (name: string) => readonly string[],
): void {
  const byName = names.filter((_, position) => !own.has(position) && importIds[position] === undefined);
  const counted = Map.groupBy(byName, (name) => name);
  for (const [name, same] of counted) {
    const questions = sharing(name);
    if (questions.length === 0 || questions.length === same.length) continue;
    if (same.length > questions.length) throw badHeader(`row 1, column ${name}: the column is duplicate`);
    const detail = `the column can be of ${questions.join(' or ')}; export with the row of import ids`;
    throw badHeader(`row 1, column ${name}: ${detail}`);
  }
  rejectDuplicates(
    importIds.map((id, position) => (own.has(position) ? '' : (id ?? ''))),
    () => true,
    HEADER_ROWS,
  );
}

function readRow(
  { header, columns, reading, languageOf, warnOnce }: ResponseTable,
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
    const time = parseLocalTime(cell, header.timeZone);
    if (cell !== '' && time === undefined) {
      const column = header.names[header.meta.get(name) ?? -1] ?? name;
      const detail = 'the value must be a time such as YYYY-MM-DD HH:MM:SS';
      unread.push({ kind: 'response', name: column, code: 'BAD_TIME', detail, value: cell });
    }
    if (time !== undefined) times.set(name, time);
  }
  const completedAt = times.get('endedAt') ?? times.get('recordedAt');
  const { language, metadata } = languageOf(toLanguageTag(cellOf('language')) ?? cellOf('language'));
  const kept = [...header.meta.keys()]
    .filter((name) => !TAKEN.includes(name))
    .map((name) => [name, cellOf(name)] as const)
    .filter(([, cell]) => cell !== '');
  const answered = readAnswers(columns, cells, reading);
  unread.push(...answered.unread);
  const own = new Set(header.meta.values());
  const dropped = header.names.flatMap((column, position): readonly DroppedValue[] => {
    const isDropped = columns[position] === undefined && !own.has(position) && column !== '';
    if (!isDropped || (cells[position] ?? '').trim() === '') return [];
    return [unknownColumn(column)];
  });
  return {
    index,
    id,
    externalId: undefined,
    startedAt: times.get('startedAt') ?? completedAt,
    completedAt,
    language,
    answers: answered.answers,
    ...(isUnfinished ? { status: 'in_progress' } : {}),
    ...(isTest(cellOf('status'), cellOf('distribution_channel')) ? { isTest: true } : {}),
    ...(unread.length === 0 ? {} : { unread }),
    ...fitMetadata({ ...Object.fromEntries(kept), ...metadata }, { warnOnce, dropped }),
  };
}

/** Bits of the column Status for previews, tests and spam. Labels have these words. */
const TEST_BITS = 0b1011;
const TEST_LABEL = /preview|vorschau|aper[cç]u|vista previa|anteprima|voorbeeld|\btest\b|spam/i;

function isTest(status: string, channel: string): boolean {
  if (/^(preview|test)$/i.test(channel)) return true;
  return /^\d+$/.test(status) ? (Number(status) & TEST_BITS) !== 0 : TEST_LABEL.test(status);
}
