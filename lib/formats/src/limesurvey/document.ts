import type { JsonObject } from '@bufbuild/protobuf';
import { getOrAdd } from '../core/maps.ts';
import { type HtmlToText, type Text, textOf } from '../core/texts.ts';
import type { ImportFile } from '../files/import-file.ts';
import { invalidFile, type Warn, wrongType } from '../files/report.ts';
import { readXml } from '../files/xml.ts';
import { readZip } from '../files/zip.ts';

/** A row of a table, such as a question, or a text in one language. */
export interface LssRow {
  /** Path in the file, such as `/questions/rows/3`. */
  readonly path: string;
  /** The text of a field; empty if absent. */
  get(name: string): string;
  readonly fields: ReadonlyMap<string, string>;
}

/** A LimeSurvey structure file (LSS): tables of rows. */
export interface Lss {
  rows(table: string): readonly LssRow[];
  /** Names of tables with rows. */
  readonly tables: readonly string[];
}

const MAX_ROWS = 200_000;
/** Maximum fields of a row. */
const MAX_FIELDS = 20_000;

/** Reads the tables of an LSS file. Throws `INVALID_IMPORT` if it is not an LSS. */
export async function readLss(file: ImportFile): Promise<Lss> {
  const { add, lss } = createTables('rows');
  const handler = createRowHandler(add);
  await readXml(file, handler);
  checkType(handler.type(), 'Survey', 'The file is not a LimeSurvey survey (LSS)');
  return lss;
}

/**
 * Collects the rows of tables, without empty fields. Throws `INVALID_IMPORT` if there are too many.
 *
 * @param rowsName the name of the rows in the message
 */
export function createTables(rowsName: string) {
  const tables = new Map<string, LssRow[]>();
  let count = 0;
  return {
    /** @param path path of the row; by default, its position in the table */
    add(table: string, given: Iterable<readonly [name: string, value: string]>, path?: string): void {
      count += 1;
      if (count > MAX_ROWS) throw invalidFile('TOO_LARGE', `The file has more than ${MAX_ROWS} ${rowsName}`);
      const fields = new Map([...given].filter(([, value]) => value !== ''));
      const rows = getOrAdd(tables, table, () => []);
      const get = (name: string) => fields.get(name) ?? '';
      rows.push({ path: path ?? `/${table}/rows/${rows.length}`, fields, get });
    },
    lss: {
      rows: (table: string): readonly LssRow[] => tables.get(table) ?? [],
      get tables() {
        return [...tables.keys()];
      },
    },
  };
}

/**
 * Nesting of elements in files of LimeSurvey: document, section, rows, row, field. A section is a table, or a fact
 * about the file such as `LimeSurveyDocType`.
 */
const DEPTH = { section: 2, row: 4, field: 5 } as const;

/**
 * Creates a handler for the XML files of LimeSurvey, which have tables of rows.
 *
 * @param onRow gets each row
 * @param onFieldName gets the names of fields that a table declares
 */
export function createRowHandler(
  onRow: (table: string, fields: ReadonlyMap<string, string>) => void,
  onFieldName: (name: string) => void = () => {},
) {
  const open: string[] = [];
  let fields = new Map<string, string>();
  let text = '';
  let type = '';
  return {
    open(name: string): void {
      open.push(name);
      text = '';
      if (open.length === DEPTH.row) fields = new Map();
    },
    text(piece: string): void {
      if (open.length === DEPTH.section || open.length >= DEPTH.row) text += piece;
    },
    close(name: string): void {
      if (open.length === DEPTH.section && name === 'LimeSurveyDocType') type = text.trim();
      if (open.length === DEPTH.field && fields.size < MAX_FIELDS) fields.set(name, text);
      if (open.length === DEPTH.row && name === 'fieldname') onFieldName(text);
      if (open.length === DEPTH.row && name === 'row') onRow(open[DEPTH.section - 1] ?? '', fields);
      open.pop();
      text = '';
    },
    /** The type of the document; empty if the file does not say it. */
    type: (): string => type,
  };
}

