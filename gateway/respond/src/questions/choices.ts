import type { QuestionOf } from '@survey/questionnaire';

/** The chosen options of a multiple choice. An empty `other` is chosen, but has no text yet. */
export interface Choices {
  readonly options: readonly string[];
  readonly other?: string | undefined;
}

/** Reads an answer to a single choice: `"tea"` or `{"option": "other", "text": "…"}`. */
export function readSingle(answer: unknown): { readonly option: string | undefined; readonly text: string } {
  if (typeof answer === 'string') return { option: answer, text: '' };
  const { option, text } = (answer ?? {}) as { readonly option?: string; readonly text?: string };
  return { option, text: text ?? '' };
}

/** Reads an answer to a multiple choice: `["soup"]` or `{"options": ["soup"], "other": "…"}`. */
export function readChoices(answer: unknown): Choices {
  if (Array.isArray(answer)) return { options: answer };
  const { options = [], other } = (answer ?? {}) as Partial<Choices>;
  return { options, other };
}

/**
 * Makes the answer after a change. If an exclusive option was added, it is the only one; if another one was added,
 * exclusive ones are removed.
 */
export function toChoices(
  question: QuestionOf<'multiple_choice'>,
  before: Choices,
  { options, other }: Choices,
): readonly string[] | Choices | undefined {
  const isExclusive = (id: string) => question.options.some((option) => option.id === id && option.exclusive);
  const added = options.find((id) => !before.options.includes(id));
  if (added !== undefined && isExclusive(added)) return [added];
  const isChanged = added !== undefined || (other !== undefined && before.other === undefined);
  const kept = isChanged ? options.filter((id) => !isExclusive(id)) : options;
  if (other !== undefined) return { options: kept, other };
  return kept.length === 0 ? undefined : kept;
}
