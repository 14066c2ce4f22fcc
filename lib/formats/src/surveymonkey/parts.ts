import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray } from '@survey/questionnaire/json';
import { ratingLabels, type SurveyDraft } from '../core/draft.ts';
import { existingDay } from '../core/responses/times.ts';
import { isCount, numberOf, objectOf } from '../core/source-questions.ts';
import { dateOf, isDayFirst } from './answers.ts';
import { listIn, type ReadList, type SurveyMonkeyQuestion, shownOf } from './document.ts';

/** One of the questions that a SurveyMonkey question is converted to. */
export interface Part {
  /** Suffix of the question id; empty for the question itself. */
  readonly idSuffix: string;
  /** Title in addition to the heading; can be empty. */
  readonly title: string;
  readonly members: JsonObject;
  /** Source data that selects the answers to this part in responses. */
  readonly answerSource: JsonObject;
  readonly required: boolean;
}

/** The only part of a question. */
export function onlyPart(members: JsonObject, required: boolean, answerSource: JsonObject = {}): Part {
  return { idSuffix: '', title: '', members, answerSource, required };
}

/** Converts a question to one or more parts; undefined for an unknown kind. */
export function partsOf(
  question: SurveyMonkeyQuestion,
  readList: ReadList,
  draft: SurveyDraft,
): readonly Part[] | undefined {
  const parts = ownParts(question, readList, draft);
  return parts === undefined ? undefined : [...parts, ...commentOf(question)];
}

function ownParts(question: SurveyMonkeyQuestion, readList: ReadList, draft: SurveyDraft): readonly Part[] | undefined {
  const { family, subtype } = question;
  switch (family) {
    case 'single_choice':
    case 'multiple_choice':
      return [choicePart(question, readList)];
    case 'open_ended':
      if (subtype === 'essay') return [essayPart(question)];
      return subtype === 'single' ? [textPart(question)] : rowParts(question);
    case 'demographic':
      return rowParts(question);
    case 'datetime':
      return momentParts(question);
    case 'matrix':
      return matrixParts(question, readList, draft);
    default:
      return undefined;
  }
}

function choicePart({ family, choices, other, required }: SurveyMonkeyQuestion, readList: ReadList): Part {
  if (choices.length === 0) return onlyPart({ type: 'textarea' }, required !== undefined);
  const isMultiple = family === 'multiple_choice';
  const { least, most } = amountsOf(required);
  const offered = shownOf(choices).length;
  const members = {
    type: isMultiple ? 'multiple_choice' : 'single_choice',
    options: readList(choices),
    ...(other !== undefined && other['is_answer_choice'] !== false ? { allow_other: true } : {}),
    ...(isMultiple && least !== undefined && least <= offered ? { min_selections: least } : {}),
    ...(isMultiple && most !== undefined && most >= (least ?? 1) ? { max_selections: most } : {}),
  };
  return onlyPart(members, required !== undefined);
}

/** An `other` field that is not an answer choice is a comment. */
function commentOf({ family, other, validation }: SurveyMonkeyQuestion): readonly Part[] {
  const isChoice = family === 'single_choice' || family === 'multiple_choice';
  if (other === undefined || (isChoice && other['is_answer_choice'] !== false)) return [];
  const title = String(other['text'] ?? '');
  const members = { type: 'textarea', ...lengthMembers(validation) };
  return [{ idSuffix: 'comment', title, members, answerSource: { part: 'comment' }, required: false }];
}

function essayPart({ validation, required }: SurveyMonkeyQuestion): Part {
  return onlyPart({ type: 'textarea', ...lengthMembers(validation) }, required !== undefined);
}

function textPart(question: SurveyMonkeyQuestion): Part {
  const { display, validation, required } = question;
  const isRequired = required !== undefined;
  if (display['display_type'] === 'file_upload') return onlyPart({ type: 'file_upload' }, isRequired);
  if (display['display_type'] === 'slider') return onlyPart(sliderMembers(question), isRequired);
  if (isDateFormat(validation['type'])) return onlyPart(dateMembers(validation), isRequired, dateSource(validation));
  return onlyPart(textMembers(validation), isRequired);
}

function sliderMembers({ display, validation }: SurveyMonkeyQuestion): JsonObject {
  const min = numberOf(validation['min']) ?? 0;
  const max = numberOf(validation['max']) ?? min + 100;
  const step = numberOf(objectOf(display['custom_options'])['step_size']);
  const textIn = (name: string) => (typeof display[name] === 'string' ? display[name] : '');
  const labels = ratingLabels([
    [min, textIn('left_label')],
    [(min + max) / 2, textIn('middle_label')],
    [max, textIn('right_label')],
  ]);
  return {
    type: 'rating',
    min,
    max: Math.max(min, max),
    ...(step !== undefined && step > 0 ? { step } : {}),
    ...labels,
  };
}