/** Throws `INVALID_IMPORT`, with the problem, unless a document has the expected type. */
export function checkType(type: string, expected: string, problem: string): void {
  if (type === expected) return;
  const reason =
    type === '' ? 'it has no LimeSurveyDocType' : `its LimeSurveyDocType is ${type.slice(0, 50)}, not ${expected}`;
  throw wrongType('', `${problem}: ${reason}`);
}

export function toObject({ fields }: LssRow): JsonObject {
  return Object.fromEntries(fields);
}

/** An object of the survey. The file can have a row for each language. */
export interface Entity {
  readonly row: LssRow;
  /** Its other rows, including those of text tables. */
  readonly others: readonly LssRow[];
  text(field: string): Text;
}

/** A subquestion or an answer of a question. */
export interface LssItem extends Entity {
  readonly code: string;
  /** Database id of a subquestion, or of the question of an answer; undefined if the file does not have it. */
  readonly number: string | undefined;
  readonly relevance: string;
  readonly label: Text;
  /** Attributes of subquestions. */
  readonly attributes: ReadonlyMap<string, string>;
}

type Scales = readonly [first: readonly LssItem[], second: readonly LssItem[]];

/** A question with its subquestions and answers. LimeSurvey calls options "answers". */
export interface LssQuestion extends Entity {
  /** Id by which the rows of other tables name the question. */
  readonly qid: string;
  /** Database id; undefined if the file does not have it. */
  readonly number: string | undefined;
  readonly gid: string;
  readonly code: string;
  readonly type: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Attributes in other languages, if their values differ from those in `attributes`. */
  readonly translations: readonly LssRow[];
  /** Subquestions of the first axis, and of the second axis of tables. */
  readonly subquestions: Scales;
  /** Answers of the first scale, and of the second scale of dual-scale questions. */
  readonly answers: Scales;
}

export interface LssGroup extends Entity {
  readonly gid: string;
  readonly relevance: string;
  readonly questions: readonly LssQuestion[];
}

export interface LssSurvey {
  readonly settings: LssRow | undefined;
  readonly groups: readonly LssGroup[];
  readonly conditions: readonly LssRow[];
  /** Questions of no group, and subquestions and answers of no question. */
  readonly unplaced: { readonly questions: readonly LssQuestion[]; readonly items: readonly LssItem[] };
  /** Texts of the survey: title, welcome text, and so on. */
  readonly texts: Entity['text'];
}

/** A language: code in the file and BCP 47 tag. */
type Language = readonly [code: string, tag: string];

/** The languages of the survey, its own language first. */
export type Languages = readonly [own: Language, ...others: Language[]];

interface Options {
  readonly languages: Languages;
  readonly toText: HtmlToText;
}

