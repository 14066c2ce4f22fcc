import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { parseObject } from '@survey/runtime/json/parse-json';
import type { WordedOption } from '../core/columns/choices.ts';
import { type CodedColumn, nameOfTarget } from '../core/columns/coded-answers.ts';
import { toLooseKey } from '../core/columns/headings.ts';
import type { CodedHeader } from '../core/columns/plan.ts';
import type { CodedTable } from '../core/columns/plan-codes.ts';
import { addToSet, getOrAdd } from '../core/maps.ts';
import { answeredQuestions, objectsOf } from '../core/source-questions.ts';
import { textsOf } from '../core/texts.ts';
import { duplicateNames, headerProblem, readNames } from '../tables/header.ts';
import type { Row } from '../tables/row.ts';
import { scalarText } from './document.ts';

/**
 * The header of an export of responses. The first row has names, the second one texts, the third one import ids:
 *
 * | StartDate | Q1 | Q4_2 |
 * |---|---|---|
 * | Start Date | How was it? | Rate these - Food |
 * | {"ImportId":"startDate"} | {"ImportId":"QID1"} | {"ImportId":"QID4_2"} |
 *
 * Here `Q4` is the tag of question QID4, and 2 is the key of a row. Older files lack the import ids, or also the texts.
 * A column about the response itself, such as `StartDate`, is called a meta column.
 */
export interface QualtricsHeader extends CodedHeader {
  /** The questions by their id in Qualtrics. */
  readonly index: Index;
  /** The header as in the file, without the columns that the option `columns` names. */
  readonly exported: ExportHeader;
  /** Columns of questions by position. */
  readonly columns: readonly (AnswerColumn | undefined)[];
  /** Names of the columns that are neither of a question nor about the response, by position. */
  readonly unknown: ReadonlyMap<number, string>;
}

/** Targets of meta columns. Those that are not listed here are kept in the metadata of the response. */
const TARGETS: Partial<Readonly<Record<MetaName, string>>> = {
  id: 'id',
  startedAt: 'started_at',
  endedAt: 'submitted_at',
  recordedAt: 'submitted_at',
  finished: 'status',
  language: 'language',
};
/** Row of the import ids. */
const ID_ROW = 3;

/** Tables of responses of Qualtrics: one to three header rows, then values or labels. */
export const QUALTRICS: CodedTable<QualtricsHeader> = {
  maxHeaderRows: ID_ROW,
  advice: 'import the survey from Qualtrics first',
  createHeaderReader(payload) {
    const index = indexQuestions(payload);
    return (start, given) => readQualtricsHeader(start, given, index);
  },
};

/** Reads the header of an export of responses, and finds the question of each column. */
function readQualtricsHeader(start: readonly Row[], given: ReadonlySet<number>, index: Index): QualtricsHeader {
  const whole = readExportHeader(start);
  const finder = createColumnFinder(index);
  // Qualtrics writes its own columns with capitals, such as `Status`. A question can be called `status`.
  const isQuestion = (position: number) => {
    const name = whole.names[position] ?? '';
    return whole.importIds[position] === undefined && /^[a-z]/.test(name) && finder.sharing(name).length > 0;
  };
  const ownMeta = new Map([...whole.meta].filter(([, position]) => !isQuestion(position)));
  const exported = withoutColumns({ ...whole, meta: ownMeta }, given);
  const { names, importIds, texts, meta } = exported;
  const metaPositions = new Set(meta.values());
  // Questions can share a column name. Each `find` of it returns the next of them, so check the names before.
  const problem = problemOfNames(exported, metaPositions, finder.sharing);
  const columns = names.map((name, position) =>
    metaPositions.has(position) ? undefined : finder.find(importIds[position], name, texts[position] ?? ''),
  );
  const targets = new Map<number, string>();
  for (const [name, position] of meta) targets.set(position, TARGETS[name] ?? `metadata.${name}`);
  for (const [position, column] of columns.entries()) {
    if (column !== undefined) targets.set(position, nameOfTarget(column));
  }
  const isUnknown = (name: string, position: number) =>
    name !== '' && columns[position] === undefined && !metaPositions.has(position);
  const ids = importIds.map((id, position) => (metaPositions.has(position) ? '' : (id ?? '')));
  return {
    index,
    exported,
    columns,
    unknown: new Map(names.flatMap((name, position) => (isUnknown(name, position) ? [[position, name]] : []))),
    row: 1,
    headerRows: exported.rows,
    names,
    targets,
    kinds: new Map(TIMES.flatMap((name) => toKind(meta.get(name)))),
    problems: problem === undefined ? duplicateNames(ids, ID_ROW) : [headerProblem(problem)],
    hasQuestion: columns.some((column) => column !== undefined),
  };
}

