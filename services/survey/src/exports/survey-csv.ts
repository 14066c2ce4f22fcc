import { isDeepStrictEqual } from 'node:util';
import { toOption } from '@survey/questionnaire/answers/option-list';
import { toNfc } from '@survey/questionnaire/answers/plain-text';
import { readRange } from '@survey/questionnaire/answers/types/rating';
import { toCsvText } from '@survey/questionnaire/columns/csv';
import type { Definition, Question } from '@survey/questionnaire/definition/definition';
import { readDefinition } from '@survey/questionnaire/definition/read-definition';
import { isAbsent, isArray, isObject, itemsOf, type JsonObject } from '@survey/questionnaire/json';
import { textIn as findText, lookUpOrder } from '@survey/questionnaire/labels';
import { type NormalCondition, type NormalEntry, normaliseLogic } from '@survey/questionnaire/logic/normalise-logic';
import type { QuestionTypeName } from '@survey/questionnaire/schema/question-schema';
import { type Survey, toPayload } from '../surveys/survey.ts';
import { defaultSettings } from '../surveys/survey-settings.ts';
import type { ExportFile } from './export-handler.ts';

const HEADER = [
  'question_id',
  'question_type',
  'question_title',
  'question_required',
  'question_options',
  'logic_conditions',
];

/** The defaults of an import for members that the file does not have. */
const IMPORT_DEFAULTS = { schemaVersion: '1.0', version: 1, language: 'en' };

/** Exports the questions of a survey as CSV, one per row. */
export function toSurveyCsv(survey: Survey): ExportFile {
  const omissions = createOmissions();
  const definition = readDefinition(toPayload(survey));
  const { languages, pages, questions } = definition;
  omissions.addUnknown(definition.survey, ['supported_languages', 'pages', 'logic']);
  if (languages.length !== 1 || languages[0] !== IMPORT_DEFAULTS.language) omissions.add('supported_languages');
  if (survey.schemaVersion !== IMPORT_DEFAULTS.schemaVersion) omissions.add('schema_version');
  if (survey.version !== IMPORT_DEFAULTS.version) omissions.add('version');
  if (survey.projectId !== undefined) omissions.add('project_id');
  if (!isDeepStrictEqual(survey.settings, defaultSettings)) omissions.add('settings');
  if (pages.length !== 1) omissions.add('pages');
  for (const { source } of pages) omissions.addUnknown(source, ['questions'], 'pages.');
  const rows = questions.map((question) => toCsvQuestion(question, languages, omissions));
  // The first question wins if several have the same id.
  const byId = new Map(rows.toReversed().map((row) => [row.id, row]));
  const logic = toLogicCells(definition, byId, omissions);
  const body = rows.map((row) => [...row.cells, byId.get(row.id) === row ? (logic.get(row.id) ?? '') : '']);
  return { text: toCsvText([HEADER, ...body]), omitted: omissions.names() };
}

/**
 * Joins parts with `|`. Bars in parts are escaped: `\|`. A part that ends with a backslash gets a space at its end, so
 * that the backslash does not escape the next bar.
 */
function joinBars(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll('|', '\\|').replace(/\\$/, '\\ ')).join('|');
}

/** The limits of a rating without `min` or `max`. */
const DEFAULT_RANGE = { min: 1, max: 5 };

/** Returns the cell of a rating's scale: a range such as `1-5`, a list of values, or nothing for the default scale. */
function scaleCell(question: JsonObject, omissions: Omissions): string {
  const options = question['options'];
  const items = (isArray(options) ? options : [options]).filter((item) => !isAbsent(item));
  const ends = { min: question['min'], max: question['max'] };
  if (items.length > 0) {
    omissions.addUnknown(ends, [], 'questions.');
    return listCell(items, omissions);
  }
  if (isAbsent(ends.min) && isAbsent(ends.max)) return '';
  const min = ends.min ?? DEFAULT_RANGE.min;
  const max = ends.max ?? Math.max(DEFAULT_RANGE.max, Number(min));
  if (Number.isSafeInteger(min) && Number.isSafeInteger(max)) return `${min}-${max}`;
  omissions.addUnknown(ends, [], 'questions.');
  return '';
}

