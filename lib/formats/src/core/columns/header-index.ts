import type { JsonObject } from '@bufbuild/protobuf';
import { OTHER } from '@survey/questionnaire/answers/answer-value';
import { toOption } from '@survey/questionnaire/answers/option-list';
import type { ListName } from '@survey/questionnaire/columns/cell-format';
import type { Column } from '@survey/questionnaire/columns/columns';
import { RESPONSE_COLUMNS, type ResponseColumn } from '@survey/questionnaire/columns/response-columns';
import type { CompiledDefinition } from '@survey/questionnaire/compiled-definition';
import type { Question } from '@survey/questionnaire/definition/definition';
import { readDefinition } from '@survey/questionnaire/definition/read-definition';
import { itemsOf } from '@survey/questionnaire/json';
import { once } from '@survey/questionnaire/once';
import { addToSet, getOrAdd } from '../maps.ts';
import { textsOf } from '../texts.ts';
import { splitBrackets, splitHeading, splitPart, toExactKey, toLooseKey, withoutNumber } from './headings.ts';

/** The part of a response that a column of a table contains. `name` is its name in the option `columns`. */
export type HeadingTarget =
  /** A detail of the response itself, such as `submitted_at`. */
  | { readonly kind: 'response'; readonly name: string; readonly column: ResponseColumn }
  /** A column of an export: `q`, `q[option]`, `q[row]`, `q[row][column]` or `q.other`. */
  | { readonly kind: 'answer'; readonly name: string; readonly column: Column }
  /** Several options of a question, or several columns of a row, in one cell: `q` or `q[row]`. */
  | {
      readonly kind: 'choices';
      readonly name: string;
      readonly questionId: string;
      /** Row of a matrix; undefined for a multiple choice. */
      readonly row: string | undefined;
    }
  /** A member of the response's metadata: `metadata.email`. */
  | { readonly kind: 'metadata'; readonly name: string; readonly member: string };

/** Id of the question that a column answers; undefined if it answers none. */
export function questionOf(target: HeadingTarget): string | undefined {
  if (target.kind === 'answer') return target.column.question_id;
  return target.kind === 'choices' ? target.questionId : undefined;
}

/** The way in which a heading was recognised. */
export type FoundBy =
  /** The option `columns` names its target. */
  | 'option'
  /** It is the name of a column of an export, or the id of a question. */
  | 'name'
  /** It is the title of a question. */
  | 'title'
  /** It has the title or id of a question and the text of a row or option. */
  | 'part'
  /** It is a word of a tool, such as `Timestamp`. */
  | 'word';

interface Found {
  /** More than one if the heading is ambiguous, none if it is unknown. */
  readonly targets: readonly HeadingTarget[];
  readonly foundBy: FoundBy;
}

/** Recognises headings of tables as questions of a survey: `How was it? [Food]` → `q1[food]`. */
export interface HeaderIndex {
  /** Finds the targets of a heading. An exact match wins over a tolerant match, a title over a title with a part. */
  find(heading: string): Found;
  /** The target with this name in the option `columns`: `q3`, `q3[row]`, `submitted_at`, `metadata.email`. */
  findTarget(name: string): HeadingTarget | undefined;
  /** Names of targets of questions, in the order of the survey. */
  readonly targetNames: readonly string[];
  /** First title of the question of a target; empty if the target has none. */
  titleOf(name: string): string;
  /** Ids of the questions with this id or title. */
  findQuestions(title: string): readonly string[];
  /** Splits a part of a matrix heading into row and column in all ways, up to `MAX_SPLIT_CHARACTERS` for the table. */
  splitPart(part: string): Iterable<readonly [row: string, column: string]>;
  /** Targets of the questions with a title for the text of a row or option: `How?` and `Fast` for `How? [Fast]`. */
  findParts(title: string, part: string): readonly HeadingTarget[];
  /** Targets of one question for the text of a row or option. */
  findPartTargets(questionId: string, part: string): readonly HeadingTarget[];
  /** Creates a finder of options, rows and columns of a question by id or text. */
  itemFinderOf(questionId: string): FindItems;
}

/** Details of a response that tables can set. Others, such as `survey_version`, are recognised and ignored. */
export const SETTABLE: readonly ResponseColumn[] = [
  'id',
  'submitted_at',
  'started_at',
  'status',
  'language',
  'external_id',
];