function withoutColumns(header: ExportHeader, ignored: ReadonlySet<number>): ExportHeader {
  if (ignored.size === 0) return header;
  return {
    ...header,
    names: header.names.map((name, position) => (ignored.has(position) ? '' : name)),
    importIds: header.importIds.map((id, position) => (ignored.has(position) ? undefined : id)),
    meta: new Map([...header.meta].filter(([, position]) => !ignored.has(position))),
  };
}

function toKind(position: number | undefined): readonly (readonly [number, 'timestamp'])[] {
  return position === undefined ? [] : [[position, 'timestamp']];
}

/** Describes the first duplicate or ambiguous name of columns without an import id; undefined if there is none. */
function problemOfNames(
  { names, importIds }: ExportHeader,
  metaPositions: ReadonlySet<number>,
  sharing: (name: string) => readonly string[],
): string | undefined {
  const namesWithoutId = names.filter(
    (name, position) => name !== '' && !metaPositions.has(position) && importIds[position] === undefined,
  );
  for (const [name, { length }] of Map.groupBy(namesWithoutId, (one) => one)) {
    const questions = sharing(name);
    if (questions.length === 0 || questions.length === length) continue;
    if (length > questions.length) return `row 1, column ${name}: the column is duplicate`;
    const detail = `the column can be of ${questions.join(' or ')}; export with the row of import ids`;
    return `row 1, column ${name}: ${detail}`;
  }
  return undefined;
}

export type MetaName = keyof typeof META_NAMES;

export interface ExportHeader {
  /** Names in the first row. */
  readonly names: readonly string[];
  /** Import ids such as `QID4_1`, if the file has them. */
  readonly importIds: readonly (string | undefined)[];
  /** Texts of the columns, if the second row has them. */
  readonly texts: readonly string[];
  /** Positions of the meta columns. */
  readonly meta: ReadonlyMap<MetaName, number>;
  readonly timeZone: string | undefined;
  /** Number of header rows. */
  readonly rows: number;
  /** The meta columns are named V1, V2, and so on, as in old files. */
  readonly hasOldNames: boolean;
}

/** Names of meta columns in headers, in lower case without punctuation. */
const META_NAMES = {
  id: ['recordid', 'responseid'],
  startedAt: ['startdate'],
  endedAt: ['enddate'],
  recordedAt: ['recordeddate'],
  finished: ['finished'],
  status: ['status'],
  language: ['userlanguage'],
  ip_address: ['ipaddress'],
  progress: ['progress'],
  duration: ['duration', 'durationinseconds'],
  distribution_channel: ['distributionchannel'],
  response_set: ['responsesetid', 'responseset'],
  recipient_name: ['name'],
  recipient_last_name: ['recipientlastname', 'panelrecipientlastname'],
  recipient_first_name: ['recipientfirstname', 'panelrecipientfirstname'],
  recipient_email: ['recipientemail', 'panelrecipientemail', 'emailaddress'],
  external_reference: ['externaldatareference', 'externalreference', 'panelexternaldatareference'],
  latitude: ['locationlatitude', 'locationlocationlatitude'],
  longitude: ['locationlongitude', 'locationlocationlongitude'],
  location_accuracy: ['locationaccuracy', 'locationlocationaccuracy'],
} as const;

