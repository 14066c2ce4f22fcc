import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import { createFindOption, createWordingSample, type Wording } from '../core/columns/choices.ts';
import { planCodes } from '../core/columns/plan-codes.ts';
import { readTable, sampleCodes } from '../core/columns/read-table.ts';
import { lookAhead } from '../core/look-ahead.ts';
import type { ResponseFileReader, ResponseReadOptions } from '../core/reader.ts';
import { toFileResponse } from '../core/responses/items.ts';
import { keepUnknownCells, unknownColumnWarning } from '../core/responses/metadata.ts';
import {
  type FileResponse,
  type UnassignedValue,
  type UnusableValue,
  unknownColumn,
} from '../core/responses/response.ts';
import { createTimeReader, type ReadTime } from '../core/responses/times.ts';
import type { ImportFile } from '../files/import-file.ts';
import { readJson, readJsonItems } from '../files/json.ts';
import { createWarnOnce, invalidFile, wrongType } from '../files/report.ts';
import { streamXml } from '../files/xml.ts';
import { openTable } from '../tables/open-table.ts';
import type { Row } from '../tables/row.ts';
import { createWordSample, NO_ANSWER, optionsOfColumn, readAnswers } from './answers.ts';
import { checkType, createRowHandler, openLsa } from './document.ts';
import {
  type AnswerColumn,
  type ColumnNames,
  createColumnNames,
  DURATION_COLUMNS,
  LIMESURVEY,
  METADATA,
  TIME_COLUMNS,
} from './headers.ts';

/**
 * Reads a LimeSurvey table with question codes as headings, and codes or texts in the cells. In a VV file, which has two
 * header rows, the second one has the codes.
 */
export const readLimesurveyCsvResponses: ResponseFileReader = async function* (file, survey, options) {
  const plan = await planCodes(await openTable(file, options.table, options.warn), LIMESURVEY, survey, options);
  yield* readTable(plan, survey, options, async () => {
    const { names, columns, isVv } = plan.codedHeader;
    const reader = createRecordReader(columns, options, isVv ? 'codes' : undefined);
    // A cell that cannot be read is not empty: an empty `submitdate` is that of an unfinished response.
    const toRecord = (cells: readonly string[], { unread }: Pick<Row, 'unread'> = {}) =>
      new Map(names.flatMap((name, column) => (unread?.has(column) === true ? [] : [[name, cells[column] ?? '']])));
    await sampleCodes(plan, (cells) => reader.sample(toRecord(cells)));
    reader.checkWords();
    reader.reportUnknown(names);
    return ({ index, row, cells }) => reader.read(toRecord(cells, row), index);
  });
};

/**
 * Reads a LimeSurvey JSON export: `{"responses": [{"id": 1, "Q1": "…"}]}`. In older files, each item is an object with
 * one member: the response under its id.
 */
export const readLimesurveyJsonResponses: ResponseFileReader = async function* (file, { payload }, options) {
  const columns = createColumnNames(payload);
  const { toNames } = columns;
  const reader = createRecordReader(columns, options);
  await lookAhead(readJsonItems(file, ['responses']), ({ value }) =>
    reader.sample(recordOf(value, toNames) ?? new Map()),
  );
  reader.checkWords();
  let count = 0;
  for await (const { index, value } of readJsonItems(file, ['responses'])) {
    count += 1;
    const record = recordOf(value, toNames);
    if (record === undefined) {
      yield { index, id: '', code: 'WRONG_TYPE', detail: 'The response must be an object' };
      continue;
    }
    reader.reportUnknown(record.keys());
    yield reader.read(record, index);
  }
  if (count > 0) return;
  const whole = await readJson(file);
  if (!isObject(whole) || !isArray(whole['responses'])) {
    throw wrongType('', 'The file must be an object with an array of responses');
  }
};

/** Reads the responses in an archive (LSA). */
export const readLimesurveyArchiveResponses: ResponseFileReader = async function* (file, { payload }, options) {
  const { responses } = await openLsa(file, options.warn);
  if (responses === undefined) throw invalidFile('NO_RESPONSES', 'The archive has no responses (.lsr)');
  yield* readLsrResponses(responses, payload, options);
};

function recordOf(
  value: JsonValue,
  toNames: (headings: readonly string[]) => readonly string[],
): ResponseRecord | undefined {
  if (!isObject(value)) return undefined;
  const members = Object.values(value);
  const [only] = members;
  const cells = members.length === 1 && only !== undefined && isObject(only) ? only : value;
  const names = toNames(Object.keys(cells));
  return new Map(Object.values(cells).map((cell, position) => [names[position] ?? '', toCell(cell)]));
}

