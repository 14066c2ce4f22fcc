import { toOption } from '@survey/questionnaire/answers/option-list';
import type { ListName } from '@survey/questionnaire/columns/cell-format';
import type { Question } from '@survey/questionnaire/definition/definition';
import { itemsOf } from '@survey/questionnaire/json';
import { toExactKey, toLooseKey } from './heading-key.ts';

/** Ids of the items with a text; more than one if the text is ambiguous. */
export type FindItems = (list: ListName, text: string) => readonly string[];

interface ItemNames {
  readonly ids: ReadonlySet<string>;
  readonly exact: ReadonlyMap<string, ReadonlySet<string>>;
  readonly loose: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Finds options, rows and columns of a question by id, by text in any language, or by a text that differs only in case,
 * white space, HTML or punctuation at its end.
 */
export function createFindItems({ source }: Pick<Question, 'source'>): FindItems {
  const lists = new Map<ListName, ItemNames>();
  return (list, text) => {
    const names = lists.get(list) ?? namesOf(source[list]);
    lists.set(list, names);
    const exact = toExactKey(text);
    if (names.ids.has(exact)) return [exact];
    return [...(names.exact.get(exact) ?? names.loose.get(toLooseKey(text)) ?? [])];
  };
}

const MAX_MARKS = 50;

/** Maximum length of the texts that match a text of this length. They can have more spaces, tags and marks. */
export function maxMatchingLength(length: number): number {
  return 2 * length + MAX_MARKS;
}

/** Length of the longest text that `FindItems` can find in a list, with some tolerance. */
export function longestText({ source }: Pick<Question, 'source'>, list: ListName): number {
  const texts = itemsOf(source[list]).flatMap((item) => {
    const option = toOption(item);
    return option === undefined ? [] : [option.id, ...option.texts];
  });
  return maxMatchingLength(texts.reduce((longest, text) => Math.max(longest, text.length), 0));
}

function namesOf(list: unknown): ItemNames {
  const options = itemsOf(list).flatMap((item) => toOption(item) ?? []);
  const exact = new Map<string, Set<string>>();
  const loose = new Map<string, Set<string>>();
  for (const { id, texts } of options) {
    for (const text of texts) {
      addToSet(exact, toExactKey(text), id);
      addToSet(loose, toLooseKey(text), id);
    }
  }
  loose.delete('');
  return { ids: new Set(options.map(({ id }) => id)), exact, loose };
}

/** Adds a value to the set of a key. */
export function addToSet(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}
