import {
  type Answers,
  type Definition,
  questionsOf,
  requiredQuestions,
  type VisiblePage,
  validateAnswers,
  visiblePages,
} from '@survey/questionnaire';
import { ownMember } from '@survey/questionnaire/json';
import type { Progress } from './progress.ts';

/** A page to show, and its position among the visible ones. */
export interface Step {
  readonly page: VisiblePage;
  /** From 1. */
  readonly number: number;
  readonly count: number;
  /** Positions of the neighbouring visible pages in the definition; undefined at the ends. */
  readonly previous: number | undefined;
  readonly next: number | undefined;
}

/**
 * Finds the page at a position in the definition. If logic hides it now, returns the last visible page before it, or
 * else the first visible one. Returns undefined for a survey without visible pages.
 */
export function stepAt(definition: Definition, answers: Answers, position: number): Step | undefined {
  const pages = visiblePages(definition, answers);
  const pageIndex = Math.max(
    0,
    pages.findLastIndex(({ index }) => index <= position),
  );
  const page = pages[pageIndex];
  if (page === undefined) return undefined;
  return {
    page,
    number: pageIndex + 1,
    count: pages.length,
    previous: pages[pageIndex - 1]?.index,
    next: pages[pageIndex + 1]?.index,
  };
}

/** The position at which answers from another device are continued: after the last page with an answer. */
export function positionAfter(definition: Definition, answers: Answers): number {
  const pages = visiblePages(definition, answers);
  const isAnswered = ({ questions }: VisiblePage) => questions.some((id) => ownMember(answers, id) !== undefined);
  const visible = pages.flatMap(({ questions }) => questions);
  const errors = errorsIn(definition, answers, visible);
  const firstError = pages.findIndex(({ questions }) => questions.some((id) => errors.has(id)));
  const next = Math.min(pages.findLastIndex(isAnswered) + 1, pages.length - 1);
  return pages[firstError === -1 ? next : Math.min(firstError, next)]?.index ?? 0;
}

/**
 * The changes of the progress when a page is shown. Answers from the address to its questions become answers of the
 * respondent, who sees them now. Earlier answers stay.
 */
export function shownPage({ survey, answers, prefill }: Progress, position: number): Partial<Progress> {
  if (prefill === undefined || position < 0) return { page: position };
  const { definition } = survey;
  const index = stepAt(definition, answers, position)?.page.index;
  const ids = new Set(questionsOf(definition).flatMap(({ id, page }) => (page === index ? [id] : [])));
  const entries = Object.entries(prefill);
  return {
    page: position,
    answers: { ...Object.fromEntries(entries.filter(([id]) => ids.has(id))), ...answers },
    prefill: Object.fromEntries(entries.filter(([id]) => !ids.has(id))),
  };
}

/** Codes of errors by question id: those of the platform, and those of uploads. */
export type QuestionErrors = ReadonlyMap<string, string>;

/** Errors in the answers to questions, such as those of a page. */
export function errorsIn(definition: Definition, answers: Answers, questions: readonly string[]): QuestionErrors {
  const { errors } = validateAnswers(definition, answers);
  const wanted = new Set(questions);
  return new Map(
    errors.flatMap(({ question_id: id, code }) => (id !== undefined && wanted.has(id) ? [[id, code]] : [])),
  );
}

/** The valid answers to visible questions. Answers of pages after the sent page may still be invalid. */
export function validAnswers({ survey, answers }: Pick<Progress, 'survey' | 'answers'>): Answers {
  return validateAnswers(survey.definition, answers, { partial: true }).data;
}

/** Returns a function that reports whether a question must be answered, by its definition or by logic. */
export function createIsRequired(definition: Definition, answers: Answers): (questionId: string) => boolean {
  const required = new Set(requiredQuestions(definition, answers));
  return (id) => required.has(id);
}

/** Returns the answers with another answer to a question; undefined removes it. */
export function withAnswer(answers: Answers, questionId: string, answer: unknown): Answers {
  const { [questionId]: _old, ...others } = answers;
  return answer === undefined ? others : { ...others, [questionId]: answer };
}
