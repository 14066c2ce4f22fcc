import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { OTHER_SUFFIX } from '@survey/questionnaire/columns/cell-format';
import { isAbsent, isObject } from '@survey/questionnaire/json';
import { type CodedPlan, planCodes } from '../core/columns/plan-codes.ts';
import { type ReadCodes, readTable } from '../core/columns/read-table.ts';
import { lookAhead } from '../core/look-ahead.ts';
import type { AnsweredSurvey, ResponseFileReader, ResponseReadOptions, Warn } from '../core/reader.ts';
import { readResponseItems, readResponseItemsAt } from '../core/responses/items.ts';
import type { FileResponse } from '../core/responses/response.ts';
import type { ImportFile } from '../files/import-file.ts';
import type { JsonItem } from '../files/json.ts';
import { type NamedTable, openTables } from '../tables/open-table.ts';
import { createSubmissionReader, type SubmissionReader } from './answers.ts';
import { createSubmissionColumns, XLSFORM, type XlsformHeader } from './headers.ts';
import { openRepeatSheets, type RepeatSheets } from './repeat-sheets.ts';
import {
  isReference,
  isRepeatColumn,
  isRepeatTable,
  openRepeatTables,
  type RepeatTables,
  readSubmissionKeys,
  takeRepeats,
} from './repeats.ts';

/** The value of Kobo for a question that was not shown. */
const NOT_ANSWERED = 'n/a';

/** Paths of submission lists: alone, in Kobo's API, in a Kobo asset, in the OData service of ODK Central. */
const LOCATIONS: readonly (readonly string[])[] = [[], ['results'], ['submissions'], ['value']];
const MAX_DEPTH = 32;
/** Members that Kobo adds. `__system` is a group of ODK. */
const KOBO_MEMBER = /^_[^_]/;

/** Reads JSON submissions of Kobo and ODK Central. */
export const readXlsformJsonResponses: ResponseFileReader = async function* (file, { payload }, options) {
  const read = createItemReader(payload, options);
  for await (const item of readResponseItemsAt(file, LOCATIONS, 'an array of submissions', options.warn)) {
    yield read(item);
  }
};

/** Reads the submissions in a Kobo asset. */
export async function* readSubmissionItems(
  file: ImportFile,
  payload: JsonObject,
  options: Pick<ResponseReadOptions, 'table' | 'warn'>,
): AsyncGenerator<FileResponse> {
  const read = createItemReader(payload, options);
  for await (const item of readResponseItems(file, ['submissions'], options.warn)) yield read(item);
}

function createItemReader(payload: JsonObject, options: Pick<ResponseReadOptions, 'table' | 'warn'>) {
  const read = createSubmissionReader(createSubmissionColumns(payload), options);
  return ({ index, path, value }: JsonItem): FileResponse => {
    if (!isObject(value)) return { index, id: '', code: 'WRONG_TYPE', detail: 'The submission must be an object' };
    const cells = new Map<string, JsonValue>();
    flatten(value, '', cells, 0);
    return read({ index, cells, path, location: '' });
  };
}

/** Flattens groups to `group/name`: OData has nested objects, Kobo writes the path. */
function flatten(object: JsonObject, base: string, cells: Map<string, JsonValue>, depth: number): void {
  for (const [name, value] of Object.entries(object)) {
    if (isAbsent(value)) continue;
    const location = base === '' ? name : `${base}/${name}`;
    const isGroup = isObject(value) && !KOBO_MEMBER.test(name) && !('coordinates' in value) && depth < MAX_DEPTH;
    if (isGroup) flatten(value, location, cells, depth + 1);
    else cells.set(location, value);
  }
}

/**
 * Reads a table of submissions of ODK Central, or of Kobo with names or labels as headings and any group separator.
 * Other sheets of a workbook can have rows of repeats.
 */
export const readXlsformTableResponses: ResponseFileReader = async function* (file, survey, options) {
  const { warn } = options;
  const opened = await openTables(file, options.table, warn);
  const plan = await planCodes(opened, XLSFORM, survey, options);
  const read = createSubmissionReader(plan.codedHeader.columns, options);
  const keyed: NamedTable[] = [];
  const numbered: NamedTable[] = [];
  for (const other of opened.others) ((await isRepeatTable(other)) ? keyed : numbered).push(other);
  const koboRepeats = await openRepeatSheets(numbered, read.toRepeatName, warn);
  let odkRepeats: RepeatTables | undefined;
  try {
    const keys = keyed.length === 0 ? undefined : await readSubmissionKeys(plan.body(), positionOf('KEY', plan));
    odkRepeats = await openRepeatTables(keyed, { keys, toRepeatName: read.toRepeatName, warn });
    const repeats = { koboRepeats, odkRepeats };
    const answered = (await hasMarks(plan, survey)) ? withoutMarks(plan, warn) : plan;
    yield* readTable(answered, survey, options, async () => createReader(plan, read, repeats, warn));
    koboRepeats.end();
    await odkRepeats.end();
  } finally {
    await koboRepeats.close();
    await odkRepeats?.close();
  }
};

