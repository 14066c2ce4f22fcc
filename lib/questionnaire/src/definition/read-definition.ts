import { isAbsent, isObject, itemsOf, type JsonObject } from '../json.ts';
import { LIMITS } from '../limits.ts';
import { isQuestionType } from '../schema/question-schema.ts';
import type { Definition, Located, Question } from './definition.ts';
import { isLanguageTag } from './language-tag.ts';

/** Reads a definition, `{schema_version, version, survey}`. Takes any JSON value and never throws. */
export function readDefinition(definition: unknown): Definition {
  const survey = isObject(definition) && isObject(definition.survey) ? definition.survey : {};
  const pages = locatedItems(survey, 'pages', '/survey');
  const questions = readQuestions(pages);
  return {
    survey,
    languages: itemsOf(survey.supported_languages).slice(0, LIMITS.languages).filter(isLanguageTag),
    pages,
    questions,
    byId: firstById(questions),
    sections: locatedItems(survey, 'sections', '/survey'),
    logic: locatedItems(survey, 'logic', '/survey'),
  };
}

/** The objects in a list of `owner`, each with its path. Other items are ignored. */
export function locatedItems(owner: JsonObject, name: string, ownerPath: string): readonly Located[] {
  const path = `${ownerPath}/${name}`;
  const located: Located[] = [];
  for (const [index, source] of itemsOf(owner[name]).entries()) {
    if (isObject(source)) located.push({ path: `${path}/${index}`, source });
  }
  return located;
}

function readQuestions(pages: readonly Located[]): readonly Question[] {
  return pages
    .flatMap((page, index) =>
      locatedItems(page.source, 'questions', page.path).map((located) => ({ located, page: index })),
    )
    .flatMap(({ located, page }) => {
      const type = located.source.type;
      return isQuestionType(type) ? [{ ...located, type, page }] : [];
    })
    .slice(0, LIMITS.questions)
    .map((question, position) => ({ ...question, position, id: idOf(question) }));
}

function idOf({ source, path }: Located): string {
  const id = source.id;
  return isAbsent(id) || typeof id !== 'string' ? path : id;
}

function firstById(questions: readonly Question[]): ReadonlyMap<string, Question> {
  const byId = new Map<string, Question>();
  for (const question of questions) if (!byId.has(question.id)) byId.set(question.id, question);
  return byId;
}
