import type { Definition } from '../definition/definition.ts';
import { locatedItems } from '../definition/read-definition.ts';
import { isAbsent, isObject, type JsonObject } from '../json.ts';
import { pointer } from '../pointer.ts';
import type { Report } from './report.ts';

interface Text {
  readonly value: unknown;
  readonly path: string;
  readonly questionId?: string;
}

const NAMED_LANGUAGES = 20;
const SCREENS = ['welcome_screen', 'thank_you_screen'];

/**
 * Reports texts of the wrong type, and missing or undeclared translations. A plain string is valid for every language.
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
    report('WRONG_TYPE', path, 'a text must be a string, or an object with a string for each language', questionId);
    return;
  }
  const missing = missingLanguages(value, declared);
  if (missing !== undefined)
    report('MISSING_TRANSLATION', path, `the text has no translation to ${missing}`, questionId);
  for (const language of Object.keys(value)) {
    if (declared.has(language.toLowerCase())) continue;
    const detail = `${language} is not in supported_languages`;
    report('UNDECLARED_LANGUAGE', pointer(path, language), detail, questionId);
  }
};

/** The declared languages without a translation: up to `NAMED_LANGUAGES` by name, then their number. */
const missingLanguages = (translations: JsonObject, declared: ReadonlyMap<string, string>): string | undefined => {
  // Language tags are compared without regard to case (RFC 5646, section 2.1.1).
  const given = new Set<string>();
  for (const [tag, translation] of Object.entries(translations)) {
    if (translation !== '' && declared.has(tag.toLowerCase())) given.add(tag.toLowerCase());
  }
  const count = declared.size - given.size;
  if (count === 0) return undefined;
  const names: string[] = [];
  for (const [key, language] of declared) {
    if (names.length === NAMED_LANGUAGES) break;
    if (!given.has(key)) names.push(language);
  }
  return names.join(', ') + (count > names.length ? ` and ${count - names.length} more` : '');
};

const textsOf = (definition: Definition): readonly Text[] => [
  ...members(definition.survey, '/survey', ['title', 'description']),
  ...SCREENS.flatMap((name) => screenTexts(definition.survey, name)),
  ...definition.pages.flatMap(({ source, path }) => members(source, path, ['title', 'description'])),
  ...definition.sections.flatMap(({ source, path }) => members(source, path, ['title', 'description'])),
  ...definition.questions.flatMap(({ source, path, id }) =>
    [
      ...members(source, path, ['title', 'description']),
      ...labelTexts(source, path),
      ...['options', 'rows', 'columns'].flatMap((name) =>
        locatedItems(source, name, path).flatMap((option) => members(option.source, option.path, ['text'])),
      ),
    ].map((text) => ({ ...text, questionId: id })),
  ),
];

const members = (owner: JsonObject, path: string, names: readonly string[]): readonly Text[] =>
  names.map((name) => ({ value: owner[name], path: `${path}/${name}` }));

/** The labels of a rating: an object with texts by value, or a list of texts. */
const labelTexts = ({ type, labels }: JsonObject, path: string): readonly Text[] =>
  type === 'rating' && typeof labels === 'object' && labels !== null
    ? Object.entries(labels).map(([name, value]) => ({ value, path: pointer(`${path}/labels`, name) }))
    : [];

const screenTexts = (survey: JsonObject, name: string): readonly Text[] => {
  const screen = survey[name];
  return isObject(screen) ? members(screen, `/survey/${name}`, ['title', 'description']) : [];
};
