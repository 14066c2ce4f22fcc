import type { JsonObject } from '@bufbuild/protobuf';
import { OTHER } from '@survey/questionnaire/answers/answer-value';
import { toNfc } from '@survey/questionnaire/answers/plain-text';
import { type ListName, OTHER_SUFFIX } from '@survey/questionnaire/columns/cell-format';
import type { Column } from '@survey/questionnaire/columns/columns';
import { RESPONSE_COLUMNS, type ResponseColumn } from '@survey/questionnaire/columns/response-columns';
import type { CompiledDefinition } from '@survey/questionnaire/compiled-definition';
import type { Question } from '@survey/questionnaire/definition/definition';
import { readDefinition } from '@survey/questionnaire/definition/read-definition';
import { METADATA_COLUMN, toMetadataTarget } from '@survey/questionnaire/metadata/metadata-columns';
import { addToSet, getOrAdd } from '../maps.ts';
import { textsOf } from '../texts.ts';
import { splitBrackets, splitHeading, toExactKey, toLooseKey, withoutNumber } from './headings.ts';
import { createSplitBudget, createTitledParts, optionsOf } from './titled-parts.ts';

/** The part of a response that a column contains. `name` is the name of the part in the option `columns` of an import. */
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
  /** A member of the response's metadata: `metadata.email`. `metadata`, with an empty member, is a JSON object of several. */
  | { readonly kind: 'metadata'; readonly name: string; readonly member: string };

/** Id of the question to which a target belongs; undefined if it belongs to none. */
export function questionIdOf(target: HeadingTarget): string | undefined {
  if (target.kind === 'answer') return target.column.question_id;
  return target.kind === 'choices' ? target.questionId : undefined;
}

/** The way in which the target of a column was found. The index itself finds only by `name`, `title` and `part`. */
export type FoundBy =
  /** The option `columns` names the target. */
  | 'option'
  /** The heading is the name of a column of our exports, or the id of a question. */
  | 'name'
  /** The heading is the title of a question. */
  | 'title'
  /** The heading has the title or id of a question and the text of a row or option. */
  | 'part'
  /** The heading is a word of a tool, such as `Timestamp`. */
  | 'word';

interface Found {
  /** More than one if the heading is ambiguous, none if it is unknown. */
  readonly targets: readonly HeadingTarget[];
  /** Undefined if the heading is unknown. */
  readonly foundBy: FoundBy | undefined;
}

const UNKNOWN: Found = { targets: [], foundBy: undefined };

/**
 * Whether texts can be ids. `first`: an id wins over a text. `also`: an id that is the text of another item is ambiguous.
 * `never`: as in files of tools, which do not know the ids.
 */
export type IdUse = 'first' | 'also' | 'never';

/** Ids of the options, rows or columns with a text; several if it is ambiguous. By default, an id wins over a text. */
type ItemFinder = (list: ListName, text: string, idUse?: IdUse) => readonly string[];

/** Recognises headings of tables as questions of a survey: `How was it? [Food]` → `q1[food]`. */
export interface HeaderIndex {
  /**
   * Finds the targets of a heading. A name wins over a title, and a title over a title with a part. For each of them, an
   * exact match wins over a tolerant one.
   */
  find(heading: string): Found;
  /** The target with this name in the option `columns`: `q3`, `q3[row]`, `submitted_at`, `metadata.email`. */
  findTarget(name: string): HeadingTarget | undefined;
  /** Names of targets of questions, in the order of the survey. */
  readonly targetNames: readonly string[];
  /** First title of the question of a target, by the name of the target; empty if there is none. */
  titleOfTarget(name: string): string;
  /** Ids of the questions with this id or title. */
  findQuestionIds(title: string): readonly string[];
  /** Splits a part of a matrix heading into row and column in all ways. See `SplitBudget`. */
  splitPart(part: string): Iterable<readonly [row: string, column: string]>;
  /** Targets of the questions with a title for the text of a row or option: `How?` and `Fast` for `How? [Fast]`. */
  findTitledPart(title: string, part: string): readonly HeadingTarget[];
  /** Targets of one question for the text of a row or option. */
  findPart(questionId: string, part: string): readonly HeadingTarget[];
  /** Finds options, rows and columns of a question by id or text. */
  itemFinderOf(questionId: string): ItemFinder;
}