/** Joins the tables of both file versions: texts are in the rows themselves (up to version 3) or in separate tables. */
export function joinTables(lss: Lss, options: Options): LssSurvey {
  const [[language]] = options.languages;
  const attributes = Map.groupBy(lss.rows('question_attributes'), (row) => row.get('qid'));
  const attributesOf = (qid: string) => mainAttributes(attributes.get(qid) ?? [], language);
  const subquestions = Map.groupBy(
    toEntities(lss, options, { table: 'subquestions', texts: 'question_l10ns', id: 'qid' }).map((one) =>
      toItem(one, { code: 'title', label: 'question' }, attributesOf(one.row.get('qid'))),
    ),
    ({ row }) => listKey(row.get('parent_qid'), row.get('scale_id')),
  );
  const answerKey = (row: LssRow) => ['qid', 'code', 'scale_id'].map((name) => row.get(name)).join(' ');
  const answers = Map.groupBy(
    toEntities(lss, options, { table: 'answers', texts: 'answer_l10ns', id: 'aid' }, answerKey).map((one) =>
      toItem(one, { code: 'code', label: 'answer' }),
    ),
    ({ row }) => listKey(row.get('qid'), row.get('scale_id')),
  );
  const scalesOf = (items: ReadonlyMap<string, readonly LssItem[]>, qid: string, order: string): Scales => [
    inOrder(items.get(listKey(qid, '0')) ?? [], order),
    inOrder(items.get(listKey(qid, '1')) ?? [], order),
  ];

  const tables = { table: 'questions', texts: 'question_l10ns', id: 'qid' };
  const questions = toEntities(lss, options, tables).map((one): LssQuestion => {
    const { row } = one;
    const qid = row.get('qid');
    const chosen = attributesOf(qid);
    return {
      ...one,
      qid,
      number: databaseIdOf(row),
      gid: row.get('gid'),
      code: row.get('title') || `Q${qid}`,
      type: row.get('type'),
      attributes: chosen,
      translations: translationsOf(attributes.get(qid) ?? [], language, chosen),
      subquestions: scalesOf(subquestions, qid, 'question_order'),
      answers: scalesOf(answers, qid, 'sortorder'),
    };
  });
  const byGroup = Map.groupBy(questions, ({ gid }) => gid);
  const groups = toEntities(lss, options, { table: 'groups', texts: 'group_l10ns', id: 'gid' }).map((one): LssGroup => {
    const gid = one.row.get('gid');
    const ofGroup = inOrder(byGroup.get(gid) ?? [], 'question_order');
    return { ...one, gid, relevance: one.row.get('grelevance'), questions: ofGroup };
  });

  const groupIds = new Set(groups.map(({ gid }) => gid));
  const questionIds = new Set(questions.map(({ qid }) => qid));
  const isUnplaced = ({ row }: LssItem) => !questionIds.has(row.get('parent_qid') || row.get('qid'));

  const localised = lss.rows('surveys_languagesettings');
  const byLanguage = new Map(localised.map((row) => [row.get('surveyls_language'), row]));
  return {
    settings: lss.rows('surveys')[0],
    groups: inOrder(groups, 'group_order'),
    conditions: lss.rows('conditions'),
    unplaced: {
      questions: questions.filter(({ gid }) => !groupIds.has(gid)),
      items: [...subquestions.values(), ...answers.values()].flat().filter(isUnplaced),
    },
    texts: createTextReader(byLanguage, localised[0], options),
  };
}

/** The key of the subquestions or answers of a question, on one scale. */
function listKey(qid: string, scale: string): string {
  return `${qid} ${scale || '0'}`;
}

/** A table, its table of texts, and the field that joins them. */
interface JoinedTables {
  readonly table: string;
  readonly texts: string;
  readonly id: string;
}

/**
 * Joins the rows of each object of a table, and its rows in the table of texts.
 *
 * @param keyOf the key of the object of a row; by default, its id
 */
function toEntities(
  lss: Lss,
  options: Options,
  { table, texts, id }: JoinedTables,
  keyOf = (row: LssRow) => row.get(id),
): readonly Entity[] {
  const localised = Map.groupBy(lss.rows(texts), (row) => row.get(id));
  return [...Map.groupBy(lss.rows(table), keyOf).values()].map((rows) =>
    toEntity(rows, localised.get(rows[0]?.get(id) ?? '') ?? [], options),
  );
}

function toEntity(rows: readonly LssRow[], texts: readonly LssRow[], options: Options): Entity {
  // A group of rows has at least one.
  const first = rows[0] as LssRow;
  const all = [...rows, ...texts];
  const byLanguage = new Map(all.map((one) => [one.get('language'), one]));
  const base = byLanguage.get(options.languages[0][0]) ?? texts[0] ?? first;
  const row = rows.find((one) => one === base) ?? first;
  return { row, others: all.filter((one) => one !== row), text: createTextReader(byLanguage, base, options) };
}

