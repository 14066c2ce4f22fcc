import { findOffsets } from '@survey/runtime/rest/timestamp';
import { createFindOption, createWordingSample, type Wording } from '../core/columns/choices.ts';
import { optionsIn } from '../core/columns/coded-answers.ts';
import { type CodedPlan, planCodes } from '../core/columns/plan-codes.ts';
import { type ReadCodes, readTable, sampleCodes } from '../core/columns/read-table.ts';
import type { ResponseFileReader, ResponseReadOptions, Warn } from '../core/reader.ts';
import { toFileResponse } from '../core/responses/items.ts';
import { keepUnknownCells, unknownColumnWarning } from '../core/responses/metadata.ts';
import type { FileResponse, RejectedResponse, UnusableValue } from '../core/responses/response.ts';
import { createTimeReader, type ReadTime } from '../core/responses/times.ts';
import { createWarnOnce, type WarnOnce } from '../files/report.ts';
import { openTable } from '../tables/open-table.ts';
import { type CellContext, readAnswers, UNANSWERED } from './answers.ts';
import { toLanguageTag } from './document.ts';
import { type ExportHeader, type MetaName, QUALTRICS, type QualtricsHeader, TIMES } from './headers.ts';

/** Columns that are imported and not kept in the metadata. */
const TAKEN: readonly MetaName[] = ['id', 'startedAt', 'endedAt', 'recordedAt', 'finished', 'language'];

/** "True" in several languages, for finished responses in exports of labels. */
const FINISHED = new Set('1 true wahr vrai verdadero verdadeiro vero waar sant sand tosi prawda'.split(' '));

/** Reads a Qualtrics table: one to three header rows, then values or labels. */
export const readQualtricsResponses: ResponseFileReader = async function* (file, survey, options) {
  const plan = await planCodes(await openTable(file, options.table, options.warn), QUALTRICS, survey, options);
  yield* readTable(plan, survey, options, () => createReader(plan, options));
};

async function createReader(
  plan: CodedPlan<QualtricsHeader>,
  { table, warn }: ResponseReadOptions,
): Promise<ReadCodes> {
  const header = plan.codedHeader;
  warnOfUnknown(header, warn);
  const find = createFindOption();
  const sample = createWordingSample(find);
  let hint: Wording | undefined;
  await sampleCodes(plan, (cells) => {
    hint ??= guessWording(header.exported, cells);
    for (const [position, column] of header.columns.entries()) {
      const cell = cells[position]?.trim() ?? '';
      if (column !== undefined && cell !== '') sample.look(optionsIn(column), cell);
    }
  });
  const warnOnce = createWarnOnce(warn);
  const onSeen = () => {
    const detail = 'The value -99 means "seen but not answered" and is not imported';
    warnOnce('seen', { path: '', code: 'NOT_IMPORTED', detail });
  };
  const wording = sample.wording(hint ?? 'either');
  const context = { questions: header.index, find, wording, noAnswer: UNANSWERED, onSeen };
  const readTime = createTimeReader(findZone(header.exported.timeZone) ?? table.timeZone, warnOnce);
  return ({ index, row: { number }, cells }) => readRow({ header, readTime, context, warnOnce }, cells, number, index);
}

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
function guessWording({ meta, hasOldNames }: ExportHeader, cells: readonly string[]): Wording | undefined {
  const cell = cells[meta.get('finished') ?? -1]?.trim() ?? '';
  if (cell === '' || (hasOldNames && /^[01]$/.test(cell))) return undefined;
  return /^[01]$/.test(cell) ? 'codes' : 'texts';
}

function readRow(
  { header: { exported: header, columns, unknown }, readTime, context, warnOnce }: ResponseTable,
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
  const finished = cellOf('finished').toLowerCase();
  const isUnfinished = finished === '0' || finished === 'false';
  if (finished !== '' && !isUnfinished && !FINISHED.has(finished)) {
    const detail = 'the value is neither True nor False; export the responses with values or in English';
    return reject('BAD_STATUS', `, column Finished: ${detail}`);
  }
  const times = new Map<MetaName, Date>();
  const unread: UnusableValue[] = [];
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
  const kept = [...header.meta.keys()].filter((name) => !TAKEN.includes(name)).map((name) => [name, cellOf(name)]);
  const answered = readAnswers(columns, cells, context);
  const others = keepUnknownCells(
    [...unknown]
      .map(([position, name]) => [name, (cells[position] ?? '').trim()] as const)
      .filter(([, cell]) => cell !== ''),
  );
  return toFileResponse(
    {
      ...{ index, path: '', id, answers: answered.answers },
      startedAt: times.get('startedAt'),
      completedAt: times.get('endedAt') ?? times.get('recordedAt'),
      language: (toLanguageTag(cellOf('language')) ?? cellOf('language')) || undefined,
      ...(isUnfinished ? { status: 'in_progress' } : {}),
      isTest: isTest(cellOf('status'), cellOf('distribution_channel')),
      unread: [...unread, ...answered.unread],
      unassigned: [...others.unassigned, ...answered.unassigned],
      metadata: { ...Object.fromEntries(kept), ...others.metadata },
    },
    warnOnce,
  );
}

/** Bits of the column Status for previews, tests and spam. Exports of labels have the words of `TEST_LABEL` instead. */
const TEST_BITS = 0b1011;
const TEST_LABEL = /preview|vorschau|aper[cç]u|vista previa|anteprima|voorbeeld|\btest\b|spam/i;

function isTest(status: string, channel: string): boolean {
  if (/^(preview|test)$/i.test(channel)) return true;
  return /^\d+$/.test(status) ? (Number(status) & TEST_BITS) !== 0 : TEST_LABEL.test(status);
}