/** Details of a response that tables can set. Others, such as `survey_version`, are recognised and ignored. */
export const SETTABLE_COLUMNS: readonly ResponseColumn[] = [
  'id',
  'submitted_at',
  'started_at',
  'status',
  'language',
  'external_id',
];

/** Maximum number of headings whose results are cached. */
const MAX_CACHED = 10_000;
const METADATA = 'metadata.';
const MAX_MEMBER_LENGTH = 100;
/** The first word of a part such as `Other (please specify)`. The column has texts entered in place of an option. */
export const OTHER_WORDS =
  /^(?:other|others|autre|autres|andere|anderes|sonstiges|sonstige|otro|otra|outro|outra|altro|inne|annat|muu|другое)(?![\p{L}\p{N}_])/iu;

/**
 * Indexes the questions of a survey by id and title.
 *
 * @param payload the creation payload of the survey
 */
export function createHeaderIndex(payload: JsonObject, { columns, questions }: CompiledDefinition): HeaderIndex {
  const questionsById = new Map(readDefinition(payload).questions.map((question) => [question.id, question]));
  const columnsByQuestion = Map.groupBy(columns, ({ question_id }) => question_id);
  const typeOf = new Map(questions.map(({ id, type }) => [id, type]));
  const targetsByName = new Map<string, HeadingTarget>();
  for (const column of columns) targetsByName.set(column.name, { kind: 'answer', name: column.name, column });
  for (const { id, type } of questions) {
    for (const target of choicesTargets(id, type, columnsByQuestion.get(id) ?? [])) {
      if (!targetsByName.has(target.name)) targetsByName.set(target.name, target);
    }
  }
  const { findQuestionIds, maxTitleLength } = indexTitles(questionsById, (id) => columnsByQuestion.has(id));
  const splitBudget = createSplitBudget();
  const titledParts = createTitledParts({
    findQuestionIds,
    questionsById,
    splitBudget,
    findPart,
    isOther,
    findOther: (id) => targetsByNames([`${id}${OTHER_SUFFIX}`]),
  });
  const finders = new Map<string, ItemFinder>();
  const results = new Map<string, Found>();

  /** The target of a column with the whole answer to a question. */
  function targetsOfWholeAnswer(questionId: string): readonly HeadingTarget[] {
    const target = targetsByName.get(questionId);
    // An answer with files has their ids on this platform, which other tools do not know.
    if (target !== undefined) return typeOf.get(questionId) === 'file_upload' ? [] : [target];
    // The whole answer to a matrix with one row is the answer to this row.
    const rows = (columnsByQuestion.get(questionId) ?? []).filter(({ items }) => items[0]?.list === 'rows');
    const [only, ...more] = new Set(rows.map(({ items }) => items[0]?.id ?? ''));
    return only === undefined || more.length > 0 ? [] : targetsByNames([`${questionId}[${only}]`]);
  }

  function targetsByNames(names: readonly string[]): readonly HeadingTarget[] {
    return names.flatMap((name) => targetsByName.get(name) ?? []);
  }

  function itemFinderOf(questionId: string): ItemFinder {
    return getOrAdd(finders, questionId, () => {
      const question = questionsById.get(questionId);
      return question === undefined
        ? createIdFinder(columnsByQuestion.get(questionId) ?? [])
        : createItemFinder(question);
    });
  }

  /** `q1`, `Food` → `q1[food]`. */
  function findPart(questionId: string, part: string): readonly HeadingTarget[] {
    const findItems = itemFinderOf(questionId);
    const options = findItems('options', part);
    if (options.length > 0) {
      const named = targetsByNames(options.map((id) => `${questionId}[${id}]`));
      if (named.length > 0) return named;
    }
    const rows = findItems('rows', part);
    if (rows.length > 0) return targetsByNames(rows.map((id) => `${questionId}[${id}]`));
    const cells = findCells(questionId, part, findItems);
    if (cells.length > 0) return cells;
    return isOther(part) ? targetsByNames([`${questionId}${OTHER_SUFFIX}`]) : [];
  }

  /** `q1`, `Food - Good` → `q1[food][good]`. */
  function findCells(questionId: string, part: string, findItems: ItemFinder): readonly HeadingTarget[] {
    if (typeOf.get(questionId) !== 'matrix') return [];
    for (const [row, column] of splitBudget.split(part)) {
      const rows = findItems('rows', row);
      if (rows.length === 0) continue;
      const ids = findItems('columns', column);
      const named = rows.flatMap((one) => targetsByNames(ids.map((id) => `${questionId}[${one}][${id}]`)));
      if (named.length > 0) return named;
    }
    return [];
  }

  function findHeading(heading: string): Found {
    const target = targetsByName.get(heading);
    if (target !== undefined) return { targets: [target], foundBy: 'name' };
    const found = findTitled(heading);
    if (found.foundBy === 'title' && found.targets.length === 1) return found;
    const named = findByNameInBrackets(heading);
    return named === undefined ? found : { targets: [named], foundBy: 'name' };
  }

  /** Finds `q1` for `Name (q1)`. Exports add the name of the target if several columns have the same heading. */
  function findByNameInBrackets(heading: string): HeadingTarget | undefined {
    for (const { title, part } of splitBrackets(heading, '(', ')')) {
      const target = targetsByName.get(part);
      const questionId = target && questionIdOf(target);
      if (target !== undefined && findTitled(title).targets.some((one) => questionIdOf(one) === questionId))
        return target;
    }
    return undefined;
  }

  /** `How was it?` → `q1`, or else `How was it? [Food]` → `q1[food]`. */
  function findTitled(heading: string): Found {
    const whole = findQuestionIds(heading).flatMap(targetsOfWholeAnswer);
    if (whole.length > 0) return { targets: whole, foundBy: 'title' };
    for (const { title, part } of targetsByName.size === 0 ? [] : splitHeading(heading)) {
      if (title.length > maxTitleLength) continue;
      if (!titledParts.isCached(title)) splitBudget.spend(title.length);
      const targets = titledParts.find(title, part);
      if (targets.length > 0) return { targets, foundBy: 'part' };
      // One split is always tried, even without a budget.
      if (splitBudget.isSpent()) break;
    }
    return UNKNOWN;
  }

  return {
    find(heading) {
      const known = results.get(heading);
      if (known !== undefined) return known;
      const found = findHeading(heading);
      if (results.size < MAX_CACHED) results.set(heading, found);
      return found;
    },
    splitPart: splitBudget.split,
    findTarget: (name) => findTargetIn(targetsByName, name),
    targetNames: [...targetsByName.keys()],
    titleOfTarget(name) {
      const target = targetsByName.get(name);
      const id = target === undefined ? undefined : questionIdOf(target);
      const [title = ''] = titlesOf(questionsById.get(id ?? ''));
      return title;
    },
    findQuestionIds,
    findTitledPart: titledParts.find,
    findPart,
    itemFinderOf,
  };
}

