import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { isEmptyText, toJsonText } from '../shared/language-texts.ts';
import { toOptions } from './items.ts';
import { type Element, type Tools, toQuestion, warnOfType } from './tools.ts';

/** Converts a rating; uneven values become a single choice. */
export function readRating(element: Element, tools: Tools): readonly JsonObject[] {
  const { members, path } = element;
  const values = members.takeList('rateValues');
  const [min = 1, max, step = 1, count] = ['rateMin', 'rateMax', 'rateStep', 'rateCount'].map((name) =>
    members.takeNumber(name),
  );
  const ends = takeLabels(element, tools);
  if (values.length === 0) {
    const top = max ?? (count === undefined ? Math.max(5, min) : min + (count - 1) * step);
    return [toRating(element, tools, { min, max: top, step, labels: labelsAt(ends, min, top) })];
  }
  const numbers = values.map((value) => Number(isObject(value) ? value['value'] : value));
  const scale = scaleOf(numbers);
  const options = toOptions(values, `${path}/rateValues`, tools);
  if (scale === undefined) {
    return [toQuestion(element, tools, { type: 'single_choice', members: { options } })];
  }
  const texts = options.flatMap(({ id = '', text = '' }) => (text === id ? [] : [[String(id), text] as const]));
  const labels = { ...labelsAt(ends, scale.min, scale.max), ...Object.fromEntries(texts) };
  return [toRating(element, tools, { ...scale, labels })];
}

/** Converts a slider; a range becomes a text. */
export function readSlider(element: Element, tools: Tools): readonly JsonObject[] {
  const { members } = element;
  if (members.takeText('sliderType') === 'range') {
    warnOfType({ ...element, type: 'slider of a range' }, tools, 'it becomes a text with answers as JSON');
    return [toQuestion(element, tools, { type: 'textarea', source: { kept_as: 'json' } })];
  }
  const [min = 0, max = 100, step = 1] = ['min', 'max', 'step'].map((name) => members.takeNumber(name));
  return [toRating(element, tools, { min, max, step, labels: {} })];
}

interface Scale {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

function toRating(
  element: Element,
  tools: Tools,
  { min, max, step, labels }: Scale & { readonly labels: JsonObject },
): JsonObject {
  const members = {
    min,
    max: Math.max(min, max),
    ...(step === 1 || step <= 0 ? {} : { step }),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
  };
  return toQuestion(element, tools, { type: 'rating', members });
}

/** The scale of evenly spaced numbers; undefined for other values. */
function scaleOf(numbers: readonly number[]): Scale | undefined {
  const [first, second] = numbers;
  if (first === undefined || numbers.some((number) => !Number.isFinite(number))) return undefined;
  const step = second === undefined ? 1 : second - first;
  const isEven = numbers.every((number, index) => Math.abs(number - first - index * step) < 1e-9);
  return step > 0 && isEven ? { min: first, max: numbers.at(-1) ?? first, step } : undefined;
}

type Ends = readonly [least: JsonObject[string] | undefined, most: JsonObject[string] | undefined];

function takeLabels({ members, path }: Element, { texts }: Tools): Ends {
  const [least, most] = ['minRateDescription', 'maxRateDescription'].map((name) => {
    const text = texts.read(members.take(name), `${path}/${name}`);
    return isEmptyText(text) ? undefined : toJsonText(text);
  });
  return [least, most];
}

function labelsAt([least, most]: Ends, min: number, max: number): JsonObject {
  return {
    ...(least === undefined ? {} : { [String(min)]: least }),
    ...(most === undefined ? {} : { [String(max)]: most }),
  };
}
