import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { createPatternCompiler } from '@survey/questionnaire/answers/patterns/pattern';
import { isObject } from '@survey/questionnaire/json';
import { type DraftQuestion, numberScale } from '../core/draft.ts';
import { isCount } from '../core/source-questions.ts';
import { isEmptyText, toJsonText } from '../core/texts.ts';
import { DATE, type MemberReader, TIME } from './document.ts';
import {
  type ElementContext,
  numbersOf,
  type Scale,
  type SurveyjsElement,
  takeValidator,
  toLimits,
  toOptions,
  toQuestion,
  warnOfUnsupportedType,
} from './element.ts';

/** Converts a choice question. Choices can be listed, be a range of numbers, or be missing in the file. */
export function readChoice(
  element: SurveyjsElement,
  context: ElementContext,
  selection: 'one' | 'several',
): DraftQuestion {
  const { members, path } = element;
  const own = members.takeList('choices');
  const given = toOptions(own.length > 0 ? own : takeRange(element), `${path}/choices`, context);
  const ids = new Set(given.map(({ id }) => id));
  // Special options can also be listed as normal choices. Do not add these twice.
  const options = [...given, ...specialOptions(element, context).filter(({ id }) => !ids.has(id))];
  const allowOther = members.takeFlag('showOtherItem', 'hasOther');
  if (options.length === 0) return readOpenChoice(element, context, selection);
  const { minCount, maxCount } = takeValidator(element, 'answercount') ?? {};
  const minSelections = toCount(members.takeNumber('minSelectedChoices')) ?? toCount(minCount);
  const maxSelections = toCount(members.takeNumber('maxSelectedChoices')) ?? toCount(maxCount);
  const other = allowOther ? { allow_other: true } : {};
  if (selection === 'one') {
    const single = options.map(({ exclusive: _, ...option }) => option);
    return toQuestion(element, { type: 'single_choice', members: { options: single, ...other } });
  }
  const possible = options.length + (allowOther ? 1 : 0);
  const highest = Math.min(maxSelections ?? possible, possible);
  const limits = toLimits(
    element,
    context,
    ['min_selections', minSelections],
    ['max_selections', maxSelections],
    highest,
  );
  return toQuestion(element, {
    type: 'multiple_choice',
    members: { options, ...other, ...limits.members },
    source: limits.source,
  });
}

/** Converts a Boolean to a single choice. */
export function readBoolean(element: SurveyjsElement, context: ElementContext): DraftQuestion {
  const options = takeBooleanOptions(element, context);
  return toQuestion(element, { type: 'single_choice', members: { options: [...options] } });
}

/** The options of a Boolean. */
export function takeBooleanOptions(
  { members, path }: Pick<SurveyjsElement, 'members' | 'path'>,
  context: ElementContext,
): readonly JsonObject[] {
  const sides = (['True', 'False'] as const).map((side): JsonValue => {
    const text = context.texts.take(members, `label${side}`, path, side === 'True' ? 'Yes' : 'No');
    return { value: members.take(`value${side}`) ?? side === 'True', text: toJsonText(text) };
  });
  return toOptions(sides, path, context);
}

/** Converts a choice question whose choices are not in the file to a text question. */
function readOpenChoice(
  element: SurveyjsElement,
  context: ElementContext,
  selection: 'one' | 'several',
): DraftQuestion {
  const fault = 'it has no choices in the file and becomes a text';
  if (selection === 'several') return readJsonText(element, context, `${fault} with answers as JSON`);
  warnOfUnsupportedType(element, context, fault);
  return toQuestion(element, { type: 'text' });
}

/** Converts an element to a text that has the answer as JSON. */
export function readJsonText(
  element: SurveyjsElement,
  context: ElementContext,
  detail = 'it becomes a text with answers as JSON',
): DraftQuestion {
  warnOfUnsupportedType(element, context, detail);
  return toQuestion(element, { type: 'textarea', source: { kept_as: 'json' } });
}