function rowParts(question: SurveyMonkeyQuestion): readonly Part[] {
  const { required } = question;
  const rows = shownOf(question.rows);
  return rows.map(({ source }) => {
    const members = rowMembers(source, question);
    return {
      idSuffix: String(source['id']),
      title: String(source['text'] ?? ''),
      members,
      answerSource: {
        row_id: source['id'] ?? '',
        ...(members['type'] === 'date' ? dateSource(question.validation) : {}),
      },
      required: source['required'] === true || requiresAll(required, rows.length),
    };
  });
}

function rowMembers(row: JsonObject, { kind, validation }: SurveyMonkeyQuestion): JsonObject {
  if (kind === 'open_ended/numerical') {
    return { type: 'text', format: validation['type'] === 'integer' ? 'integer' : 'number' };
  }
  if (row['type'] === 'email') return { type: 'text', format: 'email' };
  return isDateFormat(validation['type']) ? dateMembers(validation) : textMembers(validation);
}

/** Subtypes of datetime that ask for only one of date and time. */
const momentTypes: ReadonlyMap<string, readonly ('date' | 'time')[]> = new Map([
  ['date_only', ['date']],
  ['time_only', ['time']],
]);

function momentParts(question: SurveyMonkeyQuestion): readonly Part[] {
  const { subtype, required, validation } = question;
  const rows = shownOf(question.rows);
  const types = momentTypes.get(subtype) ?? ['date', 'time'];
  return rows.flatMap(({ source }) =>
    types.map((type) => ({
      idSuffix: types.length === 1 ? String(source['id']) : `${String(source['id'])}_${type}`,
      title: String(source['text'] ?? ''),
      members: type === 'date' ? dateMembers(validation) : { type },
      answerSource: { row_id: source['id'] ?? '', ...dateSource(validation) },
      required: requiresAll(required, rows.length),
    })),
  );
}

/** Converts a matrix to a matrix, likert or rating. A matrix of menus becomes one matrix for each column. */
function matrixParts(
  question: SurveyMonkeyQuestion,
  readList: ReadList,
  draft: SurveyDraft,
): readonly Part[] | undefined {
  const { subtype, rows, choices, columns, required } = question;
  const isRequired = required !== undefined;
  if (subtype === 'menu') return menuParts(question, readList, draft);
  const options = choices.length > 0 ? choices : columns;
  if (options.length === 0) return undefined;
  if (subtype === 'rating') {
    const scale = hasNoVisibleRows(question) ? scaleOf(question) : undefined;
    if (scale !== undefined) return [onlyPart(scale, isRequired, { weights: weightsOf(question) })];
    const withRows = hasNoVisibleRows(question) ? {} : { rows: readList(rows), ...requiredRows(question) };
    return [onlyPart({ type: 'likert', options: readList(options), ...withRows }, isRequired)];
  }
  if (rows.length === 0) return undefined;
  const members = {
    type: 'matrix',
    rows: readList(rows),
    columns: readList(options),
    ...(subtype === 'multi' ? { multiple: true } : {}),
    ...requiredRows(question),
  };
  return [onlyPart(members, isRequired)];
}

function menuParts(
  question: SurveyMonkeyQuestion,
  readList: ReadList,
  draft: SurveyDraft,
): readonly Part[] | undefined {
  const rows = readList(question.rows);
  const columns = shownOf(question.columns).filter(
    ({ source }) => isArray(source['choices']) && source['choices'].length > 0,
  );
  // Each part repeats all rows, so their size counts for each column.
  const plainRows = rows.map(({ source_data: _kept, ...members }) => members);
  draft.requireCapacityFor(columns.length, [plainRows], question.path);
  const parts = columns.flatMap(({ source, path }) => {
    const choices = listIn(source, 'choices', path);
    if (choices.length === 0 || rows.length === 0) return [];
    return [
      {
        idSuffix: String(source['id']),
        title: String(source['text'] ?? ''),
        members: {
          type: 'matrix',
          rows,
          columns: readList(choices),
          ...requiredRows(question),
        },
        answerSource: { col_id: source['id'] ?? '' },
        required: question.required !== undefined,
      },
    ];
  });
  return parts.length === 0 ? undefined : parts;
}