/** Maximum characters in all attempts to split headings of a table. After that, a heading gets at most one attempt. */
const MAX_SPLIT_CHARACTERS = 4_000_000;
/** Maximum number of headings, and of titles in headings, whose results are cached. */
const MAX_CACHED = 10_000;
const METADATA = 'metadata.';
const MAX_MEMBER = 100;
/** First words of a part such as `Other (please specify)`. The column has texts entered in place of an option. */
export const OTHER_WORDS =
  /^(?:other|others|autre|autres|andere|anderes|sonstiges|sonstige|otro|otra|outro|outra|altro|inne|annat|muu|другое)(?![\p{L}\p{N}_])/iu;

/**
 * Indexes the questions of a survey by id and title.
 *
 * @param payload the creation payload of the survey
 */
export function createHeaderIndex(payload: JsonObject, { columns, questions }: CompiledDefinition): HeaderIndex {
  const sources = new Map(readDefinition(payload).questions.map((question) => [question.id, question]));
  const byQuestion = Map.groupBy(columns, ({ question_id }) => question_id);
  const typeOf = new Map(questions.map(({ id, type }) => [id, type]));
  const targets = new Map<string, HeadingTarget>();
  for (const column of columns) targets.set(column.name, { kind: 'answer', name: column.name, column });
  for (const { id, type } of questions) {
    for (const target of choicesTargets(id, type, byQuestion.get(id) ?? [])) {
      if (!targets.has(target.name)) targets.set(target.name, target);
    }
  }
  const { findQuestions, longest } = indexTitles(sources, (id) => byQuestion.has(id));
  const finders = new Map<string, FindItems>();
  const resultsByHeading = new Map<string, Found>();
  const groupsByTitle = new Map<string, TitleGroup>();
  const groupsByIds = new Map<string, TitleGroup>();
  let splitBudget = MAX_SPLIT_CHARACTERS;

  /** The target of a column with the whole answer to a question. */
  function wholeTargets(questionId: string): readonly HeadingTarget[] {
    const target = targets.get(questionId);
    // An answer with files has their ids on this platform, which other tools do not know.
    if (target !== undefined) return typeOf.get(questionId) === 'file_upload' ? [] : [target];
    // The whole answer to a matrix with one row is the answer to this row.
    const rows = (byQuestion.get(questionId) ?? []).filter(({ items }) => items[0]?.list === 'rows');
    const [only, ...more] = new Set(rows.map(({ items }) => items[0]?.id ?? ''));
    return only === undefined || more.length > 0 ? [] : targetsNamed([`${questionId}[${only}]`]);
  }

  function targetsNamed(names: readonly string[]): readonly HeadingTarget[] {
    return names.flatMap((name) => targets.get(name) ?? []);
  }

  function itemFinderOf(questionId: string): FindItems {
    return getOrAdd(finders, questionId, () => {
      const source = sources.get(questionId);
      return source === undefined ? createFindItemsById(byQuestion.get(questionId) ?? []) : createFindItems(source);
    });
  }

  /** `q1`, `Food` → `q1[food]`. */
  function findPartTargets(questionId: string, part: string): readonly HeadingTarget[] {
    const find = itemFinderOf(questionId);
    const options = find('options', part);
    if (options.length > 0) {
      const named = targetsNamed(options.map((id) => `${questionId}[${id}]`));
      if (named.length > 0) return named;
    }
    const rows = find('rows', part);
    if (rows.length > 0) return targetsNamed(rows.map((id) => `${questionId}[${id}]`));
    const cells = findCells(questionId, part, find);
    if (cells.length > 0) return cells;
    return part === OTHER || OTHER_WORDS.test(part) ? targetsNamed([`${questionId}.other`]) : [];
  }

  /** `q1`, `Food - Good` → `q1[food][good]`. */
  function findCells(questionId: string, part: string, find: FindItems): readonly HeadingTarget[] {
    if (typeOf.get(questionId) !== 'matrix') return [];
    for (const [row, column] of splitWithinBudget(part)) {
      const rows = find('rows', row);
      if (rows.length === 0) continue;
      const ids = find('columns', column);
      const named = rows.flatMap((one) => targetsNamed(ids.map((id) => `${questionId}[${one}][${id}]`)));
      if (named.length > 0) return named;
    }
    return [];
  }

  function* splitWithinBudget(part: string): Generator<readonly [row: string, column: string]> {
    for (const split of splitPart(part)) {
      splitBudget -= part.length;
      if (splitBudget < 0) return;
      yield split;
    }
  }

  /**
   * The questions with a title. The results are cached, because all columns of a question begin with the same title.
   * Several titles, such as `How?` and `3. How?`, can have the same questions: they share a group.
   */
  function groupOf(title: string): TitleGroup {
    const known = groupsByTitle.get(title);
    if (known !== undefined) return known;
    const ids = findQuestions(title);
    const key = ids.join('\n');
    const idsByItem = once(() => indexItems(ids.map((id) => sources.get(id))));
    const group = groupsByIds.get(key) ?? { ids, idsByItem, targets: new Map() };
    if (groupsByTitle.size < MAX_CACHED) {
      groupsByIds.set(key, group);
      groupsByTitle.set(title, group);
    }
    return group;
  }

  /** `How was it?`, `Food` → `q1[food]`. */
  function findParts(title: string, part: string): readonly HeadingTarget[] {
    const { ids, idsByItem, targets: cache } = groupOf(title);
    const [only, ...more] = ids;
    if (only === undefined) return [];
    if (more.length === 0) return findPartTargets(only, part);
    const cached = cache.get(part);
    if (cached !== undefined) return cached;
    const texts = [part, ...[...splitWithinBudget(part)].map(([row]) => row)];
    const candidates = new Set(texts.flatMap(keysOf).flatMap((key) => [...(idsByItem().get(key) ?? [])]));
    const isOther = part === OTHER || OTHER_WORDS.test(part);
    // Hundreds of questions can have one title, so only those with such a row or option are searched. In the others, the
    // part can only be `other`.
    const found = ids.flatMap((id) =>
      candidates.has(id) ? findPartTargets(id, part) : isOther ? targetsNamed([`${id}.other`]) : [],
    );
    if (cache.size < MAX_CACHED) cache.set(part, found);
    return found;
  }

  function findHeading(heading: string): Found {
    const target = targets.get(heading);
    if (target !== undefined) return { targets: [target], foundBy: 'name' };
    const found = findTitled(heading);
    if (found.foundBy === 'title' && found.targets.length === 1) return found;
    const named = findNamed(heading);
    return named === undefined ? found : { targets: [named], foundBy: 'name' };
  }

  /** Finds the target by its name in brackets. Exports add it if several columns have the same heading: `Name (q1)`. */
  function findNamed(heading: string): HeadingTarget | undefined {
    for (const { title, part } of splitBrackets(heading, '(', ')')) {
      const target = targets.get(part);
      const questionId = target && questionOf(target);
      if (target !== undefined && findTitled(title).targets.some((one) => questionOf(one) === questionId))
        return target;
    }
    return undefined;
  }

  /** `How was it?` → `q1`, or else `How was it? [Food]` → `q1[food]`. */
  function findTitled(heading: string): Found {
    const whole = findQuestions(heading).flatMap(wholeTargets);
    if (whole.length > 0) return { targets: whole, foundBy: 'title' };
    for (const { title, part } of targets.size === 0 ? [] : splitHeading(heading)) {
      if (title.length > longest) continue;
      if (!groupsByTitle.has(title)) splitBudget -= title.length;
      const parts = findParts(title, part);
      if (parts.length > 0) return { targets: parts, foundBy: 'part' };
      if (splitBudget < 0) break;
    }
    return { targets: [], foundBy: 'title' };
  }

  return {
    find(heading) {
      const known = resultsByHeading.get(heading);
      if (known !== undefined) return known;
      const found = findHeading(heading);
      if (resultsByHeading.size < MAX_CACHED) resultsByHeading.set(heading, found);
      return found;
    },
    splitPart: splitWithinBudget,
    findTarget: (name) => findTargetIn(targets, name),
    targetNames: [...targets.keys()],
    titleOf(name) {
      const target = targets.get(name);
      const id = target === undefined ? undefined : questionOf(target);
      const [title = ''] = titlesOf(sources.get(id ?? ''));
      return title;
    },
    findQuestions,
    findParts,
    findPartTargets,
    itemFinderOf,
  };
}

