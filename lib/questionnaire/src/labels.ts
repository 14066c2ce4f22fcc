import { toOption } from './answers/option-list.ts';
import type { ListItem } from './columns/cell-format.ts';
import type { Question } from './definition/definition.ts';
import { foldTag } from './definition/language-tag.ts';
import { readDefinition } from './definition/read-definition.ts';
import { isObject, itemsOf } from './json.ts';

/** The texts that respondents see, instead of ids. */
export interface Labels {
  /** The title of a question, else its id. */
  question(id: string): string;
  /** The text of an option, row or column, else its id. */
  item(questionId: string, item: ListItem): string;
  findTitle(questionId: string): string | undefined;
  findText(questionId: string, item: ListItem): string | undefined;
  /** The titles of the pages in order; undefined for a page without title. */
  readonly pages: readonly (string | undefined)[];
}

type Texts = ReadonlyMap<string, string>;

/** Variants of a language whose scripts are compared, which is slow. */
const MAX_VARIANTS = 20;

/**
 * Reads the labels of a definition, `{schema_version, version, survey}`. If a translation is missing, the next declared
 * language is used, then any other.
 *
 * @param language a language tag; finds the nearest declared one (default: the first declared language)
 */
export function readLabels(definition: unknown, language?: string): Labels {
  const { byId, languages, pages } = readDefinition(definition);
  const tags = lookUpOrder(languages, language);
  const lists = new Map<string, Texts>();

  const textsOf = (question: Question, list: ListItem['list']): Texts => {
    const key = `${list} ${question.id}`;
    const texts = lists.get(key) ?? readTexts(question.source[list], tags);
    lists.set(key, texts);
    return texts;
  };

  const findTitle = (id: string) => textIn(tags, byId.get(id)?.source.title);
  const findText = (questionId: string, { list, id }: ListItem) => {
    const question = byId.get(questionId);
    return question && textsOf(question, list).get(id);
  };
  return {
    question: (id) => findTitle(id) ?? id,
    item: (questionId, item) => findText(questionId, item) ?? item.id,
    findTitle,
    findText,
    pages: pages.map(({ source }) => textIn(tags, source.title)),
  };
}

/**
 * Finds the declared language that is nearest to the first wanted one that has any: the same one, a more general one
 * (`de` for `de-AT`), or another variant of it (`de-CH`), if possible in the same script. Case does not matter, `_` is
 * `-`, and a code set of a locale (`pt_BR.UTF-8`) is ignored.
 *
 * @param wanted language tags in order of preference
 */
export function findLanguage(declared: readonly string[], wanted: readonly string[]): string | undefined {
  const folded = declared.map((tag) => ({ tag, key: foldTag(tag) }));
  for (const key of wanted.map(foldTag)) {
    const parts = key.split('-');
    const general = parts.map((_, index) => parts.slice(0, parts.length - index).join('-'));
    const [found] = general.flatMap((one) => folded.find((other) => other.key === one) ?? []);
    if (found !== undefined) return found.tag;
    const variants = folded.filter((one) => one.key.startsWith(`${parts[0]}-`)).slice(0, MAX_VARIANTS);
    const script = scriptOf(key);
    const nearest = variants.find((one) => scriptOf(one.key) === script) ?? variants[0];
    if (nearest !== undefined) return nearest.tag;
  }
  return undefined;
}

/** The script of a language, written or likely: `hant` for `zh-tw`. */
function scriptOf(key: string): string | undefined {
  const [language = '', second = ''] = key.split('-', 2);
  if (/^[a-z]{4}$/.test(second)) return second;
  const hasRegion = /^(?:[a-z]{2}|\d{3})$/.test(second);
  try {
    return new Intl.Locale(hasRegion ? `${language}-${second}` : language).maximize().script?.toLowerCase();
  } catch {
    // Definitions and browsers can have tags that are not well formed.
    return undefined;
  }
}

/** The languages that a definition (the member `survey`) declares, the default one first. */
export function declaredLanguages(definition: unknown): readonly string[] {
  const declared = isObject(definition) ? definition.supported_languages : undefined;
  return itemsOf(declared).filter((tag) => typeof tag === 'string');
}

/** Returns the languages in the order in which texts are looked up in them: the nearest one first. For `textIn`. */
export function lookUpOrder(declared: readonly string[], language?: string): readonly string[] {
  if (language === undefined) return declared.map(foldTag);
  const nearest = findLanguage(declared, [language]);
  return [language, ...(nearest === undefined ? [] : [nearest]), ...declared].map(foldTag);
}

/** Returns the texts of options, rows or columns by id. For `tags`, see `textIn`. */
export function readTexts(list: unknown, tags: readonly string[]): Texts {
  const texts = new Map<string, string>();
  for (const item of itemsOf(list)) {
    const id = toOption(item)?.id;
    const text = textIn(tags, isObject(item) ? item.text : item);
    if (id !== undefined && text !== undefined && !texts.has(id)) texts.set(id, text);
  }
  return texts;
}

/**
 * Returns the text. Of several translations, returns the first in the order of `tags`, else any. `tags` are of
 * `lookUpOrder`. Returns undefined if there is no text.
 */
export function textIn(tags: readonly string[], text: unknown): string | undefined {
  if (!isObject(text)) return typeof text === 'string' && text.trim() !== '' ? text : undefined;
  const texts = new Map(
    Object.entries(text).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].trim() !== '',
    ),
  );
  const byTag = new Map([...texts].map(([language, translation]) => [foldTag(language), translation]));
  const [first] = [...tags.map((tag) => byTag.get(tag)), ...byTag.values()].filter((found) => found !== undefined);
  return first;
}
