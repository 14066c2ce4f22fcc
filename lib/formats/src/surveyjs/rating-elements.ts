import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { isEmptyText, toJsonText } from '../core/texts.ts';
import { type ElementContext, type SurveyjsElement, toQuestion, warnOfUnsupportedType } from './element.ts';
import { toOptions } from './items.ts';
import type { MemberReader } from './member-reader.ts';
import type { Scale } from './numbers.ts';

/** Members with the scale of a rating. */
export const SCALE_MEMBERS = ['rateMin', 'rateMax', 'rateStep', 'rateCount'];

/** Converts a rating. Values that are not evenly spaced become a single choice. */
export function readRating(element: SurveyjsElement, context: ElementContext): readonly JsonObject[] {
  const { members, path } = element;
  const values = members.takeList('rateValues');
  const { min, max, step } = takeScale(members);
  const endLabels = takeEndLabels(element, context);
  if (values.length === 0) {
    return [toRating(element, context, { min, max, step, labels: labelsAt(endLabels, min, max) })];
  }
  const numbers = values.map((value) => Number(isObject(value) ? value['value'] : value));
  const scale = scaleOf(numbers);
  const options = toOptions(values, `${path}/rateValues`, context);
  if (scale === undefined) {
    return [toQuestion(element, context, { type: 'single_choice', members: { options } })];
  }
  const texts = options.flatMap(({ id = '', text = '' }) => (text === id ? [] : [[String(id), text] as const]));
  const labels = { ...labelsAt(endLabels, scale.min, scale.max), ...Object.fromEntries(texts) };
  return [toRating(element, context, { ...scale, labels })];
}

/** Converts a slider. A slider for a range becomes a text. */
export function readSlider(element: SurveyjsElement, context: ElementContext): readonly JsonObject[] {
  const { members } = element;
  if (members.takeText('sliderType') === 'range') {
    warnOfUnsupportedType({ ...element, type: 'slider of a range' }, context, 'it becomes a text with answers as JSON');
    return [toQuestion(element, context, { type: 'textarea', source: { kept_as: 'json' } })];
  }
  const [min = 0, max = 100, step = 1] = ['min', 'max', 'step'].map((name) => members.takeNumber(name));
  return [toRating(element, context, { min, max, step, labels: {} })];
}

/** The scale of a rating without values of its own. */
export function takeScale(members: MemberReader): Scale {
  const [min = 1, max, step = 1, count] = SCALE_MEMBERS.map((name) => members.takeNumber(name));
  return { min, max: max ?? (count === undefined ? Math.max(5, min) : min + (count - 1) * step), step };
}

function toRating(
  element: SurveyjsElement,
  context: ElementContext,
  { min, max, step, labels }: Scale & { readonly labels: JsonObject },
): JsonObject {
  const members = {
    min,
    max: Math.max(min, max),
    ...(step === 1 || step <= 0 ? {} : { step }),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
  };
  return toQuestion(element, context, { type: 'rating', members });
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
    const text = texts.read(members.take(name), `${path}/${name}`);
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
