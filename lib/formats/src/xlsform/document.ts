import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isLanguageTag } from '@survey/questionnaire/definition/language-tag';
import { isAbsent, isObject } from '@survey/questionnaire/json';
import { once } from '@survey/questionnaire/once';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { addToList, getOrAdd } from '../core/maps.ts';
import type { ImportFile } from '../files/import-file.ts';
import { readJson } from '../files/json.ts';
import { invalidFile, type WarnOnce } from '../files/report.ts';
import type { Table } from '../tables/open-table.ts';
import type { Row } from '../tables/row.ts';
import { readXlsx } from '../tables/workbook.ts';

/** A row of a form, without empty cells. */
export interface FormRow {
  /** JSON pointer, or `@sheet/row`, which `withSheetLocation` converts to a phrase. */
  readonly path: string;
  readonly cells: ReadonlyMap<string, string>;
  /** Texts by column and language. */
  readonly texts: ReadonlyMap<string, readonly (readonly [language: string, text: string])[]>;
}

/** A form: the questions and groups (`survey`), the lists of choices, and the settings. */
export interface Form {
  readonly survey: readonly FormRow[];
  readonly choices: readonly FormRow[];
  /** The only row of its sheet; empty if the form has no settings. */
  readonly settings: FormRow;
  /** Names of sheets that are not imported, for a warning. */
  readonly others: readonly string[];
}

const SHEETS = ['survey', 'choices', 'settings'];
/** Sheets without a warning: they have nothing that a survey could have. */
const IGNORED = new Set(['types', 'introduction', 'entities']);
const EMPTY_ROW: FormRow = { path: '', cells: new Map(), texts: new Map() };

/** Converts a path in a sheet to "sheet, row, column" in the detail. */
export function withSheetLocation(problem: FieldProblem): FieldProblem {
  const [, sheet, row, column] = /^@([^/]*)(?:\/(\d+))?(?:\/(.*))?$/s.exec(problem.path) ?? [];
  if (sheet === undefined) return problem;
  const location = [`sheet ${sheet}`, row && `row ${row}`, column && `column ${column}`].filter(Boolean).join(', ');
  return { ...problem, path: '', detail: `${location}: ${problem.detail}` };
}

export async function readXlsxForm(file: ImportFile): Promise<Form> {
  const sheets = await readXlsx(file, (name) => SHEETS.includes(toSheetName(name)));
  return toForm(new Map(sheets.map(({ name, rows }) => [toSheetName(name), [rows]])));
}

/**
 * Reads all sheets from one CSV. The first column has the name of the sheet: once above its rows, or in each row. A
 * sheet can have several blocks of rows, each with a header.
 */
export async function readCsvForm(table: Table): Promise<Form> {
  const sheets = new Map<string, Row[][]>();
  let current = '';
  for await (const { number, cells } of table.rows()) {
    const [name = '', ...rest] = cells;
    const sheet = toSheetName(name);
    const isFilled = rest.some((cell) => cell.trim() !== '');
    if (sheet !== '' && (sheet !== current || !isFilled)) {
      addToList(sheets, sheet, []);
      current = sheet;
    }
    if (isFilled) sheets.get(current)?.at(-1)?.push({ number, cells: rest });
  }
  return toForm(sheets, ` (${table.description})`);
}

/** Reads a Kobo asset, `{content: {survey, choices, settings}, submissions?}`, which has rows as objects. */
export async function readJsonForm(file: ImportFile): Promise<Form & { readonly hasSubmissions: boolean }> {
  const root = await readJson(file, { without: ['submissions'] });
  const content = isObject(root) ? root['content'] : undefined;
  if (!isObject(root) || !isObject(content) || !Array.isArray(content['survey'])) {
    throw noSurveyError('The file must be a Kobo asset with content');
  }
  const translations = Array.isArray(content['translations']) ? content['translations'] : [];
  const rowsOf = (name: string) => {
    const rows = content[name];
    return (Array.isArray(rows) ? rows : []).flatMap((row, index) =>
      isObject(row) ? [fromJsonRow(row, `/content/${name}/${index}`, translations)] : [],
    );
  };
  const { settings } = content;
  return {
    survey: rowsOf('survey'),
    choices: rowsOf('choices'),
    settings: isObject(settings)
      ? fromJsonRow(settings, '/content/settings', [])
      : (rowsOf('settings')[0] ?? EMPTY_ROW),
    others: [],
    hasSubmissions: Array.isArray(root['submissions']),
  };
}

