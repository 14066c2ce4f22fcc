import { numberCell } from '../../columns/text-cell.ts';
import { isObject, type JsonObject } from '../../json.ts';
import { scaleOperand } from '../../logic/operand.ts';
import { type ReadAnswerRules, rejection } from '../answer-type.ts';
import { coerceNumber } from '../coerce.ts';
import { numbersOn } from '../counting-rule.ts';
import type { QuestionMembers } from '../question-members.ts';
import { checkOrder } from '../range.ts';

/** A scale of numbers: `min`, `min + step`, and so on, up to `max`. */
export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

const DEFAULT_SCALE: Scale = { min: 1, max: 5, step: 1 };
/** Steps such as 0.1 have no exact binary form, so values may differ by rounding errors. */
const ROUNDING_ERROR = 16 * Number.EPSILON;
/** Maximum of `toFixed`. */
const MAX_DECIMALS = 100;
/** Maximum number of steps in a JSON Schema. */
const LISTED_STEPS = 1_000;
/** Maximum number of steps in a histogram. */
const COUNTED_STEPS = 100;
const RANGE = /^\s*(-?\d+)\s*-\s*(-?\d+)\s*$/;

/** A number on a scale. */
export const rating: ReadAnswerRules<'rating'> = (members) => {
  const scale = readScale(members);
  const stepAt = createStepAt(scale);
  const stepOf = createStepOf(scale, stepAt);
  return {
    check: (value) => {
      if (typeof value !== 'number' || !Number.isFinite(value))
        return rejection('WRONG_TYPE', 'the answer must be a number');
      const exact = stepOf(value);
      if (exact === undefined) {
        const steps = scale.step === 1 ? '' : ` in steps of ${scale.step}`;
        return rejection('OUT_OF_RANGE', `the answer must be from ${scale.min} to ${scale.max}${steps}`);
      }
      return { value: exact };
    },
    jsonSchema: () => scaleJson(scale, stepAt),
    coerce: coerceNumber,
    operand: scaleOperand(scale, (value) => stepOf(value) !== undefined),
    cells: numberCell,
    countingRule: numbersOn(listSteps(scale, stepAt, COUNTED_STEPS)),
  };
};

/** Reads a scale such as `1-5`. Returns undefined for other texts. */
export function readRange(text: string): { readonly min: number; readonly max: number } | undefined {
  const match = RANGE.exec(text);
  return match === null ? undefined : { min: Number(match[1]), max: Number(match[2]) };
}

/** Returns a function that gives a step of the scale by its number, from 0. */
function createStepAt({ min, step }: Scale) {
  const decimals = Math.max(decimalsOf(min), decimalsOf(step));
  return (index: number): number => {
    const exact = Number((min + index * step).toFixed(decimals));
    return exact === 0 ? 0 : exact; // -0 is stored as 0
  };
}

/** Returns a function that rounds a value to its step of the scale. It returns undefined between steps. */
function createStepOf({ min, max, step }: Scale, stepAt: (index: number) => number) {
  return (value: number): number | undefined => {
    const exact = stepAt(Math.round((value - min) / step));
    if (exact < min || exact > max) return undefined;
    return Math.abs(value - exact) > ROUNDING_ERROR * Math.max(Math.abs(value), step) ? undefined : exact;
  };
}

/** A scale with many steps is described by its limits only. */
function scaleJson(scale: Scale, stepAt: (index: number) => number): JsonObject {
  const values = listSteps(scale, stepAt, LISTED_STEPS);
  return values === undefined
    ? { type: 'number', minimum: scale.min, maximum: scale.max }
    : { type: 'number', enum: [...values] };
}

/** Returns the values of a scale in ascending order; undefined if there are more than a thousand steps. */
export function valuesOf(scale: Scale): readonly number[] | undefined {
  return scale.max < scale.min ? [] : listSteps(scale, createStepAt(scale), LISTED_STEPS);
}

/** Returns the values of a scale; undefined if it has more than `maxSteps` steps. */
function listSteps({ min, max, step }: Scale, stepAt: (index: number) => number, maxSteps: number) {
  const nearest = Math.round((max - min) / step);
  const steps = stepAt(nearest) > max ? nearest - 1 : nearest;
  if (!(steps >= 0 && steps <= maxSteps)) return undefined;
  return Array.from({ length: steps + 1 }, (_, index) => stepAt(index));
}

function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const decimals = (digits.split('.')[1] ?? '').length - Number(exponent);
  return Math.min(Math.max(decimals, 0), MAX_DECIMALS);
}

/** Reads the scale from `min` and `max`, else from `options`. */
export function readScale(members: QuestionMembers<'rating'>): Scale {
  const [givenMin, givenMax] = [members.get('min'), members.get('max')];
  const options = givenMin === undefined || givenMax === undefined ? readOptionRange(members) : undefined;
  const min = givenMin ?? options?.min ?? DEFAULT_SCALE.min;
  const max = givenMax ?? options?.max ?? Math.max(DEFAULT_SCALE.max, min);
  checkOrder(members, ['min', min], ['max', max]);
  return { min, max, step: members.get('step') ?? DEFAULT_SCALE.step };
}

/** Reads the scale from `options`: a range such as `1-5`, or the smallest and largest of a list of numbers. */
function readOptionRange(
  members: QuestionMembers<'rating'>,
): { readonly min: number; readonly max: number } | undefined {
  const given = members.get('options');
  const items = typeof given === 'string' ? [given] : (given ?? []);
  if (items.length === 0) return undefined;
  const range = items.length === 1 && typeof items[0] === 'string' ? readRange(items[0]) : undefined;
  const numbers = range === undefined ? items.map(toNumber) : [range.min, range.max];
  const min = numbers.reduce((least, number) => Math.min(least, number), Number.POSITIVE_INFINITY);
  const max = numbers.reduce((greatest, number) => Math.max(greatest, number), Number.NEGATIVE_INFINITY);
  if (Number.isFinite(min) && Number.isFinite(max)) return { min, max };
  members.report('BAD_RANGE', 'options', 'the options of a rating must be a range such as "1-5", or numbers');
  return undefined;
}

/** Returns the number of an option of a rating; NaN if it has none. */
export function toNumber(option: unknown): number {
  const given = isObject(option) ? (option.id ?? option.text) : option;
  if (typeof given === 'number') return given;
  return typeof given === 'string' && given.trim() !== '' ? Number(given) : Number.NaN;
}