const metaOf = new Map(
  (Object.keys(META_NAMES) as MetaName[]).flatMap((meta) =>
    META_NAMES[meta].map((name) => [name as string, meta] as const),
  ),
);

const QUESTION_ID = /^QID\d/;

/** Columns with times of the response. */
export const TIMES = ['startedAt', 'endedAt', 'recordedAt'] as const;

function readExportHeader([first, second, third]: readonly Row[]): ExportHeader {
  const names = readNames(first);
  const ids = (third?.cells ?? []).map(readImportId);
  const hasIds = ids.some((id) => id !== undefined);
  // In files with the old names V1, V2, …, the second row describes the columns.
  const isOld = names.some((name) => /^V\d+$/.test(name));
  const meta = new Map<MetaName, number>();
  for (const [index, name] of names.entries()) {
    const id = hasIds ? ids[index]?.importId : undefined;
    const old = isOld && /^V\d+$/.test(name) ? second?.cells[index] : undefined;
    // A column whose id names a question is that question's, also if people called it `Name`.
    const isQuestion = id !== undefined && QUESTION_ID.test(id);
    const found =
      metaOf.get(toPlainName(id ?? old ?? name)) ??
      (id === undefined || isQuestion ? undefined : metaOf.get(toPlainName(name)));
    if (found !== undefined && !meta.has(found)) meta.set(found, index);
  }
  const hasTexts = hasIds || isOld || isTextRow(second, meta);
  return {
    names,
    texts: hasTexts ? (second?.cells ?? []) : [],
    importIds: names.map((_, index) => (hasIds ? ids[index]?.importId : undefined)),
    meta,
    timeZone: ids.find((id) => id?.timeZone !== undefined)?.timeZone,
    rows: hasIds ? 3 : hasTexts ? 2 : 1,
    hasOldNames: isOld,
  };
}

/** Parses `{"ImportId":"QID1"}`, or `{'ImportId': 'QID1-1'}` of older files. */
function readImportId(cell: string): { readonly importId: string; readonly timeZone: string | undefined } | undefined {
  const text = cell.trim();
  if (!text.startsWith('{') || !text.includes('ImportId')) return undefined;
  const old = /^\{'ImportId':\s*'(.*)'\}$/.exec(text)?.[1];
  if (old !== undefined) return { importId: old.replaceAll('-', '_'), timeZone: undefined };
  // Invalid JSON is not an import id; the column is then found by name.
  const value = parseObject(text) ?? {};
  const { ImportId: importId, timeZone } = value;
  if (typeof importId !== 'string') return undefined;
  return { importId: importId.replaceAll('-', '_'), timeZone: typeof timeZone === 'string' ? timeZone : undefined };
}

/** Whether a row has question texts. If so, its cells in the columns with times are texts without digits. */
function isTextRow(row: Row | undefined, meta: ReadonlyMap<MetaName, number>): boolean {
  const cells = TIMES.map((name) => row?.cells[meta.get(name) ?? -1] ?? '').filter((cell) => cell.trim() !== '');
  return cells.length > 0 && !cells.some((cell) => /\d/.test(cell));
}

function toPlainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** A column of an export. A `value` can be several answers separated by commas, `other` the text of any option. */
export type AnswerColumn = CodedColumn<IndexedQuestion, IndexedOption>;

type Index = ReadonlyMap<string, IndexedQuestion>;

interface ColumnFinder {
  /**
   * Finds the column of an import id, or else of a name; undefined if no question has it. Questions can share a name:
   * each lookup of such a name returns the column of the next question.
   *
   * @param text text of the column in the second row. Names can number the rows of a table by position in place of the
   *   key. Then the text decides the row.
   */
  find(importId: string | undefined, name: string, text: string): AnswerColumn | undefined;
  /** Ids of the questions that share a name. Call it before the first lookup. */
  sharing(name: string): readonly string[];
}