/**
 * @param sheets the blocks of rows of each sheet, with a header each
 * @param description the way in which the file is read, for messages
 */
function toForm(sheets: ReadonlyMap<string, readonly (readonly Row[])[]>, description = ''): Form {
  if (!sheets.has('survey')) throw noSurveyError(`The file has no sheet named survey${description}`);
  const rowsOf = (name: string) => (sheets.get(name) ?? []).flatMap((block) => fromRows(name, block));
  return {
    survey: rowsOf('survey'),
    choices: rowsOf('choices'),
    settings: rowsOf('settings')[0] ?? EMPTY_ROW,
    others: [...sheets.keys()].filter((name) => !SHEETS.includes(name) && !IGNORED.has(name)),
  };
}

function fromRows(sheet: string, [header, ...rows]: readonly Row[]): readonly FormRow[] {
  if (header === undefined) return [];
  const columns = header.cells.map((cell) => (cell.trim() === '' ? undefined : toColumn(cell)));
  return rows.map(({ number, cells }) =>
    toRow(
      `@${sheet}/${number}`,
      // Rows can have far fewer cells than the header.
      cells.flatMap((cell, index): readonly (readonly [Column, string])[] => {
        const column = columns[index];
        return column === undefined ? [] : [[column, cell]];
      }),
    ),
  );
}

/** Members with names that Kobo generates for unnamed rows and choices. */
const GENERATED_NAME_MEMBERS = ['$autoname', '$autovalue'];

function fromJsonRow(row: JsonObject, path: string, translations: readonly JsonValue[]): FormRow {
  const generatedNameMember = GENERATED_NAME_MEMBERS.find((name) => Object.hasOwn(row, name));
  const name = isAbsent(row['name']) || row['name'] === '' ? row[generatedNameMember ?? ''] : row['name'];
  return toRow(
    path,
    Object.entries({ ...row, ...(isAbsent(name) ? {} : { name }) }).flatMap(
      ([name, value]): readonly (readonly [Column, string])[] => {
        const column = toColumn(name);
        if (!Array.isArray(value)) return [[column, toCell(value)]];
        return value.map((one, index) => {
          const language = translations[index];
          return [{ ...column, language: typeof language === 'string' ? language : undefined }, toCell(one)];
        });
      },
    ),
  );
}