/** Whether a part means the texts entered in place of an option. */
function isOther(part: string): boolean {
  return part === OTHER || OTHER_WORDS.test(part);
}

/** The targets of a question for several options in one cell. */
function choicesTargets(questionId: string, type: string, columns: readonly Column[]): readonly HeadingTarget[] {
  if (type === 'multiple_choice') return [{ kind: 'choices', name: questionId, questionId, row: undefined }];
  if (type !== 'matrix') return [];
  const rows = new Set(columns.flatMap(({ items: [row, column] }) => (row && column ? [row.id] : [])));
  return [...rows].map((row) => ({ kind: 'choices', name: `${questionId}[${row}]`, questionId, row }));
}

function findTargetIn(targetsByName: ReadonlyMap<string, HeadingTarget>, name: string): HeadingTarget | undefined {
  const known = targetsByName.get(name);
  if (known !== undefined) return known;
  const response = RESPONSE_COLUMNS.find((column) => column === name || `response:${column}` === name);
  if (response !== undefined && SETTABLE_COLUMNS.includes(response)) {
    // The name without `response:` can be the target of a question.
    return { kind: 'response', name: targetsByName.has(response) ? name : response, column: response };
  }
  const metadata = toMetadataTarget(name);
  if (metadata === undefined) return undefined;
  const member = metadata === METADATA_COLUMN ? '' : metadata.slice(METADATA.length);
  if (metadata === METADATA || member === '__proto__' || member.length > MAX_MEMBER_LENGTH) return undefined;
  return { kind: 'metadata', name: targetsByName.has(metadata) ? name : metadata, member };
}

