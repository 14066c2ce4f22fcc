import { isAbsent, isArray, isObject, type JsonObject } from '../json.ts';
import { LIMITS } from '../limits.ts';
import { OTHER } from './answer-value.ts';
import { toNfc } from './plain-text.ts';
import type { QuestionMembers } from './question-members.ts';

export interface Option {
  readonly id: string;
  /** All texts it is known by: one, or one for each language. */
  readonly texts: readonly string[];
  /** Whether it excludes all others. */
  readonly exclusive: boolean;
}

/** The options, rows or columns of a question in their order. */
export interface OptionList {
  readonly options: readonly Option[];
  readonly ids: readonly string[];
  has(id: string): boolean;
  get(id: string): Option | undefined;
  /** The id that a text means: an id, else the text of exactly one option. */
  resolve(text: string): { readonly id: string } | 'unknown' | 'ambiguous';
}

type ListName = 'options' | 'rows' | 'columns';

/** Reads a list that the question cannot do without, and reports what is wrong with it. */
export const readOptionList = (members: QuestionMembers, name: ListName): OptionList => {
  const given = members.get(name);
  if (!isAbsent(given) && !isArray(given)) members.report('WRONG_TYPE', name, `${name} must be an array`);
  const items = isArray(given) ? given : [];
  if (items.length === 0) members.report('MISSING_OPTIONS', name, `the question has no ${name}`);

  const byId = new Map<string, Option>();
  items.slice(0, LIMITS.options).forEach((item, index) => {
    const option = toOption(item);
    if (option === undefined) {
      members.report(
        'BAD_OPTION',
        `${name}/${index}`,
        'must be a text, or an object with an id or a text, and exclusive true or false',
      );
    } else if (byId.has(option.id)) {
      members.report('DUPLICATE_OPTION', `${name}/${index}`, `the id ${option.id} is taken by one before it`);
    } else {
      if (name === 'options' && option.id === OTHER) {
        members.report('RESERVED_OPTION', `${name}/${index}`, `the id ${OTHER} is reserved; use allow_other`);
      }
      byId.set(option.id, option);
    }
  });
  return createOptionList(byId);
};

const createOptionList = (byId: ReadonlyMap<string, Option>): OptionList => {
  const options = [...byId.values()];
  const byText = indexTexts(options);
  return {
    options,
    ids: options.map((option) => option.id),
    has: (id) => byId.has(id),
    get: (id) => byId.get(id),
    resolve: (text) => {
      const exact = toNfc(text);
      if (byId.has(exact)) return { id: exact };
      const ids = byText.get(exact.trim());
      if (ids === undefined) return 'unknown';
      const [id, ...others] = ids;
      return id === undefined || others.length > 0 ? 'ambiguous' : { id };
    },
  };
};

const indexTexts = (options: readonly Option[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const byText = new Map<string, Set<string>>();
  for (const { id, texts } of options) {
    for (const text of texts) byText.set(text, (byText.get(text) ?? new Set()).add(id));
  }
  return byText;
};

const toOption = (item: unknown): Option | undefined => {
  if (typeof item === 'string') return toOption({ text: item });
  if (!isObject(item)) return undefined;
  const texts = textsOf(item);
  const id = isAbsent(item.id) ? idFromText(texts[0]) : item.id;
  const exclusive = item.exclusive ?? false;
  if (typeof id !== 'string' || id === '' || typeof exclusive !== 'boolean') return undefined;
  return { id: toNfc(id), texts, exclusive };
};

const textsOf = ({ text }: JsonObject): readonly string[] =>
  (isObject(text) ? Object.values(text) : [text])
    .filter((value) => typeof value === 'string')
    .map((value) => toNfc(value).trim())
    .filter((value) => value !== '');

/** The id of an option that has only a text is that text, so that what a respondent reads can be sent as it is. */
const idFromText = (text: string | undefined): string | undefined => (text === OTHER ? `${OTHER}_option` : text);
