import type { JsonObject } from '@bufbuild/protobuf';
import { type HtmlToText, type Text, textOf } from '../core/texts.ts';
import type { ImportFile } from '../files/import-file.ts';
import { invalidImport, type Warn } from '../files/report.ts';
import { readXml } from '../files/xml.ts';
import { readZip } from '../files/zip.ts';

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
const MAX_FIELDS = 500;

/** Reads the tables of an LSS file. Throws `INVALID_IMPORT` if it is not an LSS. */
export async function readLss(file: ImportFile): Promise<Lss> {
  const tables = new Map<string, LssRow[]>();
  const open: string[] = [];
  let values = new Map<string, string>();
  let text = '';
  let rows = 0;
  const documentTexts = new Map<string, string>();

  await readXml(file, {
    open(name) {
      open.push(name);
      text = '';
      if (open.length === DEPTH.row) values = new Map();
    },
    text(piece) {
      if (open.length === DEPTH.section || open.length === DEPTH.field) text += piece;
    },
    close(name) {
      const table = open[DEPTH.section - 1] ?? '';
      if (open.length === DEPTH.section) documentTexts.set(name, text.trim());
      if (open.length === DEPTH.field && text !== '' && values.size < MAX_FIELDS) values.set(name, text);
      if (open.length === DEPTH.row && name === 'row') {
        rows += 1;
        if (rows > MAX_ROWS) throw rejection('TOO_LARGE', `The file has more than ${MAX_ROWS} rows`);
        add(tables, table, values);
      }
      open.pop();
      text = '';
    },
  });

  const type = documentTexts.get('LimeSurveyDocType');
  if (type !== 'Survey') {
    const problem =
      type === undefined ? 'it has no LimeSurveyDocType' : `its LimeSurveyDocType is ${type.slice(0, 50)}, not Survey`;
    throw rejection('WRONG_TYPE', `The file is not a LimeSurvey survey (LSS): ${problem}`);
  }
  return {
    rows: (table) => tables.get(table) ?? [],
    tables: [...tables.keys()],
  };
}

function add(tables: Map<string, LssRow[]>, table: string, fields: ReadonlyMap<string, string>): void {
  const rows = tables.get(table) ?? [];
  tables.set(table, rows);
  rows.push({ path: `/${table}/rows/${rows.length}`, fields, get: (name) => fields.get(name) ?? '' });
}

export function toObject({ fields }: LssRow): JsonObject {
  return Object.fromEntries(fields);
}

function rejection(code: string, detail: string) {
  return invalidImport([{ path: '', code, detail }]);
}

/** An object of the survey. The file can have a row for each language. */
export interface Entity {
  readonly row: LssRow;
  /** Its other rows, including those of text tables. */
  readonly others: readonly LssRow[];
  text(field: string): Text;
}

export interface LssItem extends Entity {
  readonly code: string;
  /** Database id of a subquestion; undefined if the file does not have it. */
  readonly number: string | undefined;
  readonly relevance: string;
  readonly label: Text;
  /** Attributes of subquestions. */
  readonly attributes: ReadonlyMap<string, string>;
}

export interface LssQuestion extends Entity {
  /** Joins its rows in the file. */
  readonly qid: string;
  /** Database id; undefined if the file does not have it. */
  readonly number: string | undefined;
  readonly gid: string;
  readonly code: string;
  readonly type: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Attributes in other languages that differ. */
  readonly translations: readonly LssRow[];
  /** Subquestions of the first axis, and of the second axis of tables. */
  readonly subquestions: readonly [readonly LssItem[], readonly LssItem[]];
  /** Answers of the first scale, and of the second scale of dual-scale questions. */
  readonly answers: readonly [readonly LssItem[], readonly LssItem[]];
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
  /** Texts of the survey: title, welcome text, and so on. */
  readonly texts: Entity['text'];
}

interface Options {
  /** Languages of the survey, its own language first: code in the file and BCP 47 tag. */
  readonly languages: readonly (readonly [code: string, tag: string])[];
  readonly toText: HtmlToText;
}