function toCell(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function toRow(path: string, values: readonly (readonly [Column, string])[]): FormRow {
  const cells = new Map<string, string>();
  const texts = new Map<string, (readonly [language: string, text: string])[]>();
  for (const [{ name, language }, cell] of values) {
    const text = cell.trim();
    if (text === '') continue;
    if (language === undefined) cells.set(name, text);
    else addToList(texts, name, [language, text] as const);
  }
  return { path, cells, texts };
}

function toSheetName(name: string): string {
  return name.trim().toLowerCase();
}

export function noSurveyError(detail: string) {
  return invalidFile('NO_SURVEY', detail);
}

/** A column of a sheet: its normalised name, and the language of its texts. */
interface Column {
  readonly name: string;
  /** Language as in the header; undefined if the column has none. */
  readonly language: string | undefined;
}

/** Aliases of columns (https://xlsform.org, and older ones of pyxform). */
const COLUMN_ALIASES: Readonly<Record<string, string>> = {
  relevance: 'relevant',
  caption: 'label',
  command: 'type',
  tag: 'name',
  value: 'name',
  calculate: 'calculation',
  read_only: 'readonly',
  constraintmsg: 'constraint_message',
  requiredmsg: 'required_message',
  constraining_message: 'constraint_message',
  repeat_count: 'count',
  form_name: 'form_title',
  title: 'form_title',
  id_string: 'form_id',
};
/** Prefixes that are ignored. */
const PREFIXES = new Set(['bind', 'control', 'body', 'jr', 'instance']);
const TRANSLATED = new Set(['label', 'hint', 'guidance_hint', 'constraint_message', 'required_message']);

function toColumn(header: string): Column {
  const parts = header
    .trim()
    .split(/::?/)
    .map((part) => part.trim());
  const start = parts.findIndex((part) => !PREFIXES.has(part.toLowerCase()));
  const [first = '', ...rest] = parts.slice(start);
  const plain = first.toLowerCase().replaceAll(/[\s-]+/g, '_');
  const name = Object.hasOwn(COLUMN_ALIASES, plain) ? (COLUMN_ALIASES[plain] ?? plain) : plain;
  if (rest.length === 0) return { name, language: undefined };
  if (TRANSLATED.has(name)) return { name, language: rest.join(':') };
  return { name: [name, ...rest].join('::'), language: undefined };
}

/**
 * Creates the conversion of the languages of a form, such as `English (en)`, `en` or `French`, to tags. Unknown names get
 * a private tag. Two languages of a form have the same tag only if both name it.
 */
export function createToTag(): (language: string) => string {
  const tags = new Map<string, string>();
  const taken = new Set<string>();
  const byName = once(namesOfLanguages);
  return (language) => {
    return getOrAdd(tags, language.trim().toLowerCase(), () => {
      const { tag: wanted, isSure } = tagOf(language, byName);
      const tag = isSure ? wanted : freeTag(wanted, taken);
      taken.add(tag);
      return tag;
    });
  };
}

/** A tag that no other language of the form has: `es`, `es-x-2`. */
function freeTag(tag: string, taken: ReadonlySet<string>): string {
  const base = tag.includes('-x-') ? tag : `${tag}-x`;
  let free = tag;
  for (let number = 2; taken.has(free); number += 1) free = `${base}-${number}`;
  return free;
}

/** The tag of a language. It is not sure if the tag is a guess: another language of the form can get the same tag. */
function tagOf(language: string, byName: () => ReadonlyMap<string, string>): { tag: string; isSure: boolean } {
  const { name, bracket } = splitLanguage(language);
  const isCapital = /^[A-Z]{2,3}$/.test(bracket);
  const tagOfName = isCapital ? byName().get(name.toLowerCase()) : undefined;
  // Capitals after a known name are its code or a country: `French (FR)`, `English (UK)`.
  if (tagOfName !== undefined) {
    const region = `${tagOfName}-${bracket}`;
    const isCode = bracket.length !== 2 || bracket.toLowerCase() === tagOfName || !isLanguageTag(region);
    return { tag: isCode ? tagOfName : canonical(region), isSure: bracket.length === 2 };
  }
  for (const given of [bracket, name]) {
    const written = given.trim().replaceAll('_', '-');
    if (/^[a-z]{2,3}(-|$)/i.test(written) && isLanguageTag(written)) return { tag: canonical(written), isSure: true };
  }
  const known = byName().get(name.toLowerCase());
  if (known !== undefined) return { tag: known, isSure: bracket === '' };
  const fit = language
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, 8);
  return { tag: `und-x-${fit === '' ? 'other' : fit}`, isSure: false };
}

/** Splits `English (en)`. */
function splitLanguage(language: string): { readonly name: string; readonly bracket: string } {
  const trimmed = language.trim();
  const start = trimmed.endsWith(')') ? trimmed.lastIndexOf('(') : -1;
  if (start === -1) return { name: trimmed, bracket: '' };
  return { name: trimmed.slice(0, start).trim(), bracket: trimmed.slice(start + 1, -1).trim() };
}

function canonical(tag: string): string {
  return Intl.getCanonicalLocales(tag)[0] ?? tag;
}

/** Languages with a two-letter code (ISO 639-1), by name in English and in the language itself. */
function namesOfLanguages(): ReadonlyMap<string, string> {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  // A language that `Intl` does not know is named in English, and not in the language of the machine.
  const nameIn = (language: string, code: string) =>
    new Intl.DisplayNames([language, 'en'], { type: 'language', fallback: 'none' }).of(code)?.toLowerCase();
  const english = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const codes = letters.flatMap((one) => letters.map((other) => one + other)).filter((code) => english.of(code));
  const byName = new Map<string, string>();
  for (const code of codes) {
    for (const name of [english.of(code)?.toLowerCase(), nameIn(code, code)]) {
      if (name !== undefined && !byName.has(name)) byName.set(name, code);
    }
  }
  return byName;
}

