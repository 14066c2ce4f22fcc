import { type Definition, localize, type Question, questionsOf } from '@survey/questionnaire';
import { isObject, itemsOf } from '@survey/questionnaire/json';

/**
 * Reads the questions of a definition, in order, with options, rows and columns that are no longer offered. A question
 * without a title gets its id as the title.
 */
export function readQuestions(definition: Definition, language: string): readonly Question[] {
  return questionsOf(definition, language, { inactive: true }).map((question) =>
    question.title === '' ? { ...question, title: question.id } : question,
  );
}

/** Reads the titles of the pages, in order. The title of a page without one is empty. */
export function readPageTitles(definition: Definition, language: string): readonly string[] {
  const pages = itemsOf(isObject(definition) ? definition.pages : undefined);
  return pages.map((page) => localize(definition, isObject(page) ? page.title : undefined, language));
}