/** Whether respondents see no rows: there are none, or one without a text. */
function hasNoVisibleRows(question: SurveyMonkeyQuestion): boolean {
  const rows = shownOf(question.rows);
  return rows.length === 0 || (rows.length === 1 && String(rows[0]?.source['text'] ?? '').trim() === '');
}

/** A rating, if the weights of the choices are consecutive numbers; otherwise undefined. */
function scaleOf(question: SurveyMonkeyQuestion): JsonObject | undefined {
  const choices = shownOf(question.choices);
  const weights = choices.map(({ source }) => (source['is_na'] === true ? undefined : numberOf(source['weight'])));
  const [min] = weights;
  if (min === undefined || !weights.every((weight, index) => weight === min + index)) return undefined;
  const labels = choices.map(({ source }, index) => [min + index, String(source['text'] ?? '').trim()] as const);
  return { type: 'rating', min, max: min + choices.length - 1, ...ratingLabels(labels) };
}

/** The weight of each choice by its id. Responses have the ids of choices, not their weights. */
function weightsOf({ choices }: SurveyMonkeyQuestion): JsonObject {
  return Object.fromEntries(choices.map(({ source }) => [String(source['id']), numberOf(source['weight']) ?? null]));
}

function requiredRows({ required, rows }: SurveyMonkeyQuestion): JsonObject {
  const { least } = amountsOf(required);
  return least === undefined || least >= shownOf(rows).length ? {} : { required_rows: least };
}

/** Requirement types with an amount. All others require every row. */
export const amountTypes: ReadonlySet<string> = new Set(['at_least', 'at_most', 'exactly', 'range']);

/** Whether every row is required. */
function requiresAll(required: JsonObject | undefined, rows: number): boolean {
  if (required === undefined) return false;
  return !amountTypes.has(String(required['type'])) || (amountsOf(required).least ?? 0) >= rows;
}

/** Minimum and maximum of rows or choices: `{type: all|at_least|at_most|exactly|range, amount}`. */
function amountsOf(required: JsonObject | undefined): {
  readonly least: number | undefined;
  readonly most: number | undefined;
} {
  const [first, last = first] = String(required?.['amount'] ?? '')
    .split('-')
    .map(Number)
    .map((amount) => (Number.isInteger(amount) && amount > 0 ? amount : undefined));
  switch (required?.['type']) {
    case 'at_least':
      return { least: first, most: undefined };
    case 'at_most':
      return { least: undefined, most: first };
    case 'exactly':
      return { least: first, most: first };
    case 'range':
      return { least: first, most: last };
    default:
      return { least: undefined, most: undefined };
  }
}

function isDateFormat(type: JsonValue | undefined): boolean {
  return type === 'date_us' || type === 'date_intl';
}

function dateMembers(validation: JsonObject): JsonObject {
  const [min, max] = [validation['min'], validation['max']].map((limit) => limitOf(limit, validation['type']));
  if (min !== undefined && max !== undefined && min > max) return { type: 'date' };
  return { type: 'date', ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

/** Keeps the date format in `source_data`: it tells whether answers begin with the day or the month. */
function dateSource({ type = '' }: JsonObject): JsonObject {
  return isDateFormat(type) ? { date_format: type } : {};
}

/** Converts a limit, in the format of answers or as YYYY-MM-DD, to YYYY-MM-DD. Undefined if it is no valid date. */
function limitOf(limit: JsonValue | undefined, type: JsonValue | undefined): string | undefined {
  if (!isDateFormat(type) || typeof limit !== 'string') return undefined;
  return existingDay(dateOf(limit, isDayFirst(type))?.trim());
}

/** Text formats by validation type. */
const formats: Readonly<Record<string, string>> = {
  integer: 'integer',
  decimal: 'number',
  email: 'email',
  url: 'url',
};

function textMembers(validation: JsonObject): JsonObject {
  const type = String(validation['type']);
  const format = Object.hasOwn(formats, type) ? formats[type] : undefined;
  return { type: 'text', ...(format === undefined ? {} : { format }), ...lengthMembers(validation) };
}

function lengthMembers(validation: JsonObject): JsonObject {
  if (validation['type'] !== 'text_length') return {};
  const [min, max] = [numberOf(validation['min']), numberOf(validation['max'])];
  if ((min ?? 0) > (max ?? Number.POSITIVE_INFINITY)) return {};
  return { ...(isCount(min) ? { min_length: min } : {}), ...(isCount(max) ? { max_length: max } : {}) };
}
