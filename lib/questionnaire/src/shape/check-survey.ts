import { isQuestionType, QUESTION_TYPE_NAMES } from '../answers/answer-types.ts';
import type { Located } from '../definition/definition.ts';
import { isLanguageTag } from '../definition/language-tag.ts';
import { locatedItems } from '../definition/read-definition.ts';
import { isAbsent, isArray, isObject, type JsonObject } from '../json.ts';
import { LIMITS } from '../limits.ts';
import type { Report } from '../lint/report.ts';
import { checkTitle } from './check-title.ts';

/** Checks the title, languages and pages with their questions, and that logic and sections are lists. */
export const checkSurvey = (definition: JsonObject, report: Report): void => {
  const survey = definition.survey;
  if (isAbsent(survey)) {
    report('MISSING_MEMBER', '/survey', 'survey is missing');
    return;
  }
  if (!isObject(survey)) {
    report('WRONG_TYPE', '/survey', 'survey must be an object');
    return;
  }

  checkTitle(survey.title, '/survey/title', report);
  checkLanguages(survey.supported_languages, report);
  checkPages(survey, report);
  checkLogic(survey, report);
  checkObjects(survey, 'sections', '/survey', report);
};

const checkLanguages = (languages: unknown, report: Report): void => {
  const path = '/survey/supported_languages';
  if (!isAbsent(languages) && !isArray(languages)) {
    report('WRONG_TYPE', path, 'supported_languages must be an array of language tags');
    return;
  }
  if (isAbsent(languages) || languages.length === 0) {
    report('MISSING_LANGUAGE', path, 'at least one language must be declared');
    return;
  }
  languages.slice(0, LIMITS.languages).forEach((language, index) => {
    if (!isLanguageTag(language))
      report('BAD_LANGUAGE', `${path}/${index}`, 'the language must be a BCP 47 tag such as "en"');
  });
};

const checkPages = (survey: JsonObject, report: Report): void => {
  if (isAbsent(survey.pages)) {
    report('MISSING_MEMBER', '/survey/pages', 'pages is missing');
    return;
  }
  for (const page of checkObjects(survey, 'pages', '/survey', report)) {
    if (isAbsent(page.source.questions)) {
      report('MISSING_MEMBER', `${page.path}/questions`, 'questions is missing');
    }
    for (const question of checkObjects(page.source, 'questions', page.path, report)) {
      checkQuestion(question.source, question.path, report);
    }
  }
};

const checkLogic = (survey: JsonObject, report: Report): void => {
  for (const entry of checkObjects(survey, 'logic', '/survey', report)) {
    checkObjects(entry.source, 'conditions', entry.path, report);
  }
};

/** Checks that an optional member is a list of objects, and returns the objects. */
const checkObjects = (owner: JsonObject, name: string, ownerPath: string, report: Report): readonly Located[] => {
  const list = owner[name];
  const path = `${ownerPath}/${name}`;
  if (isAbsent(list)) return [];
  if (!isArray(list)) {
    report('WRONG_TYPE', path, `${name} must be an array`);
    return [];
  }
  list.forEach((item, index) => {
    if (!isObject(item)) report('WRONG_TYPE', `${path}/${index}`, `every item of ${name} must be an object`);
  });
  return locatedItems(owner, name, ownerPath);
};

/** Checks that a question has a known type and a title, and that its id, if any, is a string. */
const checkQuestion = (question: JsonObject, path: string, report: Report): void => {
  const { id, type, title } = question;
  const questionId = typeof id === 'string' ? id : undefined;
  if (!isAbsent(id) && typeof id !== 'string') report('WRONG_TYPE', `${path}/id`, 'the id must be a string');
  if (isAbsent(type)) report('MISSING_MEMBER', `${path}/type`, 'the question has no type', questionId);
  else if (!isQuestionType(type)) {
    report('UNKNOWN_TYPE', `${path}/type`, `the type must be one of ${QUESTION_TYPE_NAMES.join(', ')}`, questionId);
  }
  checkTitle(title, `${path}/title`, report, questionId);
};
