import type { ListName } from '../columns/cell-format.ts';
import { isAbsent, isObject, type JsonObject } from '../json.ts';
import { LIMITS } from '../limits.ts';
import { once } from '../once.ts';
import { fits } from '../schema/check.ts';
import { badOption, option as optionSchema } from '../schema/option-schema.ts';
import type { QuestionTypeName } from '../schema/question-schema.ts';
import { OTHER } from './answer-value.ts';
import { isBlank, toNfc } from './plain-text.ts';
import type { QuestionMembers } from './question-members.ts';

interface Option {
  readonly id: string;
  /** The text in all languages. */
  readonly texts: readonly string[];
  /** Whether the option cannot be chosen together with others. */
  readonly exclusive: boolean;
  /** Whether the option is no longer offered to respondents. */
  readonly inactive: boolean;
}

/** The options, rows or columns of a question, in order. */
export interface OptionList {
  readonly ids: readonly string[];
  /** The ids of the options that respondents can choose. */
  readonly activeIds: readonly string[];
  /** Whether some options are no longer offered. */
  readonly hasInactive: boolean;
  has(id: string): boolean;
  get(id: string): Option | undefined;
  /** Sorts items in place by the order of their ids in the list. Returns undefined if an id occurs twice. */
  inOrder<Item>(items: Item[], idOf: (item: Item) => string): readonly Item[] | undefined;
  /** Finds an option by id, else by a text that only one option has. */
  resolve(text: string): { readonly id: string } | 'unknown' | 'ambiguous';
}

/** Reads a required list of a question, and reports errors in it. */
export function readOptionList(
  members: Pick<QuestionMembers<QuestionTypeName>, 'list' | 'report'>,
  name: ListName,
): OptionList {
  const items = members.list(name);
  if (items.length === 0) members.report('MISSING_OPTIONS', name, `the question has no ${name}`);

  const options: Option[] = [];
  const positions = new Map<string, number>();
  items.slice(0, LIMITS.options).forEach((item, index) => {
    const option = toOption(item);
    if (option === undefined) {
      // The check of the shape reports items that do not fit the schema.
      if (fits(optionSchema, item)) members.report(badOption.code, `${name}/${index}`, badOption.detail(name));
    } else if (positions.has(option.id)) {
      members.report('DUPLICATE_OPTION', `${name}/${index}`, `the id ${option.id} is already used in this list`);
    } else {
      if (name === 'options' && option.id === OTHER) {
        members.report('RESERVED_OPTION', `${name}/${index}`, `the id ${OTHER} is reserved; use allow_other`);
      }
      positions.set(option.id, options.length);
      options.push(option);
    }
  });
  if (options.length > 0 && options.every(({ inactive }) => inactive)) {
    members.report('MISSING_OPTIONS', name, `all ${name} of the question are inactive`);
  }
  return createOptionList(options, positions);
}

function createOptionList(options: readonly Option[], positions: ReadonlyMap<string, number>): OptionList {
  const byText = once(() => indexTexts(options));
  const positionOf = (id: string): number => positions.get(id) ?? -1;
  return {
    ids: options.map((option) => option.id),
    activeIds: options.filter((option) => !option.inactive).map((option) => option.id),
    hasInactive: options.some(({ inactive }) => inactive),
    has: (id) => positions.has(id),
    get: (id) => options[positionOf(id)],
    inOrder: (items, idOf) => {
      // Most answers are in order already.
      if (isAscending(items, (item) => positionOf(idOf(item)))) return items;
      items.sort((one, other) => positionOf(idOf(one)) - positionOf(idOf(other)));
      return isAscending(items, (item) => positionOf(idOf(item))) ? items : undefined;
    },
    resolve: (text) => {
      const exact = toNfc(text);
      if (positions.has(exact)) return { id: exact };
      const ids = byText().get(exact.trim());
      if (ids === undefined) return 'unknown';
      const [id, ...others] = ids;
      return id === undefined || others.length > 0 ? 'ambiguous' : { id };
    },
  };
}

function isAscending<Item>(items: readonly Item[], positionOf: (item: Item) => number): boolean {
  let last = -1;
  for (const item of items) {
    const position = positionOf(item);
    if (position <= last) return false;
    last = position;
  }
  return true;
}

function indexTexts(options: readonly Option[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byText = new Map<string, Set<string>>();
  for (const { id, texts } of options) {
    for (const text of texts) byText.set(text, (byText.get(text) ?? new Set()).add(id));
  }
  return byText;
}

/** Reads an option, row or column. Returns undefined if it is invalid. */
export function toOption(item: unknown): Option | undefined {
  if (typeof item === 'string') return toOption({ text: item });
  if (!isObject(item)) return undefined;
  const texts = textsOf(item);
  const id = isAbsent(item.id) ? idFromText(texts[0]) : item.id;
  const exclusive = item.exclusive ?? false;
  const inactive = item.inactive ?? false;
  if (typeof id !== 'string' || isBlank(id)) return undefined;
  if (typeof exclusive !== 'boolean' || typeof inactive !== 'boolean') return undefined;
  return { id: toNfc(id), texts, exclusive, inactive };
}

function textsOf({ text }: JsonObject): readonly string[] {
  return (isObject(text) ? Object.values(text) : [text])
    .filter((value) => typeof value === 'string')
    .map((value) => toNfc(value).trim())
    .filter((value) => value !== '');
}

/** Without an id, the text is the id, so clients can send the text that respondents see. `other` is reserved. */
function idFromText(text: string | undefined): string | undefined {
  return text === OTHER ? `${OTHER}_option` : text;
}
