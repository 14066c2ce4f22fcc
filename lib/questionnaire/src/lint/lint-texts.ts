import type { Definition } from '../definition/definition.ts';
import { placedIn } from '../definition/read-definition.ts';
import { isAbsent, isObject, type JsonObject } from '../json.ts';
import { pointer } from '../pointer.ts';
import type { Report } from './report.ts';

interface Text {
  readonly value: unknown;
  readonly path: string;
  readonly questionId?: string;
}

const SCREENS = ['welcome_screen', 'thank_you_screen'];

/**
 * Reports texts that are neither a string nor translations, and translations that do not fit the languages.
 * A plain string is the same in every language.
 */
export const lintTexts = (definition: Definition, report: Report): void => {
  const declared = new Map(definition.languages.map((language) => [language.toLowerCase(), language]));
  for (const text of textsOf(definition)) lintText(text, declared, report);
  for (const name of SCREENS) {
    const screen = definition.survey[name];
    if (isAbsent(screen) || isObject(screen)) continue;
    report('WRONG_TYPE', `/survey/${name}`, `${name} must be an object with title and description`);
  }
};

const lintText = ({ value, path, questionId }: Text, declared: ReadonlyMap<string, string>, report: Report): void => {
  if (isAbsent(value) || typeof value === 'string') return;
  if (!isObject(value) || !Object.values(value).every((translation) => typeof translation === 'string')) {
    report('WRONG_TYPE', path, 'a text must be a string, or an object of language to string', questionId);
    return;
  }
  // Language tags are compared without regard to case (RFC 5646, section 2.1.1).
  const given = new Set(
    Object.keys(value)
      .filter((tag) => value[tag] !== '')
      .map((tag) => tag.toLowerCase()),
  );
  const missing = [...declared].filter(([key]) => !given.has(key)).map(([, language]) => language);
  if (missing.length > 0) report('MISSING_TRANSLATION', path, `not translated to ${missing.join(', ')}`, questionId);
  for (const language of Object.keys(value)) {
    if (declared.has(language.toLowerCase())) continue;
    const detail = `${language} is not among the languages of the survey`;
    report('UNDECLARED_LANGUAGE', pointer(path, language), detail, questionId);
  }
};

const textsOf = (definition: Definition): readonly Text[] => [
  ...members(definition.survey, '/survey', ['title', 'description']),
  ...SCREENS.flatMap((name) => screenTexts(definition.survey, name)),
  ...definition.pages.flatMap(({ source, path }) => members(source, path, ['title', 'description'])),
  ...definition.sections.flatMap(({ source, path }) => members(source, path, ['title', 'description'])),
  ...definition.questions.flatMap(({ source, path, id }) =>
    [
      ...members(source, path, ['title', 'description']),
      ...['options', 'rows', 'columns'].flatMap((name) =>
        placedIn(source, name, path).flatMap((option) => members(option.source, option.path, ['text'])),
      ),
    ].map((text) => ({ ...text, questionId: id })),
  ),
];

const members = (owner: JsonObject, path: string, names: readonly string[]): readonly Text[] =>
  names.map((name) => ({ value: owner[name], path: `${path}/${name}` }));

const screenTexts = (survey: JsonObject, name: string): readonly Text[] => {
  const screen = survey[name];
  return isObject(screen) ? members(screen, `/survey/${name}`, ['title', 'description']) : [];
};