function toCell(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Column name to cell. */
type ResponseRecord = ReadonlyMap<string, string>;

/** Reads responses of any format, by the names of columns in exports with question codes. */
interface RecordReader {
  /** Warns once about each column that the survey does not have. */
  reportUnknown(names: Iterable<string>): void;
  /** Learns from one of the first responses how cells name options. */
  sample(record: ResponseRecord): void;
  /** Throws `INVALID_IMPORT` if the sampled cells have words of an unknown language. */
  checkWords(): void;
  read(record: ResponseRecord, index: number): FileResponse;
}

/** The column with the time of completion. It is empty for an unfinished response. */
const SUBMITTED = 'submitdate';
/** LimeSurvey's value for times that a survey does not record. */
const NO_TIME = '1980-01-01';
/** Maximum columns with a warning. */
const MAX_REPORTED = 1_000;

/** @param fixed how cells name options, if the format decides it; otherwise `sample` learns it */
function createRecordReader(
  columns: ColumnNames,
  { table, warn }: Pick<ResponseReadOptions, 'table' | 'warn'>,
  fixed?: Wording,
): RecordReader {
  const warnOnce = createWarnOnce(warn);
  const readTime = createTimeReader(table.timeZone, warnOnce);
  const find = createFindOption();
  const wordingSample = createWordingSample(find);
  const wordSample = createWordSample();
  const reported = new Set<string>();

  function* cellsOf(record: ResponseRecord): Generator<readonly [column: AnswerColumn, cell: string, name: string]> {
    for (const [name, cell] of record) {
      for (const column of columns.find(name)) yield [column, cell.trim(), name];
    }
  }

  return {
    reportUnknown(names) {
      for (const name of names) {
        if (name === '' || columns.isKnown(name) || reported.has(name) || reported.size === MAX_REPORTED) continue;
        reported.add(name);
        if (DURATION_COLUMNS.test(name)) {
          const detail = 'Columns with durations are not imported: a survey cannot store them';
          warnOnce('times', { path: '', code: 'NOT_IMPORTED', detail });
        } else warnOnce(name, { path: '', ...unknownColumnWarning(name) });
      }
    },

    sample(record) {
      for (const [column, cell] of cellsOf(record)) {
        if (cell === '') continue;
        wordingSample.look(optionsOfColumn(column), cell);
        wordSample.look(column, cell);
      }
    },

    checkWords: wordSample.check,

    read(record, index) {
      const cellOf = (name: string) => (record.get(name) ?? '').trim();
      const wording = fixed ?? wordingSample.wording('either');
      const { answers, ambiguous, unassigned } = readAnswers(cellsOf(record), { find, wording, noAnswer: NO_ANSWER });
      const { times, unreadTimes } = readTimes(cellOf, readTime);
      const unknown = keepUnknown(record, columns);
      const isUnfinished = record.has(SUBMITTED) && cellOf(SUBMITTED) === '';
      const response = {
        ...{ index, path: '', id: cellOf('id'), answers },
        startedAt: times.get('startdate'),
        completedAt: times.get(SUBMITTED) ?? times.get('datestamp'),
        language: cellOf('startlanguage') || undefined,
        unread: [...unreadTimes, ...ambiguous],
        unassigned: [...unassigned, ...unknown.unassigned],
        metadata: { ...Object.fromEntries(METADATA.map((name) => [name, cellOf(name)])), ...unknown.metadata },
      };
      return toFileResponse(isUnfinished ? { ...response, status: 'in_progress' } : response, warnOnce);
    },
  };
}

/** The times of a response by column, and the cells that are no times. */
function readTimes(cellOf: (name: string) => string, readTime: ReadTime) {
  const times = new Map<string, Date>();
  const unreadTimes: UnusableValue[] = [];
  for (const name of TIME_COLUMNS) {
    const cell = cellOf(name);
    if (cell === '' || cell.startsWith(NO_TIME)) continue;
    const time = readTime(cell);
    if (time !== undefined) times.set(name, time);
    else {
      const detail = `${name} must be a time such as YYYY-MM-DD HH:MM:SS`;
      unreadTimes.push({ kind: 'response', name, code: 'BAD_TIME', detail, value: cell });
    }
  }
  return { times, unreadTimes };
}

/** Keeps the cells of columns that the survey does not have, but no durations. */
function keepUnknown(record: ResponseRecord, { isKnown, isNoAnswer }: ColumnNames) {
  const cells = [...record].filter(([name, cell]) => cell.trim() !== '' && name !== '' && !isKnown(name));
  const isDuration = ([name]: readonly [name: string, cell: string]) => DURATION_COLUMNS.test(name);
  const kept = keepUnknownCells(cells.filter((cell) => !isDuration(cell)));
  const unassigned: readonly UnassignedValue[] = [
    ...kept.unassigned.map((one): UnassignedValue => (isNoAnswer(one.column) ? { ...one, isNoAnswer: true } : one)),
    ...cells.filter(isDuration).map(([name]): UnassignedValue => ({ ...unknownColumn(name), isNoAnswer: true })),
  ];
  return { metadata: kept.metadata, unassigned };
}

const TYPE = 'Responses';

/** Reads the responses (LSR) of an archive. Their cells have answer codes. */
export async function* readLsrResponses(
  file: ImportFile,
  payload: JsonObject,
  options: Pick<ResponseReadOptions, 'table' | 'warn'>,
): AsyncGenerator<FileResponse> {
  const columns = createColumnNames(payload);
  const reader = createRecordReader(columns, options, 'codes');
  let index = 0;
  for await (const record of readRecords(file)) {
    const named = new Map([...record].map(([field, cell]) => [columns.ofField(field), cell] as const));
    reader.reportUnknown([...named].flatMap(([name, cell]) => (cell === '' ? [] : [name])));
    yield reader.read(named, index);
    index += 1;
  }
}

/** Streams the rows of the table of responses. Each is a map from field name to text. */
async function* readRecords(file: ImportFile): AsyncGenerator<ResponseRecord> {
  let records: ResponseRecord[] = [];
  // Rows lack empty fields. If the archive declares `submitdate`, a row without it is an unfinished response.
  const emptyFields = new Map<string, string>();
  const handler = createRowHandler(
    (table, fields) => {
      if (table === 'responses') records.push(new Map([...emptyFields, ...fields]));
    },
    (name) => {
      if (name === SUBMITTED) emptyFields.set(name, '');
    },
  );
  const checkResponses = () => checkType(handler.type(), TYPE, 'The responses of the archive (LSR) cannot be read');
  try {
    for await (const _ of streamXml(file, handler)) {
      if (records.length > 0) checkResponses();
      yield* records;
      records = [];
    }
  } catch (error) {
    // The responses before an unreadable position are complete.
    if (handler.type() === TYPE) yield* records;
    throw error;
  }
  checkResponses();
}
