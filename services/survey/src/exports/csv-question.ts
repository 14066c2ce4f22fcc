import type { Question } from '@survey/questionnaire/definition/definition';
import { isAbsent, isArray } from '@survey/questionnaire/json';
import type { QuestionTypeName } from '@survey/questionnaire/schema/question-schema';
import { joinBars } from './csv-cells.ts';
import { createFindOption, readOptions } from './csv-options.ts';
import { scaleCell } from './csv-scale.ts';
import type { Omissions } from './omissions.ts';
import { textIn } from './text-in.ts';

/** A question as a row of the file. */
export interface CsvQuestion {
  readonly id: string;
  /** The cells from `question_id` to `question_options`. */
  readonly cells: readonly string[];
  /** Undefined for questions without options. */
  readonly findOption: ReturnType<typeof createFindOption> | undefined;
}

const MEMBERS = ['id', 'type', 'title', 'required', 'options'];
const CHOICES: readonly QuestionTypeName[] = ['single_choice', 'multiple_choice', 'likert'];

export function toCsvQuestion(question: Question, languages: readonly string[], omissions: Omissions): CsvQuestion {
  const { id, type, source } = question;
  const { title, required } = source;
  const isRating = type === 'rating';
  const options = CHOICES.includes(type) ? readOptions(question, languages, omissions) : undefined;
  omissions.addUnknown(source, isRating ? [...MEMBERS, 'min', 'max'] : MEMBERS, 'questions.');
  if (id === '' || id.trim() !== id) omissions.add('questions.id');
  if (!isAbsent(required) && typeof required !== 'boolean') omissions.add('questions.required');
  if (!isRating && options === undefined && hasItems(source['options'])) omissions.add('questions.options');
  const choices = isRating ? scaleCell(source, omissions) : joinBars((options ?? []).map(({ cell }) => cell));
  const cells = [id, type, textIn(languages, title, omissions), String(required === true), choices];
  return { id, findOption: options && createFindOption(options), cells };
}

function hasItems(options: unknown): boolean {
  return !isAbsent(options) && !(isArray(options) && options.length === 0);
}
