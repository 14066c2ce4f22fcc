import { isQuestionType } from '../answers/answer-types.ts';
import { isAbsent, isObject, itemsOf, type JsonObject } from '../json.ts';
import { LIMITS } from '../limits.ts';
import type { Definition, Placed, Question } from './definition.ts';
import { isLanguageTag } from './language-tag.ts';

/** Reads the creation payload `{schema_version, version, survey}`; takes any JSON value and never throws. */
export const readDefinition = (definition: unknown): Definition => {
  const survey = isObject(definition) && isObject(definition.survey) ? definition.survey : {};
  const pages = placedIn(survey, 'pages', '/survey');
  const questions = readQuestions(pages);
  return {
    survey,
    languages: itemsOf(survey.supported_languages).slice(0, LIMITS.languages).filter(isLanguageTag),
    pages,
    questions,
    byId: firstById(questions),
    sections: placedIn(survey, 'sections', '/survey'),
    logic: placedIn(survey, 'logic', '/survey'),
  };
};

/** The objects in a list member of `owner`, each with its path. */
export const placedIn = (owner: JsonObject, name: string, ownerPath: string): readonly Placed[] => {
  const path = `${ownerPath}/${name}`;
  const placed: Placed[] = [];
  for (const [index, source] of itemsOf(owner[name]).entries()) {
    if (isObject(source)) placed.push({ path: `${path}/${index}`, source });
  }
  return placed;
};

const readQuestions = (pages: readonly Placed[]): readonly Question[] =>
  pages
    .flatMap((page, index) => placedIn(page.source, 'questions', page.path).map((placed) => ({ placed, page: index })))
    .flatMap(({ placed, page }) => {
      const type = placed.source.type;
      return isQuestionType(type) ? [{ ...placed, type, page }] : [];
    })
    .slice(0, LIMITS.questions)
    .map((question, position) => ({ ...question, position, id: idOf(question) }));

const idOf = ({ source, path }: Placed): string => {
  const id = source.id;
  return isAbsent(id) || typeof id !== 'string' ? path : id;
};

const firstById = (questions: readonly Question[]): ReadonlyMap<string, Question> => {
  const byId = new Map<string, Question>();
  for (const question of questions) if (!byId.has(question.id)) byId.set(question.id, question);
  return byId;
};