function listCell(items: readonly unknown[], omissions: Omissions): string {
  const values = items.map((item) => {
    if (!isObject(item)) return item;
    omissions.addUnknown(item, isAbsent(item['id']) ? ['text'] : ['id'], 'options.');
    return item['id'] ?? item['text'];
  });
  const labels = values.flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' ? `${value}`.trim() : [],
  );
  const filled = labels.filter((label) => label !== '');
  if (filled.length < items.length) omissions.add('options');
  // Imports read a single text such as `1-5` as a range.
  const range = filled.length === 1 ? readRange(filled[0] ?? '') : undefined;
  return range === undefined ? joinBars(filled) : `${range.min}-${range.max}`;
}

/** An option of a question and its form in the file. */
interface CsvOption {
  readonly id: string;
  /** Texts of the option in all languages. */
  readonly texts: readonly string[];
  /** The option in the cell: its text if unique, else its id. */
  readonly cell: string;
  /** The id that an import derives from `cell`. */
  readonly importedId: string;
}

function readOptions({ source }: Question, languages: readonly string[], omissions: Omissions): readonly CsvOption[] {
  const options = itemsOf(source['options']).flatMap((item) => {
    const option = toOption(item);
    const members: JsonObject = isObject(item) ? item : { text: item };
    omissions.addUnknown(members, ['id', 'text'], 'options.');
    if (option === undefined) omissions.add('options');
    return option === undefined ? [] : [{ ...option, text: textIn(languages, members['text'], omissions).trim() }];
  });
  const byText = Map.groupBy(options, ({ text }) => toNfc(text));
  return options.flatMap(({ id, texts, text }) => {
    const cell = text !== '' && byText.get(toNfc(text))?.length === 1 ? text : id.trim();
    const importedId = toOption(cell)?.id;
    if (text !== '' && cell !== text) omissions.add('options.text');
    if (importedId !== id) omissions.add(importedId === undefined ? 'options' : 'options.id');
    return importedId === undefined ? [] : [{ id, texts, cell, importedId }];
  });
}

/** Returns a function that finds an option by id, else by a text that only this option has. */
function createFindOption(options: readonly CsvOption[]) {
  const byId = new Map(options.toReversed().map((option) => [option.id, option]));
  const byText = new Map<string, CsvOption | 'ambiguous'>();
  for (const option of options) {
    for (const text of new Set(option.texts)) byText.set(text, byText.has(text) ? 'ambiguous' : option);
  }
  return (value: string | number): CsvOption | undefined => {
    const text = toNfc(String(value));
    const found = byText.get(text.trim());
    return byId.get(text) ?? (found === 'ambiguous' ? undefined : found);
  };
}

/** A question as a row of the file. */
interface CsvQuestion {
  readonly id: string;
  /** The cells from `question_id` to `question_options`. */
  readonly cells: readonly string[];
  /** Undefined for questions without options. */
  readonly findOption: ReturnType<typeof createFindOption> | undefined;
}

const MEMBERS = ['id', 'type', 'title', 'required', 'options'];
const CHOICES: readonly QuestionTypeName[] = ['single_choice', 'multiple_choice', 'likert'];

function toCsvQuestion(question: Question, languages: readonly string[], omissions: Omissions): CsvQuestion {
  const { id, type, source } = question;
  const { title, required } = source;
  const isRating = type === 'rating';
  const options = CHOICES.includes(type) ? readOptions(question, languages, omissions) : undefined;
  omissions.addUnknown(source, isRating ? [...MEMBERS, 'min', 'max'] : MEMBERS, 'questions.');
  if (id === '' || id.trim() !== id) omissions.add('questions.id');
  if (!isAbsent(required) && typeof required !== 'boolean') omissions.add('questions.required');
  if (!isRating && options === undefined && hasItems(source['options'])) omissions.add('questions.options');
  const choices = isRating ? scaleCell(source, omissions) : joinBars((options ?? []).map(({ cell }) => cell));
  const cells = [id, type, textIn(languages, title, omissions), String(required === true), choices];
  return { id, findOption: options && createFindOption(options), cells };
}

function hasItems(options: unknown): boolean {
  return !isAbsent(options) && !(isArray(options) && options.length === 0);
}