export type RowType =
  | { readonly kind: 'begin'; readonly of: 'group' | 'repeat' }
  | { readonly kind: 'end' }
  | {
      readonly kind: 'select';
      readonly takes: 'one' | 'several' | 'order';
      readonly list: string;
      readonly orOther: boolean;
    }
  | { readonly kind: 'plain'; readonly name: string };

const BEGIN = /^begin[_ ](group|repeat|loop)\b/;
const END = /^end([_ ](group|repeat|loop))?$/;
const SELECT =
  /^(?:(select[_ ]one|select1|add select one prompt using)|(select[_ ]multiple|select all that apply|select all|add select multiple prompt using)|(rank))(?:[_ ]from)?(?: (.+))?$/i;
const OR_OTHER = / or[_ ](?:specify[_ ])?other$/i;

const TYPE_ALIASES: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'integer',
  number: 'integer',
  trigger: 'acknowledge',
  datetime: 'dateTime',
  'date time': 'dateTime',
  photo: 'image',
  location: 'geopoint',
  gps: 'geopoint',
  'phone number': 'phonenumber text',
  calculation: 'calculate',
  'start time': 'start',
  'end time': 'end time',
};

/** Types that the tool fills in, without a question. */
const FILLED =
  /^(start|end|end time|today|deviceid|device id|subscriberid|simserial|phonenumber|username|email|audit|imei|start-geopoint|background-geopoint|calculate|hidden|xml-external|csv-external)$|^(?:uri:|get )/;

export function isAutomatic(type: RowType): boolean {
  return type.kind === 'plain' && FILLED.test(type.name);
}

export function isNote(type: RowType): boolean {
  return type.kind === 'plain' && type.name === 'note';
}

/** @param listName name of the list of choices, if it is in a column of its own */
function toRowType(written: string, listName: string | undefined): RowType {
  const type = written.trim().replaceAll(/\s+/g, ' ');
  const lower = type.toLowerCase();
  const begin = BEGIN.exec(lower)?.[1];
  if (begin !== undefined) return { kind: 'begin', of: begin === 'group' ? 'group' : 'repeat' };
  if (END.test(lower) && lower !== 'end') return { kind: 'end' };
  const orOther = OR_OTHER.test(type);
  const [, one, several, order, list] = SELECT.exec(type.replace(OR_OTHER, '')) ?? [];
  if (one !== undefined || several !== undefined || order !== undefined) {
    const takes = one === undefined ? (several === undefined ? 'order' : 'several') : 'one';
    return { kind: 'select', takes, list: list?.trim() ?? listName ?? '', orOther };
  }
  return { kind: 'plain', name: Object.hasOwn(TYPE_ALIASES, lower) ? (TYPE_ALIASES[lower] ?? lower) : lower };
}

/** A row of the sheet `survey`, except for the ends of groups. */
export interface FormPart {
  readonly row: FormRow;
  readonly type: RowType;
  /** The rows in a group or repeat; empty for other rows. */
  readonly parts: readonly FormPart[];
}

const MAX_GROUP_DEPTH = 50;

/** Arranges the rows of the sheet `survey` in groups and repeats. Those that the form leaves open end with the form. */
export function readFormParts(rows: readonly FormRow[], warnOnce: WarnOnce): readonly FormPart[] {
  const top: FormPart[] = [];
  /** The lists to which rows are added: outside of all groups, and in each open group. */
  const open = [top];
  for (const row of rows) {
    const written = row.cells.get('type') ?? '';
    const type = toRowType(written, row.cells.get('select_from_list_name'));
    if (written === '') {
      if (row.cells.size > 0)
        warnOnce('type', { path: row.path, code: 'NOT_IMPORTED', detail: 'A row without a type is not imported' });
    } else if (type.kind === 'end') {
      if (open.length > 1) open.pop();
    } else {
      const part = { row, type, parts: [] };
      if (type.kind !== 'begin' || open.length <= MAX_GROUP_DEPTH) open.at(-1)?.push(part);
      else {
        const detail = `Groups that are nested more than ${MAX_GROUP_DEPTH} levels deep are not imported`;
        warnOnce('depth', { path: row.path, code: 'NOT_IMPORTED', detail });
      }
      // The parts of a group that is nested too deep are lost with it.
      if (type.kind === 'begin') open.push(part.parts);
    }
  }
  return top;
}
