import { toOption } from './answers/option-list.ts';
import type { ListItem } from './columns/cell-format.ts';
import type { Question } from './definition/definition.ts';
import { readDefinition } from './definition/read-definition.ts';
import { isObject, itemsOf } from './json.ts';

/** What respondents read in the default language of a survey, instead of ids. */
export interface Labels {
  /** The title of a question; its id where there is none. */
  question(id: string): string;
  /** The text of an option, row or column of a question; its id where there is none. */
  item(questionId: string, item: ListItem): string;
}

type Texts = ReadonlyMap<string, string>;

/**
 * The labels of a definition, `{schema_version, version, survey}`. The default language is the first that it declares; a
 * text that is not translated to it stands in the next declared language that it has, else in any.
 */
export const readLabels = (definition: unknown): Labels => {
  const { byId, languages } = readDefinition(definition);
  const tags = languages.map((language) => language.toLowerCase());
  const lists = new Map<string, Texts>();

  const textsOf = (question: Question, list: ListItem['list']): Texts => {
    const key = `${list} ${question.id}`;
    const known = lists.get(key) ?? readTexts(question.source[list], tags);
    lists.set(key, known);
    return known;
  };

  return {
    question: (id) => textIn(tags, byId.get(id)?.source.title) ?? id,
    item: (questionId, { list, id }) => {
      const question = byId.get(questionId);
      return (question && textsOf(question, list).get(id)) ?? id;
    },
  };
};

const readTexts = (list: unknown, tags: readonly string[]): Texts => {
  const texts = new Map<string, string>();
  for (const item of itemsOf(list)) {
    const id = toOption(item)?.id;
    const text = textIn(tags, isObject(item) ? item.text : item);
    if (id !== undefined && text !== undefined && !texts.has(id)) texts.set(id, text);
  }
  return texts;
};

/** A text, or that of an object of language to text in the first of the languages that it has; undefined when empty. */
const textIn = (tags: readonly string[], text: unknown): string | undefined => {
  if (!isObject(text)) return typeof text === 'string' && text.trim() !== '' ? text : undefined;
  const texts = new Map(
    Object.entries(text).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].trim() !== '',
    ),
  );
  // Language tags are compared without regard to case (RFC 5646, section 2.1.1).
  const byTag = new Map([...texts].map(([language, translation]) => [language.toLowerCase(), translation]));
  const [first] = [...tags.map((tag) => byTag.get(tag)), ...byTag.values()].filter((found) => found !== undefined);
  return first;
};