type Questions = ReadonlyMap<string, CsvQuestion>;

const ENTRY_MEMBERS = ['question_id', 'conditions', 'action', 'match', 'target_question'];
const CONDITION_MEMBERS = ['source_question', 'question_id', 'operator', 'value', 'action', 'target_question'];

/**
 * Returns the `logic_conditions` cell of each question with a single show rule whose conditions must all hold. Omits
 * other logic, because a part of it would hide the wrong questions.
 */
function toLogicCells({ logic }: Definition, questions: Questions, omissions: Omissions): ReadonlyMap<string, string> {
  const cells = new Map<string, string | undefined>();
  for (const item of logic) {
    const entries = normaliseLogic([item], () => {});
    omissions.addUnknown(item.source, ENTRY_MEMBERS, 'logic.');
    for (const condition of itemsOf(item.source['conditions'])) {
      if (isObject(condition)) omissions.addUnknown(condition, CONDITION_MEMBERS, 'logic.');
    }
    if (entries.length === 0) omissions.add('logic');
    for (const entry of entries) {
      const { action, target } = entry;
      if (action !== 'show' || target === undefined || !questions.has(target) || target.trim() === '')
        omissions.add('logic');
      else cells.set(target, cells.has(target) ? undefined : entryCell(entry, questions));
    }
  }
  const complete = [...cells].filter((cell): cell is [string, string] => cell[1] !== undefined);
  if (complete.length < cells.size) omissions.add('logic');
  return new Map(complete);
}

function entryCell({ match, conditions }: NormalEntry, questions: Questions): string | undefined {
  if (match === 'any' && conditions.length > 1) return undefined;
  const parts = conditions.map((condition) => conditionPart(condition, questions));
  return parts.includes(undefined) ? undefined : parts.join(';');
}

/** Formats a condition as `<question_id>:<operator>:<value>`, or returns undefined if the format cannot express it. */
function conditionPart({ source, operator, value }: NormalCondition, questions: Questions): string | undefined {
  if (!canBePart(source) || source.includes(':')) return undefined;
  if (operator === 'is_answered' || operator === 'is_not_answered') return `${source}:${operator}`;
  const findOption = questions.get(source)?.findOption;
  const isList = operator === 'in' || operator === 'not_in';
  const values = (isArray(value) ? value : [value]).map((item) => valuePart(item, findOption));
  const known = values.filter((item) => item !== undefined);
  if (known.length < values.length || known.length === 0 || (known.length > 1 && !isList)) return undefined;
  return `${source}:${operator}:${isList ? joinBars(known) : known[0]}`;
}

function valuePart(value: unknown, findOption: CsvQuestion['findOption']): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const part = findOption === undefined ? String(value) : findOption(value)?.importedId;
  return part !== undefined && canBePart(part) ? part : undefined;
}

/** Whether a text survives an import: the format cannot escape semicolons, and an import trims spaces. */
function canBePart(text: string): boolean {
  return text !== '' && text.trim() === text && !text.includes(';');
}

/** Returns a text in the first language that has a translation, and records omitted translations. */
function textIn(languages: readonly string[], text: unknown, omissions: Omissions): string {
  const translations = isObject(text) ? Object.values(text).filter(isText) : [];
  if (translations.length > 1) omissions.add('translations');
  return findText(lookUpOrder(languages), text) ?? '';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

type Omissions = ReturnType<typeof createOmissions>;

/** Names of members come from the tenant, so only safe names go into a header. */
const SAFE_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const MAX_NAMES = 100;

/** Collects the names of members that the file omits, up to 100 names. */
function createOmissions() {
  const all = new Set<string>();
  const add = (name: string) => {
    if (all.size < MAX_NAMES) all.add(SAFE_NAME.test(name) ? name : 'other');
  };
  /** Adds the names of members that have a value, except known members. */
  function addUnknown(object: Readonly<Record<string, unknown>>, known: readonly string[], prefix = ''): void {
    for (const [name, value] of Object.entries(object)) {
      if (!isAbsent(value) && !known.includes(name)) add(prefix + name);
    }
  }
  return {
    add,
    addUnknown,
    names: () => [...all].toSorted(),
  };
}