function createColumnFinder(index: Index): ColumnFinder {
  const { byId, byName, byOtherName } = indexColumns(index);
  const rowsByQuestion = new Map<IndexedQuestion, RowsByText>();
  return {
    find(importId, name, text) {
      if (importId !== undefined) return byId.get(importId);
      const found = takeNext(byName.get(name)) ?? takeNext(byOtherName.get(name));
      if (found?.kind !== 'row' && found?.kind !== 'cell') return found;
      const { question } = found;
      const rows = getOrAdd(rowsByQuestion, question, () => indexRows(question));
      const row = rowIn(text, rows);
      return row === undefined ? found : { ...found, row };
    },
    sharing: (name) => (byName.get(name) ?? byOtherName.get(name) ?? []).map(({ question }) => question.id),
  };
}

/** The columns of all questions by import id and name. Other names have codes or tags of options in place of keys. */
function indexColumns(index: Index) {
  const byId = new Map<string, AnswerColumn>();
  const byName = new Map<string, AnswerColumn[]>();
  const byOtherName = new Map<string, AnswerColumn[]>();
  const add = (columns: Map<string, AnswerColumn[]>, name: string, column: AnswerColumn) => {
    const same = getOrAdd(columns, name, () => []);
    if (!same.some(({ question }) => question === column.question)) same.push(column);
  };
  for (const question of index.values()) {
    for (const [suffix, column] of columnsOf(question, (option) => [`_${option.key}`])) {
      const id = `${question.sourceId}${suffix}`;
      if (!byId.has(id)) byId.set(id, column);
      add(byName, `${question.tag}${suffix}`, column);
    }
    const asExported = columnsOf(question, ({ tag, code }) => (tag === undefined ? [`_${code}`] : [`_${tag}`, tag]));
    for (const [suffix, column] of asExported) add(byOtherName, `${question.tag}${suffix}`, column);
    for (const row of question.rows) {
      if (row.tag === undefined) continue;
      add(byOtherName, row.tag, { kind: 'row', question, row });
      const entry = index.get(`${question.sourceId}_${row.key}_TEXT`);
      if (entry === undefined) continue;
      for (const name of [`${question.tag}_${row.tag}_TEXT`, `${question.tag}${row.tag}_TEXT`]) {
        add(byOtherName, name, { kind: 'value', question: entry });
      }
    }
  }
  return { byId, byName, byOtherName };
}

/** The rows of a question by text. Several rows can share one. */
type RowsByText = ReadonlyMap<string, ReadonlySet<IndexedOption>>;

function indexRows({ rows }: IndexedQuestion): RowsByText {
  const byText = new Map<string, Set<IndexedOption>>();
  for (const row of rows) for (const text of row.texts) addToSet(byText, toLooseKey(text), row);
  byText.delete('');
  return byText;
}

/** Maximum parts of the text of a column. Titles and rows can contain the separator. */
const MAX_PARTS = 12;

/** Finds the row that the text of a column, such as `Title - Row`, names; undefined if there are several. */
function rowIn(text: string, rows: RowsByText): IndexedOption | undefined {
  const parts = text.split(' - ').slice(-MAX_PARTS);
  const keys = parts.flatMap((_, start) =>
    parts.slice(start).map((__, count) => toLooseKey(parts.slice(start, start + count + 1).join(' - '))),
  );
  const [row, ...others] = new Set(keys.flatMap((key) => [...(rows.get(key) ?? [])]));
  return others.length === 0 ? row : undefined;
}

/** Removes and returns the first column of a list. The last column stays in the list. */
function takeNext(columns: AnswerColumn[] | undefined): AnswerColumn | undefined {
  return columns !== undefined && columns.length > 1 ? columns.shift() : columns?.[0];
}

