import type { AnswerType } from './answer-type.ts';
import { date } from './date.ts';
import { fileUpload } from './file-upload.ts';
import { likert } from './likert.ts';
import { matrix } from './matrix.ts';
import { multipleChoice } from './multiple-choice.ts';
import { rating } from './rating.ts';
import { singleChoice } from './single-choice.ts';
import { text } from './text.ts';
import { textarea } from './textarea.ts';
import { time } from './time.ts';

/** All question types. To add one, add a file to this folder and a line here. */
export const ANSWER_TYPES = {
  single_choice: singleChoice,
  multiple_choice: multipleChoice,
  text,
  textarea,
  rating,
  likert,
  matrix,
  date,
  time,
  file_upload: fileUpload,
} as const satisfies Record<string, AnswerType>;

export type QuestionTypeName = keyof typeof ANSWER_TYPES;

export const QUESTION_TYPE_NAMES: readonly string[] = Object.keys(ANSWER_TYPES);

export const isQuestionType = (value: unknown): value is QuestionTypeName =>
  typeof value === 'string' && Object.hasOwn(ANSWER_TYPES, value);
