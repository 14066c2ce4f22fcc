import { isArray, isObject } from '../json.ts';
import { isBlank } from './plain-text.ts';

/** The one choice of own wording: `{"option": "other", "text": "…"}`. */
interface OtherChoice {
  readonly option: typeof OTHER;
  readonly text: string;
}

/** Chosen options with one of own wording: `{"options": ["a"], "other": "…"}`. */
export interface ChoicesWithOther {
  readonly options: readonly string[];
  readonly other: string;
}

export interface FileReference {
  readonly file_id: string;
}

/** Answers by row: an option or column id, or several column ids. */
export interface RowAnswers {
  readonly [row: string]: string | readonly string[];
}

/** A normalised answer: NFC texts, sets in the order of the definition, nothing unanswered inside. */
export type AnswerValue =
  | string
  | number
  | readonly string[]
  | readonly FileReference[]
  | OtherChoice
  | ChoicesWithOther
  | RowAnswers;

/** The reserved option id that stands for an answer of own wording. */
export const OTHER = 'other';

/** Whether a value means that the question was not answered: null, a blank text, [], {}; 0 and false are answers. */
export const isUnanswered = (value: unknown): boolean => {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return isBlank(value);
  if (isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
};
