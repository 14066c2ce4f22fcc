import type { QuestionTypeName } from '../../schema/question-schema.ts';
import type { ReadAnswerRules } from '../answer-type.ts';
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

/** All question types. To add one, add it to `schema/question-schema.ts`, a file to this folder and a line here. */
export const ANSWER_TYPES: { readonly [Type in QuestionTypeName]: ReadAnswerRules<Type> } = {
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
};
