import type { QuestionOf } from '@survey/questionnaire';
import { isArray, isObject, itemsOf } from '@survey/questionnaire/json';

/** The chosen options of a multiple choice. An empty `other` is chosen, but has no text yet. */
export interface Choices {
  readonly options: readonly string[];
  readonly other?: string | undefined;
}

/** Reads an answer to a single choice: `"tea"` or `{"option": "other", "text": "…"}`. Invalid answers count as none. */
export function readSingle(answer: unknown): { readonly option: string | undefined; readonly text: string } {
  if (typeof answer === 'string') return { option: answer, text: '' };
  const { option, text } = isObject(answer) ? answer : {};
  return { option: typeof option === 'string' ? option : undefined, text: typeof text === 'string' ? text : '' };
}

/**
 * Reads an answer to a multiple choice: `["soup"]` or `{"options": ["soup"], "other": "…"}`. Invalid answers count as
 * none.
 */
export function readChoices(answer: unknown): Choices {
  const { options, other } = isObject(answer) ? answer : { options: answer, other: undefined };
  return {
    options: itemsOf(options).filter((option) => typeof option === 'string'),
    other: typeof other === 'string' ? other : undefined,
  };
}

/** Reads the answer to a row: the chosen ids, as one id or as several. */
export function readCell(cell: unknown): readonly unknown[] {
  if (cell === undefined) return [];
  return isArray(cell) ? cell : [cell];
}

/**
 * Makes the answer after a change. An added exclusive option replaces all others. Any other addition removes the
 * exclusive options.
 */
export function toAnswer(
  question: QuestionOf<'multiple_choice'>,
  before: Choices,
  { options, other }: Choices,
): readonly string[] | Choices | undefined {
  // Sets, because a question can have thousands of options.
  const exclusive = new Set(question.options.filter((option) => option.exclusive).map(({ id }) => id));
  const chosenBefore = new Set(before.options);
  const added = options.find((id) => !chosenBefore.has(id));
  if (added !== undefined && exclusive.has(added)) return [added];
  const isAddition = added !== undefined || (other !== undefined && before.other === undefined);
  const remaining = isAddition ? options.filter((id) => !exclusive.has(id)) : options;
  if (other !== undefined) return { options: remaining, other };
  return remaining.length === 0 ? undefined : remaining;
}