/** @param base the row for the survey's own language, if no row is in this language */
function createTextReader(
  byLanguage: ReadonlyMap<string, LssRow>,
  base: LssRow | undefined,
  { languages, toText }: Options,
): Entity['text'] {
  return (field) =>
    textOf(
      languages.map(([code, tag], index) => {
        const row = byLanguage.get(code) ?? (index === 0 ? base : undefined);
        return [tag, row === undefined ? '' : toText(row.get(field), `${row.path}/${field}`)];
      }),
    );
}

/** @param fields the fields with the code and the label */
function toItem(
  one: Entity,
  { code, label }: { readonly code: string; readonly label: string },
  attributes: LssItem['attributes'] = new Map(),
): LssItem {
  const { row } = one;
  return {
    ...one,
    code: row.get(code),
    number: databaseIdOf(row),
    relevance: row.get('relevance'),
    label: one.text(label),
    attributes,
  };
}

/** The database id of a question: `id` in tab-separated structures, for which `readTsv` makes up each `qid`. */
function databaseIdOf(row: LssRow): string | undefined {
  const number = row.get('id') || row.get('qid');
  return /^\d{1,20}$/.test(number) ? number : undefined;
}

/** Attributes in the survey's own language win. Attributes without a language apply to all. */
function mainAttributes(rows: readonly LssRow[], language: string): ReadonlyMap<string, string> {
  const sorted = rows.toSorted((one, other) => priorityOf(one, language) - priorityOf(other, language));
  return new Map(
    sorted.filter((row) => row.get('value') !== '').map((row) => [row.get('attribute'), row.get('value')]),
  );
}

function translationsOf(
  rows: readonly LssRow[],
  language: string,
  chosen: ReadonlyMap<string, string>,
): readonly LssRow[] {
  return rows.filter((row) => {
    const value = row.get('value');
    return priorityOf(row, language) === 0 && value !== '' && value !== chosen.get(row.get('attribute'));
  });
}

/** The priority of an attribute. The one with the highest number wins: it is in the language of the survey. */
function priorityOf(row: LssRow, language: string): number {
  const rowLanguage = row.get('language');
  return rowLanguage === language ? 2 : rowLanguage === '' ? 1 : 0;
}

/** Sorts by a numeric field. Items with equal numbers keep their order. */
function inOrder<Item extends Entity>(items: readonly Item[], field: string): readonly Item[] {
  const orderOf = ({ row }: Item) => Number(row.get(field)) || 0;
  return items.toSorted((one, other) => orderOf(one) - orderOf(other));
}

/** A LimeSurvey archive (LSA): a ZIP with a survey and its data. */
interface Lsa {
  /** The survey (LSS). */
  readonly structure: ImportFile;
  /** The responses (LSR); undefined for a survey without any. */
  readonly responses: ImportFile | undefined;
}

const MAX_NAME = 200;

/** Opens an archive. Warns about the files in it that are not imported. Throws `INVALID_IMPORT`. */
export async function openLsa(file: ImportFile, warn: Warn): Promise<Lsa> {
  const archive = await readZip(file);
  const fileOfType = (ending: string): string | undefined => {
    const found = archive.names.filter((name) => name.toLowerCase().endsWith(ending));
    if (found.length > 1) throw reject(`it has ${found.length} files of the type ${ending}`);
    return found[0];
  };
  const [structure, responses] = [fileOfType('.lss'), fileOfType('.lsr')];
  if (structure === undefined) throw reject('it has no survey (.lss)');
  for (const name of archive.names) {
    if (name === structure || name === responses || name.endsWith('/')) continue;
    const detail = `The file ${name.slice(0, MAX_NAME)} of the archive is not imported`;
    warn({ path: '', code: 'NOT_IMPORTED', detail });
  }
  const unpacked = await archive.read(structure);
  if (unpacked === undefined) throw new Error('The archive does not have the file that it lists');
  return { structure: unpacked, responses: responses === undefined ? undefined : archive.stream(responses) };
}

function reject(reason: string): Error {
  return wrongType('', `The ZIP archive is not one of LimeSurvey (LSA): ${reason}`);
}