type XlsformPlan = CodedPlan<XlsformHeader>;

interface Repeats {
  /** Repeats by the index of the submission. */
  readonly koboRepeats: RepeatSheets;
  /** Repeats by the key of the submission. */
  readonly odkRepeats: RepeatTables;
}

/** Position of a heading, also of one that the option `columns` names; -1 if there is none. */
function positionOf(name: string, { columns }: XlsformPlan): number {
  return columns.findIndex(({ heading }) => heading === name);
}

function createReader(
  plan: XlsformPlan,
  read: SubmissionReader,
  { koboRepeats, odkRepeats }: Repeats,
  warn: Warn,
): ReadCodes {
  const { names, columns } = plan.codedHeader;
  const hasRepeats = names.some(isRepeatColumn);
  const [indexAt, keyAt] = [positionOf('_index', plan), positionOf('KEY', plan)];
  const [reference] = odkRepeats.isUsed ? [] : names.filter((name) => isReference(name, columns));
  if (reference !== undefined) {
    const detail = `The column ${reference} is not imported: it names rows of another table, which the file does not have`;
    warn({ path: '', code: 'NOT_IMPORTED', detail });
  }
  return async ({ index, row: { number, cells: all }, cells }) => {
    const ownIndex = all[indexAt] ?? '';
    const repeatRows = {
      ...(await koboRepeats.take(ownIndex.trim() === '' ? index + 1 : Number(ownIndex))),
      ...(await odkRepeats.take((all[keyAt] ?? '').trim())),
    };
    const given = cells.flatMap((cell, column): readonly (readonly [string, JsonValue])[] => {
      const name = names[column] ?? '';
      return cell.trim() === '' || name === '' || isReference(name, columns) ? [] : [[name, cell]];
    });
    const byName = new Map(given);
    const { rest, repeats } = hasRepeats ? takeRepeats(byName, read.toRepeatName) : { rest: byName, repeats: {} };
    const submission = { index, cells: rest, repeats: { ...repeatRows, ...repeats } };
    return read({ ...submission, path: '', location: `row ${number}` });
  };
}

/**
 * Whether `n/a` marks questions that were not shown. This is so if it occurs in a column where it cannot be an answer.
 * Otherwise, respondents wrote it.
 */
async function hasMarks(plan: XlsformPlan, { definition }: AnsweredSurvey): Promise<boolean> {
  const { names, columns } = plan.codedHeader;
  const typeOf = new Map(definition.questions.map(({ id, type }) => [id, type]));
  const givenTexts = [
    ...plan.header.answerColumns.filter(({ target: { name, column } }) => {
      const type = typeOf.get(column.question_id);
      return name.endsWith(OTHER_SUFFIX) || type === 'text' || type === 'textarea';
    }),
    ...plan.header.metadata,
  ].map(({ column }) => column.position);
  const canBeAnswer = plan.columns.map(({ position, foundBy }) => {
    const name = names[position] ?? '';
    if (foundBy === 'option') return givenTexts.includes(position);
    return columns.targetNameOf(name) === undefined || columns.takesText(name, NOT_ANSWERED);
  });
  let found = false;
  await lookAhead(plan.body(), ({ cells }) => {
    found ||= cells.some((cell, at) => cell === NOT_ANSWERED && canBeAnswer[at] === false);
  });
  return found;
}

/** Empties the cells that mark questions that were not shown. */
function withoutMarks(plan: XlsformPlan, warn: Warn): XlsformPlan {
  const detail = `The value ${NOT_ANSWERED} means "not answered" and is not imported`;
  warn({ path: '', code: 'NOT_IMPORTED', detail });
  return {
    ...plan,
    async *body() {
      for await (const row of plan.body()) {
        yield { ...row, cells: row.cells.map((cell) => (cell === NOT_ANSWERED ? '' : cell)) };
      }
    },
  };
}
