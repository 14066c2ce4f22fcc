import { isArray, isObject, itemsOf } from '../json.ts';
import { isBlank } from './plain-text.ts';

/** A single choice with the respondent's own text: `{"option": "other", "text": "…"}`. */
interface OtherChoice {
  readonly option: typeof OTHER;
  readonly text: string;
}

/** Chosen options and the respondent's own text: `{"options": ["a"], "other": "…"}`. */
export interface ChoicesWithOther {
  readonly options: readonly string[];
  readonly other: string;
}

export interface FileReference {
  readonly file_id: string;
}

/** One answer per row: an option id, a column id or several column ids. */
export interface RowAnswers {
  readonly [row: string]: string | readonly string[];
}

/** A normalised answer: texts in NFC, sets in the order of the definition, no unanswered parts. */
export type AnswerValue =
  | string
  | number
  | readonly string[]
  | readonly FileReference[]
  | OtherChoice
  | ChoicesWithOther
  | RowAnswers;

/** The reserved option id for the respondent's own text. */
export const OTHER = 'other';

/** Whether a value counts as unanswered: null, a blank text, [] or {}. 0 and false are answers. */
export function isUnanswered(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return isBlank(value);
  if (isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

/** The ids of the files in an answer. The answer may be invalid: anything else in it is ignored. */
export function fileIdsOf(answer: unknown): readonly string[] {
  return itemsOf(answer).flatMap((file) => (isObject(file) && typeof file.file_id === 'string' ? [file.file_id] : []));
}
