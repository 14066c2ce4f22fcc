import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import { createFindOption, createWordingSample, type Wording } from '../core/columns/choices.ts';
import { planColumns } from '../core/columns/plan.ts';
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
import { createTimeReader } from '../core/responses/times.ts';
import type { ImportFile } from '../files/import-file.ts';
import { readJson, readJsonItems } from '../files/json.ts';
import { createWarnOnce, invalidImport } from '../files/report.ts';
import { streamXml } from '../files/xml.ts';
import { openTable } from '../tables/open-table.ts';
import type { Row } from '../tables/row.ts';
import { createWordSample, NO_ANSWER, optionsOfColumn, readAnswers } from './answers.ts';
import { DEPTH, openLsa } from './document.ts';
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
  const plan = await planColumns(await openTable(file, options.table, options.warn), LIMESURVEY, survey, options);
  yield* readTable(plan, survey, options, async () => {
    const { names, columns, isVv } = plan.codes;
    const reader = createRecordReader(columns, options, isVv ? 'codes' : undefined);
    // A cell that cannot be read is not empty: an empty `submitdate` is that of an unfinished response.
    const toRecord = (cells: readonly string[], { unread }: Pick<Row, 'unread'> = {}) =>
      new Map(names.flatMap((name, column) => (unread?.has(column) === true ? [] : [[name, cells[column] ?? '']])));
    await sampleCodes(plan, (cells) => reader.sample(toRecord(cells)));
    reader.checkWords();
    for (const name of names) if (!reader.isKnown(name)) reader.reportColumn(name);
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
    for (const name of record.keys()) if (!reader.isKnown(name)) reader.reportColumn(name);
    yield reader.read(record, index);
  }
  if (count > 0) return;
  const whole = await readJson(file);
  if (!isObject(whole) || !isArray(whole['responses'])) {
    throw rejection('WRONG_TYPE', 'The file must be an object with an array of responses');
  }
};

/** Reads the responses in an archive (LSA). */
export const readLimesurveyArchiveResponses: ResponseFileReader = async function* (file, { payload }, options) {
  const { responses } = await openLsa(file, options.warn);
  if (responses === undefined) throw rejection('NO_RESPONSES', 'The archive has no responses (.lsr)');
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

function rejection(code: string, detail: string) {
  return invalidImport([{ path: '', code, detail }]);
}

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
  { find, isKnown, isNoAnswer }: ColumnNames,
  { table, warn }: Pick<ResponseReadOptions, 'table' | 'warn'>,
  fixed?: Wording,
): RecordReader {
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
        sample.look(optionsOfColumn(column), cell);
        words.look(column, cell);
      }
    },

    checkWords: () => words.check(),

    read(record, index) {
      const cellOf = (name: string) => (record.get(name) ?? '').trim();
      const id = cellOf('id');
      const isUnfinished = record.has('submitdate') && cellOf('submitdate') === '';
      const unread: UnusableValue[] = [];
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
      const answered = readAnswers(cellsOf(record), {
        find: findOption,
        wording: fixed ?? sample.wording('either'),
        noAnswer: NO_ANSWER,
      });
      const columns = [...record].filter(([name, cell]) => cell.trim() !== '' && name !== '' && !isKnown(name));
      const durations = columns.filter(([name]) => DURATION_COLUMNS.test(name));
      const kept = keepUnknownCells(columns.filter(([name]) => !DURATION_COLUMNS.test(name)));
      const unassigned: readonly UnassignedValue[] = [
        ...answered.unassigned,
        ...kept.unassigned.map((one): UnassignedValue => (isNoAnswer(one.column) ? { ...one, isNoAnswer: true } : one)),
        ...durations.map(([column]): UnassignedValue => ({ ...unknownColumn(column), isNoAnswer: true })),
      ];
      const response = {
        ...{ index, path: '', id, answers: answered.answers, unassigned, unread: [...unread, ...answered.unread] },
        startedAt: times.get('startdate'),
        completedAt: times.get('submitdate') ?? times.get('datestamp'),
        language: cellOf('startlanguage') || undefined,
        metadata: { ...Object.fromEntries(METADATA.map((name) => [name, cellOf(name)])), ...kept.metadata },
      };
      return toFileResponse(isUnfinished ? { ...response, status: 'in_progress' } : response, warnOnce);
    },
  };

  function* cellsOf(record: ResponseRecord): Generator<readonly [column: AnswerColumn, cell: string, name: string]> {
    for (const [name, cell] of record) {
      for (const column of find(name)) yield [column, cell.trim(), name];
    }
  }
}

const MAX_FIELDS = 20_000;
const TYPE = 'Responses';
const SUBMITTED = 'submitdate';

/** Reads the responses (LSR) of an archive. Their cells have answer codes. */
export async function* readLsrResponses(
  file: ImportFile,
  payload: JsonObject,
  options: Pick<ResponseReadOptions, 'table' | 'warn'>,
): AsyncGenerator<FileResponse> {
  const columns = createColumnNames(payload);
  const { ofField } = columns;
  const reader = createRecordReader(columns, options, 'codes');
  let index = 0;
  for await (const record of readRecords(file)) {
    const named = new Map([...record].map(([field, cell]) => [ofField(field), cell] as const));
    for (const [name, cell] of named) if (cell !== '' && !reader.isKnown(name)) reader.reportColumn(name);
    yield reader.read(named, index);
    index += 1;
  }
}

/** Streams the rows of the table of responses. Each is a map from field name to text. */
async function* readRecords(file: ImportFile): AsyncGenerator<ResponseRecord> {
  const openElements: string[] = [];
  let fields = new Map<string, string>();
  let [text, type] = ['', ''];
  let declaresSubmitDate = false;
  let records: ResponseRecord[] = [];
  const reading = streamXml(file, {
    open(name) {
      openElements.push(name);
      text = '';
      // Rows lack empty fields. If the archive declares `submitdate`, a row without it is an unfinished response.
      if (openElements.length === DEPTH.row) fields = new Map(declaresSubmitDate ? [[SUBMITTED, '']] : []);
    },
    text(piece) {
      if (openElements.length === DEPTH.section || openElements.length >= DEPTH.row) text += piece;
    },
    close(name) {
      if (openElements.length === DEPTH.section && name === 'LimeSurveyDocType') type = text.trim();
      if (name === 'fieldname' && text === SUBMITTED) declaresSubmitDate = true;
      if (openElements.length === DEPTH.field && openElements[1] === 'responses' && fields.size < MAX_FIELDS)
        fields.set(name, text);
      if (openElements.length === DEPTH.row && name === 'row' && openElements[1] === 'responses') records.push(fields);
      openElements.pop();
      text = '';
    },
  });
  try {
    for await (const _ of reading) {
      if (records.length > 0) checkType(type);
      yield* records;
      records = [];
    }
  } catch (error) {
    // The responses before an unreadable position are complete.
    if (type === TYPE) yield* records;
    throw error;
  }
  checkType(type);
}

function checkType(type: string): void {
  if (type === TYPE) return;
  const problem = type === '' ? 'it has no LimeSurveyDocType' : `its LimeSurveyDocType is ${type.slice(0, 50)}`;
  const detail = `The responses of the archive (LSR) cannot be read: ${problem}, not ${TYPE}`;
  throw invalidImport([{ path: '', code: 'WRONG_TYPE', detail }]);
}