/** Converts a ranking to a matrix of choices and ranks. */
export function readRanking(element: SurveyjsElement, context: ElementContext): DraftQuestion {
  const { members, path } = element;
  const rows = toOptions(members.takeList('choices'), `${path}/choices`, context);
  if (rows.length === 0) return readOpenChoice(element, context, 'several');
  warnOfUnsupportedType(element, context, 'it becomes a matrix of choices and ranks');
  const columns = numberScale(rows.length);
  return toQuestion(element, {
    type: 'matrix',
    members: { rows, columns, required_rows: 1 },
    source: { kept_as: 'ranks' },
  });
}

/** The numbers of choices that are a range. */
function takeRange({ members }: SurveyjsElement): readonly JsonValue[] {
  const [min = 0, max = 0, step = 1] = ['choicesMin', 'choicesMax', 'choicesStep'].map((name) =>
    members.takeNumber(name),
  );
  return numbersOf({ min, max, step });
}

/** The options that SurveyJS defines itself, such as "none". */
function specialOptions({ members, path }: SurveyjsElement, { texts }: ElementContext): readonly JsonObject[] {
  const special = [
    { flags: ['showNoneItem', 'hasNone'], value: 'none', text: 'noneText', standard: 'None' },
    { flags: ['showRefuseItem'], value: 'refused', text: 'refuseText', standard: 'Refuse to answer' },
    { flags: ['showDontKnowItem'], value: 'dontknow', text: 'dontKnowText', standard: "Don't know" },
  ];
  return special.flatMap(({ flags, value, text, standard }) => {
    if (!members.takeFlag(...flags)) return [];
    const label = toJsonText(texts.take(members, text, path, standard));
    return [{ id: value, text: label, exclusive: true, source_data: { source_id: value } }];
  });
}

/** A limit of a count; undefined for 0, which means no limit. */
function toCount(value: JsonValue | undefined): number | undefined {
  return isCount(value) ? value : undefined;
}

/** Members with the scale of a rating. */
export const SCALE_MEMBERS = ['rateMin', 'rateMax', 'rateStep', 'rateCount'];

/** Converts a rating. Values that are not evenly spaced become a single choice. */
export function readRating(element: SurveyjsElement, context: ElementContext): DraftQuestion {
  const { members, path } = element;
  const values = members.takeList('rateValues');
  const { min, max, step } = takeScale(members);
  const endLabels = takeEndLabels(element, context);
  if (values.length === 0) {
    return toRating(element, { min, max, step, labels: labelsAt(endLabels, min, max) });
  }
  const numbers = values.map((value) => Number(isObject(value) ? value['value'] : value));
  const scale = scaleOf(numbers);
  const options = toOptions(values, `${path}/rateValues`, context);
  if (scale === undefined) {
    return toQuestion(element, { type: 'single_choice', members: { options } });
  }
  const texts = options.flatMap(({ id = '', text = '' }) => (text === id ? [] : [[String(id), text] as const]));
  const labels = { ...labelsAt(endLabels, scale.min, scale.max), ...Object.fromEntries(texts) };
  return toRating(element, { ...scale, labels });
}

/** Converts a slider. A slider for a range becomes a text. */
export function readSlider(element: SurveyjsElement, context: ElementContext): DraftQuestion {
  const { members } = element;
  if (members.takeText('sliderType') === 'range') {
    warnOfUnsupportedType({ ...element, type: 'slider of a range' }, context, 'it becomes a text with answers as JSON');
    return toQuestion(element, { type: 'textarea', source: { kept_as: 'json' } });
  }
  const [min = 0, max = 100, step = 1] = ['min', 'max', 'step'].map((name) => members.takeNumber(name));
  return toRating(element, { min, max, step, labels: {} });
}

/** The scale of a rating without values of its own. */
export function takeScale(members: MemberReader): Scale {
  const [min = 1, max, step = 1, count] = SCALE_MEMBERS.map((name) => members.takeNumber(name));
  return { min, max: max ?? (count === undefined ? Math.max(5, min) : min + (count - 1) * step), step };
}

function toRating(
  element: SurveyjsElement,
  { min, max, step, labels }: Scale & { readonly labels: JsonObject },
): DraftQuestion {
  const members = {
    min,
    max: Math.max(min, max),
    ...(step === 1 || step <= 0 ? {} : { step }),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
  };
  return toQuestion(element, { type: 'rating', members });
}

