import type { AnswerValue } from '@survey/questionnaire/answers/answer-value';
import type { CountingRule } from '@survey/questionnaire/answers/counting-rule';
import type { CountedQuestion } from '@survey/questionnaire/compiled-definition';
import type { ResponseData } from '@survey/questionnaire/validate';
import {
  createGroupFinder,
  type GroupedResponse,
  type GroupKey,
  type GroupOptions,
  isMultipleChoice,
  MAX_GROUPS,
  NO_VALUE,
  OTHER_VALUES,
} from '../crosstabs/grouping.ts';
import { sum } from '../crosstabs/statistics.ts';
import { type DistinctBudget, MAX_SINGLE_BINS } from './number-tally.ts';
import { createQuestionTally, type QuestionCounts, type QuestionTally } from './question-tally.ts';

/** Counts of the responses of one group. */
export interface GroupCounts {
  /** Numbers of counted responses by version. */
  readonly versions: ReadonlyMap<number, number>;
  /** Counts of the questions that the responses answered or did not see. */
  readonly questions: ReadonlyMap<string, QuestionCounts>;
}

export type CountsByGroup = ReadonlyMap<GroupKey, GroupCounts>;

/**
 * Maximum number of lines of all tables of a survey: answers that they tell apart, such as options. A question that
 * exceeds the rest is not counted by group. This limits the memory of a hundred values, and the size of replies.
 */
const MAX_CATEGORIES = 3_000;
/** Maximum number of lines of a question with numbers or dates. */
export const MAX_LINES = MAX_SINGLE_BINS;
/** Maximum number of distinct numbers of all groups and questions together. */
const MAX_DISTINCT = 100_000;
/** Lines that each question takes of `MAX_CATEGORIES` besides its own, for the counts that all kinds have. */
const BASE_CATEGORIES = 15;
const HOURS = 24;

export type GroupTallies = ReturnType<typeof createGroupTallies>;

type Versions = ReadonlyMap<number, { readonly questions: readonly CountedQuestion[] }>;

/**
 * Returns the ids of the questions that are counted by group.
 *
 * @param versions latest first
 */
function selectQuestions(versions: Versions): ReadonlySet<string> {
  const rules = new Map<string, CountingRule[]>();
  for (const { questions } of versions.values())
    for (const { id, countingRule } of questions) {
      const known = rules.get(id);
      if (known === undefined) rules.set(id, [countingRule]);
      else known.push(countingRule);
    }
  const selected = new Set<string>();
  let left = MAX_CATEGORIES;
  for (const [id, ofVersions] of rules) {
    const count = BASE_CATEGORIES + maxLines(ofVersions);
    if (count > left) continue;
    left -= count;
    selected.add(id);
  }
  return selected;
}

/**
 * Returns the maximum number of lines of a question. Most versions have the same options, which have one line together.
 *
 * @param rules rules of all versions, latest first. Versions with another kind than the latest one have no lines
 */
function maxLines(rules: readonly CountingRule[]): number {
  switch (rules[0]?.kind) {
    case 'choices':
      return countDistinct(rules.map((rule) => (rule.kind === 'choices' ? rule.options : [])));
    case 'rows':
      return (
        countDistinct(rules.map((rule) => (rule.kind === 'rows' ? rule.rows : []))) *
        countDistinct(rules.map((rule) => (rule.kind === 'rows' ? rule.options : [])))
      );
    case 'numbers': {
      const scales = rules.flatMap((rule) => (rule.kind === 'numbers' ? [rule.scale] : []));
      const listed = scales.filter((scale) => scale !== undefined);
      return listed.length < scales.length ? MAX_LINES : Math.min(MAX_LINES, countDistinct(listed));
    }
    case 'dates':
      return MAX_LINES;
    case 'times':
      return HOURS;
    default:
      return 0;
  }
}

function countDistinct<T>(lists: readonly (readonly T[])[]): number {
  const distinct = new Set<T>();
  for (const list of lists) for (const one of list) distinct.add(one);
  return distinct.size;
}

/** Counts the responses of one group. */
interface GroupTally {
  add(question: CountedQuestion, answer: AnswerValue): void;
  addNotShown(question: CountedQuestion): void;
}

/**
 * Counts the responses of each group.
 *
 * @param versions latest first
 * @param questions each as in the latest version that has it
 */
