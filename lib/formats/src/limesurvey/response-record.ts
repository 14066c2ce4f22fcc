import type { JsonObject } from '@bufbuild/protobuf';
import { createFindOption, createWordingSample, type Wording } from '../core/columns/choices.ts';
import type { ResponseReadOptions } from '../core/reader.ts';
import { fitMetadata, keepUnknownCells, unknownColumnWarning } from '../core/responses/metadata.ts';
import { type DroppedValue, type FileResponse, type UnreadValue, unknownColumn } from '../core/responses/response.ts';
import { createTimeReader } from '../core/responses/times.ts';
import { createWarnOnce } from '../files/report.ts';
import type { AnswerColumn } from './answer-columns.ts';
import { optionsIn, readAnswers } from './answers.ts';
import { createColumnNames, DURATION_COLUMNS, METADATA, TIME_COLUMNS } from './column-names.ts';
import { createWordSample } from './word-sample.ts';

/** Column name to cell. */
export type ResponseRecord = ReadonlyMap<string, string>;

export interface RecordReader {
  /** Whether a column is about the response, or of a question of the survey. */
  isKnown(name: string): boolean;
  /** Warns once about a column that the survey does not have. */
  reportColumn(name: string): void;
  /** Learns the format of cells from the first responses. */
  sample(record: ResponseRecord): void;
  /** Throws `INVALID_IMPORT` if the sampled cells have words of an unknown language. */
  checkWords(): void;
  read(record: ResponseRecord, index: number): FileResponse;
}

/** LimeSurvey's value for times that a survey does not record. */
const NO_TIME = '1980-01-01';
const MAX_NAMES = 1_000;

/** @param fixed how cells name options, if the format decides it; otherwise `look` learns it */
export function createRecordReader(
  payload: JsonObject,
  { table, warn }: Pick<ResponseReadOptions, 'table' | 'warn'>,
  fixed?: Wording,
): RecordReader {
  const { find, isKnown } = createColumnNames(payload);
  const warnOnce = createWarnOnce(warn);
  const readTime = createTimeReader(table.timeZone, warnOnce);
  const findOption = createFindOption();
  const sample = createWordingSample(findOption);
  const words = createWordSample();
  const reported = new Set<string>();

  return {
    isKnown,

    reportColumn(name) {
      if (name === '' || reported.has(name) || reported.size === MAX_NAMES) return;
      reported.add(name);
      const isDuration = DURATION_COLUMNS.test(name);
      if (!isDuration) {
        warnOnce(name, { path: '', ...unknownColumnWarning(name) });
        return;
      }
      const detail = 'Columns with durations are not imported: a survey cannot store them';
      warnOnce('times', { path: '', code: 'NOT_IMPORTED', detail });
    },

    sample(record) {
      for (const [column, cell] of cellsOf(record)) {
        if (cell === '') continue;
        sample.look(optionsIn(column), cell);
        words.look(column, cell);
      }
    },

    checkWords: () => words.check(),

    read(record, index) {
      const cellOf = (name: string) => (record.get(name) ?? '').trim();
      const id = cellOf('id');
      const isUnfinished = record.has('submitdate') && cellOf('submitdate') === '';
      const unread: UnreadValue[] = [];
      const times = new Map<string, Date>();
      for (const name of TIME_COLUMNS) {
        const cell = cellOf(name);
        if (cell === '' || cell.startsWith(NO_TIME)) continue;
        const time = readTime(cell);
        if (time === undefined) {
          const detail = `${name} must be a time such as YYYY-MM-DD HH:MM:SS`;
          unread.push({ kind: 'response', name, code: 'BAD_TIME', detail, value: cell });
          continue;
        }
        times.set(name, time);
      }
      const completedAt = times.get('submitdate') ?? times.get('datestamp');
      const given = METADATA.map((name) => [name, cellOf(name)] as const).filter(([, cell]) => cell !== '');
      const answered = readAnswers(cellsOf(record), { find: findOption, wording: fixed ?? sample.wording('either') });
      unread.push(...answered.unread);
      const columns = [...record].filter(([name, cell]) => cell.trim() !== '' && name !== '' && !isKnown(name));
      const durations = columns.filter(([name]) => DURATION_COLUMNS.test(name));
      const kept = keepUnknownCells(columns.filter(([name]) => !DURATION_COLUMNS.test(name)));
      const dropped: readonly DroppedValue[] = [
        ...answered.dropped,
        ...kept.dropped,
        ...durations.map(([column]) => unknownColumn(column)),
      ];
      return {
        index,
        id,
        externalId: undefined,
        startedAt: times.get('startdate'),
        completedAt,
        language: cellOf('startlanguage') || undefined,
        answers: answered.answers,
        ...(isUnfinished ? { status: 'in_progress' } : {}),
        ...(unread.length === 0 ? {} : { unread }),
        ...fitMetadata({ ...Object.fromEntries(given), ...kept.metadata }, { warnOnce, dropped }),
      };
    },
  };

  function* cellsOf(record: ResponseRecord): Generator<readonly [column: AnswerColumn, cell: string, name: string]> {
    for (const [name, cell] of record) {
      for (const column of find(name)) yield [column, cell.trim(), name];
    }
  }
}