/** The scale of evenly spaced numbers; undefined for other values. */
function scaleOf(numbers: readonly number[]): Scale | undefined {
  const [first, second] = numbers;
  if (first === undefined || numbers.some((number) => !Number.isFinite(number))) return undefined;
  const step = second === undefined ? 1 : second - first;
  const isEvenlySpaced = numbers.every((number, index) => Math.abs(number - first - index * step) < 1e-9);
  return step > 0 && isEvenlySpaced ? { min: first, max: numbers.at(-1) ?? first, step } : undefined;
}

type EndLabels = readonly [least: JsonObject[string] | undefined, most: JsonObject[string] | undefined];

function takeEndLabels({ members, path }: SurveyjsElement, { texts }: ElementContext): EndLabels {
  const [least, most] = ['minRateDescription', 'maxRateDescription'].map((name) => {
    const text = texts.take(members, name, path);
    return isEmptyText(text) ? undefined : toJsonText(text);
  });
  return [least, most];
}

function labelsAt([least, most]: EndLabels, min: number, max: number): JsonObject {
  return {
    ...(least === undefined ? {} : { [String(min)]: least }),
    ...(most === undefined ? {} : { [String(max)]: most }),
  };
}

const MAX_LINE = 1_000;

/** Converts a single-line input, by `inputType`. */
export function readText(element: SurveyjsElement, context: ElementContext): DraftQuestion {
  const { members } = element;
  const inputType = members.takeText('inputType') ?? 'text';
  const source = inputType === 'text' ? {} : { input_type: inputType };
  if (inputType === 'date' || inputType === 'time') {
    const { min, max } = takeLimits(element, inputType);
    const limits = toLimits(element, context, ['min', min], ['max', max]);
    const parts = { members: limits.members, source: { ...source, ...limits.source } };
    return toQuestion(element, { type: inputType, ...parts });
  }
  if (inputType.startsWith('datetime')) {
    warnOfUnsupportedType({ ...element, type: inputType }, context, 'it becomes a text with date and time');
  }
  const format = formatOf(element, inputType);
  const lengths = readLengths(element, context);
  return toQuestion(element, {
    type: 'text',
    members: {
      ...(format === undefined ? {} : { format }),
      ...lengths.members,
      ...readPattern(element),
    },
    source: { ...source, ...lengths.source },
  });
}

export function readComment(element: SurveyjsElement, context: ElementContext): DraftQuestion {
  return toQuestion(element, { type: 'textarea', ...readLengths(element, context) });
}

/** The format that SurveyJS validates. Other input types are only hints for keyboards. */
function formatOf(element: SurveyjsElement, inputType: string): string | undefined {
  if (takeValidator(element, 'email') !== undefined || inputType === 'email') return 'email';
  return inputType === 'number' || inputType === 'range' ? 'number' : undefined;
}

/**
 * Reads the limits of a text's length. Without a maximum, `allowLongTexts` compares the minimum with the default one.
 */
function readLengths(element: SurveyjsElement, context: ElementContext) {
  const { minLength, maxLength } = takeValidator(element, 'text') ?? {};
  const limit = toCount(element.members.takeNumber('maxLength')) ?? toCount(maxLength);
  return toLimits(element, context, ['min_length', toCount(minLength)], ['max_length', limit]);
}

/** The pattern, if RE2 supports it. Otherwise, the validator is kept in `source_data`. */
function readPattern(element: SurveyjsElement): JsonObject {
  const validator = takeValidator(element, 'regex');
  const pattern = validator?.['regex'];
  if (validator === undefined) return {};
  if (typeof pattern === 'string' && typeof createPatternCompiler()(pattern, MAX_LINE) === 'function') {
    return { pattern: validator['caseInsensitive'] === true ? `(?i)${pattern}` : pattern };
  }
  element.validators.push(validator);
  return {};
}

/** Reads limits that are dates or times. Other limits are kept in `source_data`. */
function takeLimits({ members }: SurveyjsElement, inputType: 'date' | 'time') {
  const form = inputType === 'date' ? DATE : TIME;
  const take = (name: string): string | undefined => {
    const limit = members.peek(name);
    if (typeof limit !== 'string' || !form.test(limit)) return undefined;
    members.take(name);
    return limit;
  };
  return { min: take('min'), max: take('max') };
}