/**
 * The columns of a question by the suffix of their names: `_2` → option 2 or row 2, `_2_1` → row 2 with column 1.
 *
 * @param suffixesOf the suffixes of an option or row
 */
function columnsOf(
  question: IndexedQuestion,
  suffixesOf: (option: IndexedOption) => readonly string[],
): readonly (readonly [suffix: string, column: AnswerColumn])[] {
  const { type, multiple, options, rows, columns } = question;
  const value: AnswerColumn = { kind: 'value', question };
  switch (type) {
    case 'multiple_choice':
      return [
        ['', value],
        ...options.flatMap((option) =>
          suffixesOf(option).map((suffix) => [suffix, { kind: 'option', question, option }] as const),
        ),
      ];
    case 'single_choice':
      return [
        ['', value],
        ['_TEXT', { kind: 'other', question }],
      ];
    case 'likert':
    case 'matrix':
      return rows.flatMap((row) =>
        suffixesOf(row).flatMap((suffix): (readonly [string, AnswerColumn])[] =>
          multiple
            ? columns.flatMap((column) =>
                [`_${column.key}`, `_${column.code}`].map(
                  (end) => [`${suffix}${end}`, { kind: 'cell', question, row, column }] as const,
                ),
              )
            : [[suffix, { kind: 'row', question, row }]],
        ),
      );
    case 'file_upload':
      return [];
    default:
      return [
        ['', value],
        ['_TEXT', value],
      ];
  }
}

/** An option, row or column. Its code is its value in exports of values. */
export interface IndexedOption extends WordedOption {
  /** Its number in Qualtrics logic and exports. */
  readonly key: string;
  /** Export name of a row, if it has one. */
  readonly tag: string | undefined;
}

/** A converted question with its names and codes in Qualtrics. */
export interface IndexedQuestion {
  readonly id: string;
  readonly type: string;
  /** Id in Qualtrics, such as `QID1` or `QID1_2`. */
  readonly sourceId: string;
  /** Column name in exports. */
  readonly tag: string;
  readonly multiple: boolean;
  /** Whether it is a text question with a numeric format. */
  readonly isNumeric: boolean;
  readonly dateFormat: string | undefined;
  readonly options: readonly IndexedOption[];
  readonly rows: readonly IndexedOption[];
  readonly columns: readonly IndexedOption[];
}

/** The questions of a payload by `source_id`. Unlike `id`, it stays the same with `preserve_ids: false`. */
export function indexQuestions(payload: JsonObject): ReadonlyMap<string, IndexedQuestion> {
  const index = new Map<string, IndexedQuestion>();
  for (const { id, type, question, sourceData: data } of answeredQuestions(payload)) {
    const sourceId = scalarText(data['source_id']);
    if (sourceId === undefined || index.has(sourceId)) continue;
    index.set(sourceId, {
      id,
      sourceId,
      type,
      tag: scalarText(data['export_tag']) ?? sourceId,
      multiple: question['multiple'] === true,
      isNumeric: question['format'] === 'number' || question['format'] === 'integer',
      dateFormat: scalarText(data['date_format']),
      options: optionsOf(question['options']),
      rows: optionsOf(question['rows']),
      columns: optionsOf(question['columns']),
    });
  }
  return index;
}

function optionsOf(list: JsonValue | undefined): readonly IndexedOption[] {
  return objectsOf(list).flatMap((option) => {
    const data = isObject(option['source_data']) ? option['source_data'] : {};
    const [id, key] = [scalarText(option['id']), scalarText(data['source_id'])];
    if (id === undefined || key === undefined) return [];
    const texts = [...textsOf(option['text']), scalarText(data['variable']) ?? ''].filter((text) => text !== '');
    return [{ id, key, code: scalarText(data['recode']) ?? key, tag: scalarText(data['export_tag']), texts }];
  });
}