/** The targets of a question for several options in one cell. */
function choicesTargets(questionId: string, type: string, columns: readonly Column[]): readonly HeadingTarget[] {
  if (type === 'multiple_choice') return [{ kind: 'choices', name: questionId, questionId, row: undefined }];
  if (type !== 'matrix') return [];
  const rows = new Set(columns.flatMap(({ items: [row, column] }) => (row && column ? [row.id] : [])));
  return [...rows].map((row) => ({ kind: 'choices', name: `${questionId}[${row}]`, questionId, row }));
}

function findTargetIn(targets: ReadonlyMap<string, HeadingTarget>, name: string): HeadingTarget | undefined {
  const known = targets.get(name);
  if (known !== undefined) return known;
  const response = RESPONSE_COLUMNS.find((column) => column === name || `response:${column}` === name);
  if (response !== undefined && SETTABLE.includes(response)) {
    // The name without `response:` can be the target of a question.
    return { kind: 'response', name: targets.has(response) ? name : response, column: response };
  }
  const member = name.startsWith(METADATA) ? name.slice(METADATA.length) : '';
  if (member === '' || member === '__proto__' || member.length > MAX_MEMBER) return undefined;
  return { kind: 'metadata', name, member };
}

/** The ids of questions by the texts and ids of their options and rows. */
function indexItems(questions: readonly (Question | undefined)[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { id, source } of questions.filter((question) => question !== undefined)) {
    for (const option of [source['options'], source['rows']].flatMap(optionsOf)) {
      for (const key of [option.id, ...option.texts].flatMap(keysOf)) addToSet(found, key, id);
    }
  }
  return found;
}