export function createGroupTallies(
  { grouping, found }: GroupOptions,
  versions: Versions,
  questions: ReadonlyMap<string, CountedQuestion>,
) {
  const finder = createGroupFinder(grouping, versions, found);
  const selected = selectQuestions(versions);
  const latest = new Map([...questions].filter(([id]) => selected.has(id)));
  const distinct: DistinctBudget = { left: MAX_DISTINCT, maxDays: MAX_LINES };
  const groups = new Map<GroupKey, ReturnType<typeof createGroup>>();

  function groupOf(key: GroupKey) {
    const group = groups.get(key) ?? createGroup(latest, distinct);
    groups.set(key, group);
    return group;
  }

  /** Orders groups by size, and equal ones by value. */
  function compareGroups(one: GroupKey, other: GroupKey): number {
    return groupOf(other).responses() - groupOf(one).responses() || (one < other ? -1 : 1);
  }

  return {
    grouping,
    /** Whether there are values that are not counted. */
    hasUncounted: () => found.isFull,
    /** Whether a question is counted by group. */
    isCounted: (questionId: string) => latest.has(questionId),
    /** Whether a response can choose several options of a question, in at least one version. */
    isMultipleChoice: (questionId: string) => isMultipleChoice(versions, questionId),

    /** Counts a response, and returns the tallies of its groups, which count its answers. */
    add(response: GroupedResponse, data: ResponseData, hidden: ReadonlySet<string>): readonly GroupTally[] {
      const inGroups = finder.find(response, data, hidden).map(groupOf);
      for (const group of inGroups) group.addResponses(response.surveyVersion, 1);
      return inGroups;
    },

    /** Returns the counts. Add and merge nothing after this call. */
    counts: (): CountsByGroup => new Map([...groups].map(([key, group]) => [key, group.counts()])),

    merge(counts: CountsByGroup): void {
      for (const [key, group] of counts) groupOf(key).merge(group);
    },

    /**
     * Returns the groups in the order of the options, or with the most frequent values first. Further values are other
     * values. Add and merge nothing after this call.
     */
    summary(): readonly (readonly [GroupKey, GroupCounts])[] {
      const keys = finder.keys ?? [...groups.keys()].filter((key) => key !== NO_VALUE && key !== OTHER_VALUES);
      const isByQuestion = finder.keys !== undefined;
      const sorted = isByQuestion ? keys : keys.toSorted(compareGroups);
      for (const key of sorted.slice(MAX_GROUPS)) groupOf(OTHER_VALUES).merge(groupOf(key).counts());
      const others = [NO_VALUE, OTHER_VALUES].filter((key) => groups.has(key));
      return [...sorted.slice(0, MAX_GROUPS), ...others].map((key) => [key, groupOf(key).counts()]);
    },
  };
}

function createGroup(latest: ReadonlyMap<string, CountedQuestion>, distinct: DistinctBudget) {
  const versions = new Map<number, number>();
  const questions = new Map<string, QuestionTally>();

  /** Undefined if the question is not counted by group. */
  function tallyOf(id: string): QuestionTally | undefined {
    const known = questions.get(id);
    const question = latest.get(id);
    if (known !== undefined || question === undefined) return known;
    const tally = createQuestionTally(question, distinct);
    questions.set(id, tally);
    return tally;
  }

  function addResponses(version: number, count: number): void {
    versions.set(version, (versions.get(version) ?? 0) + count);
  }

  return {
    addResponses,
    responses: () => sum(versions.values()),
    add: ({ id, countingRule }: CountedQuestion, answer: AnswerValue) => tallyOf(id)?.add(answer, countingRule),
    addNotShown: ({ id }: CountedQuestion) => tallyOf(id)?.addNotShown(),
    counts: (): GroupCounts => ({
      versions,
      questions: new Map([...questions].map(([id, tally]) => [id, tally.counts()])),
    }),
    merge(counts: GroupCounts): void {
      for (const [version, count] of counts.versions) addResponses(version, count);
      for (const [id, question] of counts.questions) tallyOf(id)?.merge(question);
    },
  };
}

/** Memory of counts by group, in map entries. */
export function sizeOfGroups(groups: CountsByGroup): number {
  const sizes = groups.values().map(({ versions, questions }) => {
    return 1 + versions.size + sum(questions.values().map(({ size }) => size));
  });
  return sum(sizes);
}