/** Finds questions by id or title: `q1`, `How was it?` or `3. How was it?` → `q1`. */
function indexTitles(questionsById: ReadonlyMap<string, Question>, isQuestion: (id: string) => boolean) {
  const idsByExactTitle = new Map<string, Set<string>>();
  const idsByLooseTitle = new Map<string, Set<string>>();
  let longest = 0;
  for (const [id, question] of questionsById) {
    longest = Math.max(longest, id.length);
    for (const title of titlesOf(question)) {
      longest = Math.max(longest, title.length);
      addToSet(idsByExactTitle, toExactKey(title), id);
      addToSet(idsByLooseTitle, toLooseKey(title), id);
    }
  }
  for (const ids of [idsByExactTitle, idsByLooseTitle]) ids.delete('');

  const findTitle = (title: string): readonly string[] => [
    ...(idsByExactTitle.get(toExactKey(title)) ?? idsByLooseTitle.get(toLooseKey(title)) ?? []),
  ];

  function findQuestionIds(title: string): readonly string[] {
    if (isQuestion(title)) return [title];
    const found = findTitle(title);
    if (found.length > 0) return found;
    const text = withoutNumber(title);
    return text === title ? [] : findTitle(text);
  }

  return { findQuestionIds, maxTitleLength: maxMatchingLength(longest) };
}

function titlesOf(question: Pick<Question, 'source'> | undefined): readonly string[] {
  // A title is a text, or a text by language.
  return textsOf(question?.source['title'] as Parameters<typeof textsOf>[0]);
}

/** Creates a finder of items only by the ids in the columns of a question. */
function createIdFinder(columns: readonly Column[]): ItemFinder {
  const items = columns.flatMap((column) => column.items);
  return (list, text) => (items.some((item) => item.list === list && item.id === text) ? [text] : []);
}

interface ItemNames {
  readonly ids: ReadonlySet<string>;
  /** Ids of the items by their ids without differences in white space. */
  readonly idsByExactId: ReadonlyMap<string, ReadonlySet<string>>;
  readonly idsByExactText: ReadonlyMap<string, ReadonlySet<string>>;
  readonly idsByLooseText: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Finds options, rows and columns of a question by id, by text in any language, or by a text that differs only in case,
 * white space, HTML or punctuation at its end.
 */
export function createItemFinder({ source }: Pick<Question, 'source'>): ItemFinder {
  const lists = new Map<ListName, ItemNames>();
  return (list, text, idUse = 'first') => {
    const { ids, idsByExactId, idsByExactText, idsByLooseText } = getOrAdd(lists, list, () => namesOf(source[list]));
    const exact = toExactKey(text);
    const named = ids.has(toNfc(text)) ? [toNfc(text)] : [...(idsByExactId.get(exact) ?? [])];
    if (named.length > 0 && idUse === 'first') return named;
    const found = idsByExactText.get(exact) ?? idsByLooseText.get(toLooseKey(text)) ?? [];
    return [...new Set([...(idUse === 'never' ? [] : named), ...found])];
  };
}

function namesOf(list: unknown): ItemNames {
  const options = optionsOf(list);
  const idsByExactText = new Map<string, Set<string>>();
  const idsByLooseText = new Map<string, Set<string>>();
  const idsByExactId = new Map<string, Set<string>>();
  for (const { id, texts } of options) {
    addToSet(idsByExactId, toExactKey(id), id);
    for (const text of texts) {
      addToSet(idsByExactText, toExactKey(text), id);
      addToSet(idsByLooseText, toLooseKey(text), id);
    }
  }
  for (const names of [idsByExactId, idsByExactText, idsByLooseText]) names.delete('');
  return { ids: new Set(options.map(({ id }) => id)), idsByExactId, idsByExactText, idsByLooseText };
}

/** Length of the longest text that an `ItemFinder` can find in a list, with some tolerance. */
export function longestText({ source }: Pick<Question, 'source'>, list: ListName): number {
  const texts = optionsOf(source[list]).flatMap((option) => [option.id, ...option.texts]);
  return maxMatchingLength(texts.reduce((longest, text) => Math.max(longest, text.length), 0));
}

const MAX_EXTRA_CHARACTERS = 50;

/** Estimates the maximum length of texts that match one of this length: they can have more spaces, tags and marks. */
function maxMatchingLength(length: number): number {
  return 2 * length + MAX_EXTRA_CHARACTERS;
}
