import type { JsonObject } from '@bufbuild/protobuf';
import { isBlank } from '@survey/questionnaire/answers/plain-text';
import { MAX_TEXT } from '../core/source-data.ts';
import { type CellContent, type ColumnProfile, isMostly, type Pieces } from './column-profile.ts';

/** Members of a question that fit the values of a column. */
export interface GuessedQuestion {
  readonly type: string;
  readonly members: JsonObject;
  /** From 0 to 1. */
  readonly confidence: number;
}

type QuestionWithoutConfidence = Omit<GuessedQuestion, 'confidence'>;

/** Types that the option `columns` can name for a column. */
export const COLUMN_TYPES = ['text', 'textarea', 'single_choice', 'multiple_choice', 'rating', 'date', 'time'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** The type that a target of the option `columns` names; undefined for other targets. */
export function columnTypeOf(target: string): ColumnType | undefined {
  return COLUMN_TYPES.find((type) => type === target);
}

/** Maximum length of a text for a `text` question; a longer one makes a `textarea`. */
const MAX_LINE = 200;
/** Minimum number of filled cells for a rating. */
const FEWEST_RATINGS = 3;
/** Minimum part of the cells for a format of texts. Other cells are reported when they are imported. */
const NEARLY_ALL = 0.95;
const SCALES = [
  [1, 5],
  [1, 7],
  [0, 10],
] as const;
/**
 * Minimum of the average number of cells with the same piece, so that the pieces are options of a multiple choice. Commas
 * need more, because sentences have commas, too.
 */
const RECURRENCE = { comma: 1.5, other: 1.2 };

/** Guesses the type of a question from the values of its column. */
export function guessQuestion(profile: ColumnProfile): GuessedQuestion {
  const { filled, contents, hasOnlySmallIntegers, min, max, hasInvisible } = profile;
  if (filled === 0) return { ...textOf(profile), confidence: 0 };
  const isAll = (kind: CellContent) => contents.get(kind) === filled;
  const isNearlyAll = (kind: CellContent) =>
    isAll(kind) || ((contents.get(kind) ?? 0) >= filled * NEARLY_ALL && !profile.hasCodes && !isChoice(profile));
  const isMost = (kind: CellContent) => isAll(kind) || (isMostly(profile, kind) && !isChoice(profile));
  if (hasOnlySmallIntegers && max <= 1 && min === 0) return { ...singleChoiceOf(profile), confidence: 0.5 };
  const scale = hasOnlySmallIntegers && filled >= FEWEST_RATINGS ? scaleOf(profile) : undefined;
  if (scale !== undefined && min < max) return { ...scale, confidence: 0.7 };
  if (isNearlyAll('number')) return { type: 'text', members: { format: 'number' }, confidence: 0.9 };
  if (isMost('date')) return { type: 'date', members: {}, confidence: 0.9 };
  if (isMost('time')) return { type: 'time', members: {}, confidence: 0.9 };
  if (isNearlyAll('email')) return { type: 'text', members: { format: 'email' }, confidence: 0.9 };
  if (isNearlyAll('url')) return { type: 'text', members: { format: 'url', max_length: MAX_TEXT }, confidence: 0.9 };
  if (hasInvisible) return { ...textOf(profile), confidence: 0.5 };
  const several = multipleChoiceOf(profile);
  if (several !== undefined) return several;
  if (isAll('flag') && profile.values !== undefined) return { ...singleChoiceOf(profile), confidence: 0.9 };
  return isChoice(profile) ? { ...singleChoiceOf(profile), confidence: 0.8 } : { ...textOf(profile), confidence: 0.8 };
}

/** The question of a type that the user wants; undefined if the values do not fit it. */
export function questionOfType(type: ColumnType, profile: ColumnProfile): GuessedQuestion | undefined {
  const question = tryType(type, profile);
  return question && { ...question, confidence: 1 };
}

function tryType(type: ColumnType, profile: ColumnProfile): QuestionWithoutConfidence | undefined {
  const { filled, contents, values, hasOnlySmallIntegers, hasInvisible } = profile;
  const canBeOptions = values !== undefined && values.size > 0 && !hasInvisible;
  switch (type) {
    case 'text':
    case 'textarea':
      return { type, members: textOf(profile).members };
    case 'single_choice':
      return canBeOptions ? singleChoiceOf(profile) : undefined;
    case 'multiple_choice':
      return (
        multipleChoiceOf(profile) ?? (canBeOptions ? { type, members: { options: optionsOf(values) } } : undefined)
      );
    case 'rating':
      return hasOnlySmallIntegers && filled > 0 ? scaleOf(profile) : undefined;
    default:
      return (contents.get(type) ?? 0) === filled ? { type, members: {} } : undefined;
  }
}

/** Options of a list, in the order of numbers if all are numbers, else as they first occur. */
export function optionsOf(values: ReadonlyMap<string, number>): string[] {
  const texts = [...values.keys()];
  return texts.every((text) => /^-?\d+(\.\d+)?$/.test(text)) ? texts.toSorted((a, b) => Number(a) - Number(b)) : texts;
}

/** Whether the values recur so often that they are probably options. */
function isChoice({ filled, values, hasLineBreaks }: ColumnProfile): boolean {
  if (values === undefined || hasLineBreaks) return false;
  return values.size <= 2 ? filled > values.size : values.size * 2 <= filled;
}

function singleChoiceOf({ values = new Map() }: ColumnProfile) {
  return { type: 'single_choice', members: { options: optionsOf(values) } };
}

function scaleOf({ min, max }: ColumnProfile) {
  const scale = SCALES.find(([low, high]) => min >= low && max <= high);
  return scale === undefined ? undefined : { type: 'rating', members: { min: scale[0], max: scale[1] } };
}

/** A multiple choice, if the same pieces recur between separators. */
function multipleChoiceOf({ pieces }: ColumnProfile): GuessedQuestion | undefined {
  const texts = pieces.find(recurs)?.texts;
  return texts && { type: 'multiple_choice', members: { options: optionsOf(texts) }, confidence: 0.7 };
}

function recurs({ separator, texts, separated, total }: Pieces): boolean {
  if (texts === undefined || separated === 0 || texts.size < 2 || [...texts.keys()].some(isBlank)) return false;
  return total / texts.size >= (separator === ',' ? RECURRENCE.comma : RECURRENCE.other);
}

function textOf({ longest, hasLineBreaks }: ColumnProfile) {
  const type = longest > MAX_LINE || hasLineBreaks ? 'textarea' : 'text';
  return { type, members: { max_length: Math.max(MAX_TEXT, longest) } };
}
