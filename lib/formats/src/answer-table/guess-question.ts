import type { JsonObject } from '@bufbuild/protobuf';
import { isBlank } from '@survey/questionnaire/answers/plain-text';
import { MAX_TEXT } from '../core/source-data.ts';
import { type CellContent, CHOICE_SEPARATORS, type ColumnProfile, isMostly, type Pieces } from './column-profile.ts';

/** Members of a question that fit the values of a column. */
export interface GuessedQuestion {
  readonly type: string;
  readonly members: JsonObject;
  /** From 0 to 1. */
  readonly confidence: number;
}

/** Types that the option `columns` can name for a column. */
export const COLUMN_TYPES = ['text', 'textarea', 'single_choice', 'multiple_choice', 'rating', 'date', 'time'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

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
 * Minimum average number of occurrences of the pieces between separators, for a multiple choice. Commas need more,
 * because sentences have commas, too.
 */
const RECURRENCE = { ',': 1.5, other: 1.2 };

/** Guesses the type of a question from the values of its column. */
export function guessQuestion(profile: ColumnProfile): GuessedQuestion {
  const { filled, contents, isScale, min, max, hasInvisible } = profile;
  if (filled === 0) return { ...textOf(profile), confidence: 0 };
  const isAll = (kind: CellContent) => contents.get(kind) === filled;
  const isNearlyAll = (kind: CellContent) =>
    isAll(kind) || ((contents.get(kind) ?? 0) >= filled * NEARLY_ALL && !profile.hasCodes && !isChoice(profile));
  const isMost = (kind: CellContent) => isAll(kind) || (isMostly(profile, kind) && !isChoice(profile));
  if (isScale && max <= 1 && min === 0) return { ...singleChoiceOf(profile), confidence: 0.5 };
  const scale = isScale && filled >= FEWEST_RATINGS ? scaleOf(profile) : undefined;
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
export function tryQuestionOfType(type: ColumnType, profile: ColumnProfile): GuessedQuestion | undefined {
  const { filled, contents, values, isScale } = profile;
  const isAll = (kind: CellContent) => (contents.get(kind) ?? 0) === filled;
  const withFullConfidence = (question: Omit<GuessedQuestion, 'confidence'> | undefined) =>
    question === undefined ? undefined : { ...question, confidence: 1 };
  switch (type) {
    case 'text':
    case 'textarea':
      return withFullConfidence({ type, members: textOf(profile).members });
    case 'single_choice':
      return withFullConfidence(
        values === undefined || values.size === 0 || profile.hasInvisible ? undefined : singleChoiceOf(profile),
      );
    case 'multiple_choice': {
      const guessed = multipleChoiceOf(profile);
      if (guessed !== undefined || values === undefined || values.size === 0 || profile.hasInvisible) {
        return withFullConfidence(guessed);
      }
      return withFullConfidence({ type, members: { options: optionsOf(values) } });
    }
    case 'rating':
      return withFullConfidence(isScale ? scaleOf(profile) : undefined);
    default:
      return isAll(type) ? withFullConfidence({ type, members: {} }) : undefined;
  }
}

/** Options of a list, in the order of numbers if all are numbers, else as they first occur. */
export function optionsOf(values: ReadonlyMap<string, number>): string[] {
  const texts = [...values.keys()];
  return texts.every((text) => /^-?\d+(\.\d+)?$/.test(text)) ? texts.toSorted((a, b) => Number(a) - Number(b)) : texts;
}

/** Whether the values recur so often that they are probably options. */
function isChoice({ filled, values, hasLines }: ColumnProfile): boolean {
  if (values === undefined || hasLines) return false;
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
  for (const separator of CHOICE_SEPARATORS) {
    const found = pieces.get(separator);
    if (found?.counts === undefined || !recurs(found, separator)) continue;
    return { type: 'multiple_choice', members: { options: optionsOf(found.counts) }, confidence: 0.7 };
  }
  return undefined;
}

function recurs({ counts = new Map(), separated, total }: Pieces, separator: string): boolean {
  if (separated === 0 || counts.size < 2 || [...counts.keys()].some(isBlank)) return false;
  return total / counts.size >= (separator === ',' ? RECURRENCE[','] : RECURRENCE.other);
}

function textOf({ longest, hasLines }: ColumnProfile) {
  const type = longest > MAX_LINE || hasLines ? 'textarea' : 'text';
  return { type, members: { max_length: Math.max(MAX_TEXT, longest) } };
}
