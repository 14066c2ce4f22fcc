import type { AddressParameters, PrefillParameters } from './address/address-parameters.ts';
import { readPrefill } from './address/prefill.ts';
import type { AnswerCode } from './answers/answer-codes.ts';
import { createBrowserPatternCompiler } from './answers/patterns/browser-pattern.ts';
import { type CompiledDefinition, compileWith } from './compiled-definition.ts';
import { isObject, itemsOf } from './json.ts';
import { lookUpOrder, textIn } from './labels.ts';

export { takeParameters } from './address/address-parameters.ts';
export { readNumber } from './answers/text-formats.ts';
export { findLanguage } from './labels.ts';

import {
  type Question,
  type QuestionItem,
  type QuestionOf,
  type QuestionOption,
  readQuestions,
} from './definition/questions.ts';
import type { Problem } from './problem.ts';
import type { ResponseData, ValidateOptions, Validation } from './validate.ts';

export type { SurveyDefinition } from './schema/definition-schema.ts';
export type {
  AddressParameters,
  AnswerCode,
  PrefillParameters,
  Problem,
  Question,
  QuestionItem,
  QuestionOf,
  QuestionOption,
  ResponseData,
  ValidateOptions,
  Validation,
};

/**
 * The definition of a survey: the member `definition` of a survey of the API. Each object is compiled once, so do not
 * change it.
 */
export type Definition = object;

/**
 * Answers by question id, as they are sent in `data`. Invalid answers count as unanswered in logic. Only
 * `validateAnswers` rejects options that are no longer offered, unless its option `inactive` is set.
 */
export type Answers = { readonly [questionId: string]: unknown };

/** A page with at least one visible question, or without questions. */
export interface VisiblePage {
  /** Position in `pages` of the definition, from 0. */
  readonly index: number;
  /** Ids of its visible questions, in order. */
  readonly questions: readonly string[];
}

/** Caches compiled definitions, because compiling is slow. An entry goes when its definition is garbage-collected. */
const compiled = new WeakMap<Definition, CompiledDefinition>();

function compile(definition: Definition): CompiledDefinition {
  const cached = compiled.get(definition);
  if (cached !== undefined) return cached;
  const created = compileWith(createBrowserPatternCompiler(), { survey: definition });
  compiled.set(definition, created);
  return created;
}

/**
 * Returns all questions in order, ready to be shown: with the ids and texts of options and rows, and with defaults of
 * missing members. Questions of a type that this version does not know are omitted.
 *
 * @param language a language tag (RFC 5646) for texts; the first declared language by default
 * @param options `inactive` includes options, rows and columns that are no longer offered, to show stored answers
 */
export function questionsOf(
  definition: Definition,
  language?: string,
  { inactive = false }: { readonly inactive?: boolean } = {},
): readonly Question[] {
  return readQuestions(definition, language, inactive);
}

/**
 * Returns the ids of the visible questions, in order.
 *
 * @param language language tag of the respondent, to read decimal commas in the answers
 */
export function visibleQuestions(definition: Definition, answers: Answers, language?: string): readonly string[] {
  return compile(definition).applyTo(answers, language).visible;
}

/** Returns the ids of the visible questions that must be answered, in order. See `visibleQuestions`. */
export function requiredQuestions(definition: Definition, answers: Answers, language?: string): readonly string[] {
  return compile(definition).applyTo(answers, language).required;
}

/** Whether a rule disqualifies the respondent, who then gets no further questions. See `visibleQuestions`. */
export function isDisqualified(definition: Definition, answers: Answers, language?: string): boolean {
  return compile(definition).applyTo(answers, language).disqualified;
}

/**
 * Validates answers like the server: the codes, paths and texts of errors are the same, except for patterns that
 * browsers cannot test.
 *
 * @param options `partial` does not report missing answers, to save a response in progress. `language` of the
 *   respondent is needed to read decimal commas, if the survey has several languages.
 */
export function validateAnswers(definition: Definition, answers: Answers, options?: ValidateOptions): Validation {
  return compile(definition).validate(answers, options);
}

/**
 * Reads answers from the parameters `a.<question>` of an address: ids or texts of options, numbers, dates, times and
 * texts. Rows, and the text of `other`, have a parameter `a.<question>.<row>` or `a.<question>.other` each. Omits values
 * that `validateAnswers` rejects, and files. Includes answers to hidden questions.
 *
 * @param prefill the parameters from `takeParameters`
 * @param language language tag of the respondent, to read decimal commas
 */
export function prefilledAnswers(definition: Definition, prefill: PrefillParameters, language?: string): Answers {
  const { checkAnswer } = compile(definition);
  const options = { lenient: true, language };
  return readPrefill(questionsOf(definition), (id) => (value) => checkAnswer(id, value, options), prefill);
}

/**
 * Returns the pages to show, in order. The page after the current one is the next in this list. Compute the list again
 * when an answer changes.
 */
export function visiblePages(definition: Definition, answers: Answers, language?: string): readonly VisiblePage[] {
  const visible = new Set(visibleQuestions(definition, answers, language));
  return itemsOf(memberOf(definition, 'pages')).flatMap((page, index) => {
    const ids = itemsOf(isObject(page) ? page.questions : undefined).flatMap((question) =>
      isObject(question) && typeof question.id === 'string' ? [question.id] : [],
    );
    const questions = ids.filter((id) => visible.has(id));
    return questions.length > 0 || ids.length === 0 ? [{ index, questions }] : [];
  });
}

/**
 * Returns a text of the definition in a language. Without a translation, tries the declared languages of the survey in
 * order, then any other language. Returns an empty text if the text is absent.
 *
 * @param text a text, or texts by language tag, such as the title of a question
 * @param language a language tag (RFC 5646); finds the nearest declared one
 */
export function localize(definition: Definition, text: unknown, language: string): string {
  const declared = itemsOf(memberOf(definition, 'supported_languages')).map(String);
  return textIn(lookUpOrder(declared, language), text) ?? '';
}

function memberOf(definition: Definition, name: string): unknown {
  return isObject(definition) ? definition[name] : undefined;
}
