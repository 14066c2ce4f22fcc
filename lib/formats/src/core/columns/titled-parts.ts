import { toOption } from '@survey/questionnaire/answers/option-list';
import type { Question } from '@survey/questionnaire/definition/definition';
import { itemsOf } from '@survey/questionnaire/json';
import { once } from '@survey/questionnaire/once';
import { addToSet } from '../maps.ts';
import type { HeadingTarget } from './header-index.ts';
import { splitPart, toExactKey, toLooseKey } from './headings.ts';

/** Maximum characters in all attempts to split the headings of a table. */
const MAX_SPLIT_CHARACTERS = 4_000_000;

/**
 * Limits the attempts to split the headings of a table. When it is spent, only the first split of a heading is tried,
 * and parts of matrix headings are not split any more. Headings that this leaves unknown are reported.
 */
export interface SplitBudget {
  /** Splits a part of a matrix heading into row and column in all ways. Stops when the budget is spent. */
  split(part: string): Generator<readonly [row: string, column: string]>;
  spend(characters: number): void;
  isSpent(): boolean;
}

export function createSplitBudget(): SplitBudget {
  let left = MAX_SPLIT_CHARACTERS;
  return {
    *split(part) {
      for (const split of splitPart(part)) {
        left -= part.length;
        if (left < 0) return;
        yield split;
      }
    },
    spend(characters) {
      left -= characters;
    },
    isSpent: () => left < 0,
  };
}

interface Options {
  findQuestionIds(title: string): readonly string[];
  readonly questionsById: ReadonlyMap<string, Question>;
  readonly splitBudget: SplitBudget;
  /** The targets of a question for a part. */
  findPart(questionId: string, part: string): readonly HeadingTarget[];
  /** Whether a part means the texts entered in place of an option, such as `Other`. */
  isOther(part: string): boolean;
  /** The target of a question for these texts. */
  findOther(questionId: string): readonly HeadingTarget[];
}

/** Maximum number of titles in headings, and of parts of a title, whose results are cached. */
const MAX_CACHED = 10_000;

/** Creates a search by a title and a part: `How was it?`, `Food` → `q1[food]`. Several questions can have the title. */
export function createTitledParts({ findQuestionIds, questionsById, ...options }: Options) {
  const { splitBudget, findPart, isOther, findOther } = options;
  const { groupOf, isCached } = createTitleGroups(findQuestionIds, questionsById);
  return {
    /** Whether a title was searched before. Then its questions are known. */
    isCached,
    find(title: string, part: string): readonly HeadingTarget[] {
      const { ids, findByItem, targetsByPart } = groupOf(title);
      const [only, ...more] = ids;
      if (only === undefined) return [];
      if (more.length === 0) return findPart(only, part);
      const cached = targetsByPart.get(part);
      if (cached !== undefined) return cached;
      // Hundreds of questions can have one title, and each has columns. So only those with such a row or option are
      // searched. In the others, the part can only be `other`. A part of a matrix heading begins with a row.
      const withItem = new Set([part, ...[...splitBudget.split(part)].map(([row]) => row)].flatMap(findByItem));
      const isOtherPart = isOther(part);
      const found = ids.flatMap((id) => (withItem.has(id) ? findPart(id, part) : isOtherPart ? findOther(id) : []));
      if (targetsByPart.size < MAX_CACHED) targetsByPart.set(part, found);
      return found;
    },
  };
}

/** The questions with a title. */
interface TitleGroup {
  readonly ids: readonly string[];
  /** Ids of the questions that may have an option or row with this id or text. A question can be one too many. */
  findByItem(text: string): readonly string[];
  /** Targets that were found for several questions, by the text of a row or option. */
  readonly targetsByPart: Map<string, readonly HeadingTarget[]>;
}

/**
 * Creates a search for the questions with a title. The groups are cached, because all columns of a question begin with
 * its title. Several titles, such as `How?` and `3. How?`, can have the same questions: they share a group.
 */
function createTitleGroups(
  findQuestionIds: (title: string) => readonly string[],
  questionsById: ReadonlyMap<string, Question>,
) {
  const groupsByTitle = new Map<string, TitleGroup>();
  const groupsByIds = new Map<string, TitleGroup>();

  function createGroup(ids: readonly string[]): TitleGroup {
    const index = once(() => indexItems(ids.flatMap((id) => questionsById.get(id) ?? [])));
    const findByItem = (text: string) => keysOf(text).flatMap((key) => [...(index().get(key) ?? [])]);
    return { ids, findByItem, targetsByPart: new Map() };
  }

  return {
    isCached: (title: string) => groupsByTitle.has(title),
    groupOf(title: string): TitleGroup {
      const known = groupsByTitle.get(title);
      if (known !== undefined) return known;
      const ids = findQuestionIds(title);
      const key = ids.join('\n');
      const group = groupsByIds.get(key) ?? createGroup(ids);
      if (groupsByTitle.size < MAX_CACHED) {
        groupsByIds.set(key, group);
        groupsByTitle.set(title, group);
      }
      return group;
    },
  };
}

/** The ids of questions by the texts and ids of their options and rows. */
function indexItems(questions: readonly Question[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { id, source } of questions) {
    for (const option of [source['options'], source['rows']].flatMap(optionsOf)) {
      for (const key of [option.id, ...option.texts].flatMap(keysOf)) addToSet(found, key, id);
    }
  }
  return found;
}

/** The keys by which a text is found: exactly and tolerantly. */
function keysOf(text: string): readonly string[] {
  return [toExactKey(text), toLooseKey(text)];
}

/** The options, rows or columns in a list, with their texts. */
export function optionsOf(list: unknown) {
  return itemsOf(list).flatMap((item) => toOption(item) ?? []);
}
