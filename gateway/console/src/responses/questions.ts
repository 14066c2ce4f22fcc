import { type Definition, localize, type Question, questionsOf } from '@survey/questionnaire';
import { isObject, itemsOf } from '@survey/questionnaire/json';

/** Reads the questions of a definition, in order. A question without a title has its id in place of it. */
export function readQuestions(definition: Definition, language: string): readonly Question[] {
  return questionsOf(definition, language, { inactive: true }).map((question) =>
    question.title === '' ? { ...question, title: question.id } : question,
  );
}

/** Reads the titles of the pages, in order. They are empty for pages without one. */
export function readPageTitles(definition: Definition, language: string): readonly string[] {
  const pages = itemsOf(isObject(definition) ? definition.pages : undefined);
  return pages.map((page) => localize(definition, isObject(page) ? page.title : undefined, language));
}