function optionsOf(list: unknown) {
  return itemsOf(list).flatMap((item) => toOption(item) ?? []);
}

/** The questions with a title. */
interface TitleGroup {
  readonly ids: readonly string[];
  readonly idsByItem: () => ReadonlyMap<string, ReadonlySet<string>>;
  /** Targets by the text of a row or option, for several questions. */
  readonly targets: Map<string, readonly HeadingTarget[]>;
}

/** The keys by which a text is found: exactly and tolerantly. */
function keysOf(text: string): readonly string[] {
  return [toExactKey(text), toLooseKey(text)];
}

/** Finds questions by id or title: `q1`, `How was it?` or `3. How was it?` → `q1`. */
function indexTitles(sources: ReadonlyMap<string, Question>, isQuestion: (id: string) => boolean) {
  const exact = new Map<string, Set<string>>();
  const loose = new Map<string, Set<string>>();
  let longest = 0;
  for (const [id, { source }] of sources) {
    longest = Math.max(longest, id.length);
    for (const title of titlesOf({ source })) {
      longest = Math.max(longest, title.length);
      addToSet(exact, toExactKey(title), id);
      addToSet(loose, toLooseKey(title), id);
    }
  }
  exact.delete('');
  loose.delete('');

  function findQuestions(title: string): readonly string[] {
    if (isQuestion(title)) return [title];
    const found = exact.get(toExactKey(title)) ?? loose.get(toLooseKey(title));
    if (found !== undefined) return [...found];
    const text = withoutNumber(title);
    return text === title ? [] : [...(loose.get(toLooseKey(text)) ?? [])];
  }

  return { findQuestions, longest: maxMatchingLength(longest) };
}

function titlesOf(question: Pick<Question, 'source'> | undefined): readonly string[] {
  // A title is a text, or a text by language.
  return textsOf(question?.source['title'] as Parameters<typeof textsOf>[0]);
}

/** Creates a finder of items only by the ids in the columns of a question. */
function createFindItemsById(columns: readonly Column[]): FindItems {
  const items = columns.flatMap((column) => column.items);
  return (list, text) => (items.some((item) => item.list === list && item.id === text) ? [text] : []);
}

/**
 * Whether texts can be ids. `first`: an id wins over a text. `also`: an id that is the text of another item is ambiguous.
 * `never`: as in files of tools, which do not know the ids.
 */
export type IdUse = 'first' | 'also' | 'never';

/** Ids of the items with a text; more than one if the text is ambiguous. By default, an id wins over a text. */
type FindItems = (list: ListName, text: string, ids?: IdUse) => readonly string[];

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
  return (list, text, ids = 'first') => {
    const names = getOrAdd(lists, list, () => namesOf(source[list]));
    const exact = toExactKey(text);
    const isId = ids !== 'never' && names.ids.has(exact);
    if (isId && ids === 'first') return [exact];
    const found = names.exact.get(exact) ?? names.loose.get(toLooseKey(text)) ?? [];
    return isId ? [...new Set([exact, ...found])] : [...found];
  };
}

const MAX_MARKS = 50;

/** Maximum length of the texts that match a text of this length. They can have more spaces, tags and marks. */
function maxMatchingLength(length: number): number {
  return 2 * length + MAX_MARKS;
}

/** Length of the longest text that `FindItems` can find in a list, with some tolerance. */
export function longestText({ source }: Pick<Question, 'source'>, list: ListName): number {
  const texts = optionsOf(source[list]).flatMap((option) => [option.id, ...option.texts]);
  return maxMatchingLength(texts.reduce((longest, text) => Math.max(longest, text.length), 0));
}

function namesOf(list: unknown): ItemNames {
  const options = optionsOf(list);
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