/** Joins the tables of both file versions: texts are in the rows themselves (up to version 3) or in separate tables. */
export function joinTables(lss: Lss, { languages, toText }: Options): LssSurvey {
  const entity = (rows: readonly LssRow[], texts: readonly LssRow[]): Entity => {
    const row = rows[0] as LssRow;
    const localised = new Map([...rows, ...texts].map((one) => [one.get('language'), one]));
    const base = localised.get(languages[0]?.[0] ?? '') ?? texts[0] ?? row;
    const mainRow = rows.find((one) => one === base) ?? row;
    return {
      row: mainRow,
      others: [...rows, ...texts].filter((one) => one !== mainRow),
      text: (field) =>
        textOf(
          languages.map(([code, tag], index) => {
            const from = localised.get(code) ?? (index === 0 ? base : undefined);
            return [tag, from === undefined ? '' : toText(from.get(field), `${from.path}/${field}`)];
          }),
        ),
    };
  };
  /** Groups the rows of a table by `key`. Adds the rows of the text table whose `textKey` equals their `rowKey`. */
  const entities = (table: string, key: (row: LssRow) => string, texts: string, textKey: string, rowKey: string) => {
    const localised = Map.groupBy(lss.rows(texts), (row) => row.get(textKey));
    return [...Map.groupBy(lss.rows(table), key).values()].map((rows) =>
      entity(rows, localised.get(rows[0]?.get(rowKey) ?? '') ?? []),
    );
  };
  const byQid = (row: LssRow) => row.get('qid');

  const language = languages[0]?.[0] ?? '';
  const attributes = Map.groupBy(lss.rows('question_attributes'), byQid);
  const subquestions = Map.groupBy(
    entities('subquestions', byQid, 'question_l10ns', 'qid', 'qid').map((item) =>
      toItem(item, 'title', 'question', attributesOf(attributes.get(item.row.get('qid')) ?? [], language)),
    ),
    ({ row }) => `${row.get('parent_qid')} ${row.get('scale_id') || '0'}`,
  );
  const answerKey = (row: LssRow) => ['qid', 'code', 'scale_id'].map((name) => row.get(name)).join(' ');
  const answers = Map.groupBy(
    entities('answers', answerKey, 'answer_l10ns', 'aid', 'aid').map((item) => toItem(item, 'code', 'answer')),
    ({ row }) => `${row.get('qid')} ${row.get('scale_id') || '0'}`,
  );
  const listOf = (items: ReadonlyMap<string, LssItem[]>, qid: string, scale: number, order: string) =>
    inOrder(items.get(`${qid} ${scale}`) ?? [], order);

  const questions = entities('questions', byQid, 'question_l10ns', 'qid', 'qid').map((one): LssQuestion => {
    const { row } = one;
    const qid = row.get('qid');
    const questionAttributes = attributesOf(attributes.get(qid) ?? [], language);
    return {
      ...one,
      qid,
      number: numberOf(row),
      gid: row.get('gid'),
      code: row.get('title') || `Q${qid}`,
      type: row.get('type'),
      attributes: questionAttributes,
      translations: translationsOf(attributes.get(qid) ?? [], language, questionAttributes),
      subquestions: [listOf(subquestions, qid, 0, 'question_order'), listOf(subquestions, qid, 1, 'question_order')],
      answers: [listOf(answers, qid, 0, 'sortorder'), listOf(answers, qid, 1, 'sortorder')],
    };
  });
  const byGroup = Map.groupBy(questions, ({ gid }) => gid);
  const groups = entities('groups', (row) => row.get('gid'), 'group_l10ns', 'gid', 'gid').map((one): LssGroup => {
    const gid = one.row.get('gid');
    const ofGroup = inOrder(byGroup.get(gid) ?? [], 'question_order');
    return { ...one, gid, relevance: one.row.get('grelevance'), questions: ofGroup };
  });

  const settings = lss.rows('surveys')[0];
  const localised = lss.rows('surveys_languagesettings');
  const texts = new Map(localised.map((row) => [row.get('surveyls_language'), row]));
  return {
    settings,
    groups: inOrder(groups, 'group_order'),
    conditions: lss.rows('conditions'),
    texts: (field) =>
      textOf(
        languages.map(([code, tag], index) => {
          const from = texts.get(code) ?? (index === 0 ? localised[0] : undefined);
          return [tag, from === undefined ? '' : toText(from.get(field), `${from.path}/${field}`)];
        }),
      ),
  };
}

function toItem(one: Entity, code: string, label: string, attributes: LssItem['attributes'] = new Map()): LssItem {
  const { row } = one;
  return {
    ...one,
    code: row.get(code),
    number: numberOf(row),
    relevance: row.get('relevance'),
    label: one.text(label),
    attributes,
  };
}

/** The database id of a question: `id` in tab-separated structures, whose readers make up each `qid`. */
function numberOf(row: LssRow): string | undefined {
  const number = row.get('id') || row.get('qid');
  return /^\d{1,20}$/.test(number) ? number : undefined;
}

/** Attributes in the survey's own language win. Attributes without a language apply to all. */
function attributesOf(rows: readonly LssRow[], language: string): ReadonlyMap<string, string> {
  const sorted = rows.toSorted((one, other) => rank(one, language) - rank(other, language));
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
    return rank(row, language) === 0 && value !== '' && value !== chosen.get(row.get('attribute'));
  });
}

/** The priority of an attribute: first the language of the survey, then no language, then other languages. */
function rank(row: LssRow, language: string): number {
  const rowLanguage = row.get('language');
  return rowLanguage === language ? 2 : rowLanguage === '' ? 1 : 0;
}

/** Sorts by a numeric field. Items with equal numbers keep their order. */
function inOrder<Item extends Entity>(items: readonly Item[], field: string): readonly Item[] {
  const orderOf = ({ row }: Item) => Number(row.get(field)) || 0;
  return items.toSorted((one, other) => orderOf(one) - orderOf(other));
}

/**
 * Nesting of elements in files of LimeSurvey: document, section, rows, row, field. A section is a table, or a fact
 * about the file such as `LimeSurveyDocType`.
 */
export const DEPTH = { section: 2, row: 4, field: 5 } as const;

/** A LimeSurvey archive (LSA): a ZIP with a survey and its data. */
interface Lsa {
  /** The survey (LSS). */
  readonly structure: ImportFile;
  /** The responses (LSR); undefined for a survey without any. */
  readonly responses: ImportFile | undefined;
}

const MAX_NAME = 200;

/** Whether a file is a ZIP archive. */
export async function isArchive(file: ImportFile): Promise<boolean> {
  let start: Uint8Array = new Uint8Array();
  for await (const bytes of file.open()) {
    start = Buffer.concat([start, bytes.subarray(0, 2)]);
    if (start.length >= 2) break;
  }
  return start[0] === 0x50 && start[1] === 0x4b;
}

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
  const detail = `The ZIP archive is not one of LimeSurvey (LSA): ${reason}`;
  return invalidImport([{ path: '', code: 'WRONG_TYPE', detail }]);
}
