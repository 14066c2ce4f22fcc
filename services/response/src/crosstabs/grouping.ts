import type { JsonObject } from '@bufbuild/protobuf';
import { isUnanswered } from '@survey/questionnaire/answers/answer-value';
import type { CountingRule } from '@survey/questionnaire/answers/counting-rule';
import { toNfc } from '@survey/questionnaire/answers/plain-text';
import type { CountedQuestion } from '@survey/questionnaire/compiled-definition';
import type { ResponseData } from '@survey/questionnaire/validate';

/** The part of responses that divides them into groups: the answer to a question, or another part. */
export type Grouping =
  | { readonly by: 'question'; readonly questionId: string }
  | { readonly by: 'link' | 'language' }
  | { readonly by: 'metadata'; readonly name: string };

/** The parts of a response that decide about its groups. */
export interface GroupedResponse {
  readonly surveyVersion: number;
  readonly language?: string | undefined;
  readonly linkId?: string | undefined;
  readonly metadata?: JsonObject | undefined;
}

/**
 * Identifies a group: `=VALUE` for the responses with a value, and `NO_VALUE` and `OTHER_VALUES` for those without one
 * and with any other one.
 */
export type GroupKey = string;

export const NO_VALUE: GroupKey = '';
export const OTHER_VALUES: GroupKey = '*';

/** Finds the groups of responses. */
interface GroupFinder {
  /**
   * Returns the keys of the groups of a response: one, or several if the question is a multiple choice.
   *
   * @param hidden ids of the questions that logic hides
   */
  find(response: GroupedResponse, data: ResponseData, hidden: ReadonlySet<string>): readonly GroupKey[];
  /** The keys of all values of a question, in order. Undefined if the values are found in the responses. */
  readonly keys: readonly GroupKey[] | undefined;
}

/** Maximum number of groups, besides those without a value and with other values. */
export const MAX_GROUPS = 30;
/** Maximum number of different values that are counted. Later values are other values. */
const MAX_VALUES = 100;
/** Longer values of metadata are other values. */
const MAX_VALUE_LENGTH = 256;

/**
 * The values of a part of responses that were found first. Each of them has a group of its own until all responses are
 * counted, because only then is it known which values are the most frequent.
 *
 * A value that comes after `MAX_VALUES` others never gets in. So a counted group has all responses with its value, if
 * all counts that are added up were made with the same values.
 */
export interface FoundValues {
  readonly keys: Set<GroupKey>;
  /** Whether there were more values. */
  isFull: boolean;
}

export interface GroupOptions {
  readonly grouping: Grouping;
  readonly found: FoundValues;
}

export function createFoundValues(): FoundValues {
  return { keys: new Set(), isFull: false };
}

function toKey(value: string | number): GroupKey {
  return `=${value}`;
}

/** Returns the value of a group. It is empty for the groups without a value and with other values. */
export function valueOfGroup(key: GroupKey): string {
  return key.slice(1);
}

/** Whether responses can be grouped by a question: a choice, or a scale of numbers that can be listed. */
export function canGroupBy({ countingRule }: CountedQuestion): boolean {
  return listValues(countingRule) !== undefined;
}

function listValues(rule: CountingRule): readonly (string | number)[] | undefined {
  if (rule.kind === 'choices') return rule.options;
  return rule.kind === 'numbers' ? rule.scale : undefined;
}

type Versions = ReadonlyMap<number, { readonly questions: readonly CountedQuestion[] }>;

/** Whether a response can choose several options of a question, in at least one of the versions. */
export function isMultipleChoice(versions: Versions, questionId: string): boolean {
  return versions
    .values()
    .some(({ questions }) => questions.some(({ id, type }) => id === questionId && type === 'multiple_choice'));
}

/**
 * @param versions latest first
 * @param found values that were found earlier, to which the finder adds more. Questions do not need them
 */
export function createGroupFinder(grouping: Grouping, versions: Versions, found: FoundValues): GroupFinder {
  switch (grouping.by) {
    case 'question':
      return createQuestionFinder(grouping.questionId, versions);
    case 'link':
      return createValueFinder(({ linkId }) => linkId, found);
    case 'language':
      return createValueFinder(({ language }) => language, found);
    case 'metadata':
      return createValueFinder(({ metadata }) => textOf(metadata, grouping.name), found);
    default:
      throw new TypeError(`unknown grouping ${JSON.stringify(grouping satisfies never)}`);
  }
}

function createValueFinder(
  valueOfResponse: (response: GroupedResponse) => string | undefined,
  found: FoundValues,
): GroupFinder {
  return {
    keys: undefined,
    find(response) {
      const value = valueOfResponse(response);
      if (value === undefined) return [NO_VALUE];
      if (value.length > MAX_VALUE_LENGTH) return [OTHER_VALUES];
      const key = toKey(value);
      if (found.keys.has(key)) return [key];
      if (found.keys.size < MAX_VALUES) {
        found.keys.add(key);
        return [key];
      }
      found.isFull = true;
      return [OTHER_VALUES];
    },
  };
}

/** Returns a member of the metadata as conditions see it: without surrounding blanks, and as JSON if it is no text. */
function textOf(metadata: JsonObject | undefined, name: string): string | undefined {
  const value = metadata !== undefined && Object.hasOwn(metadata, name) ? metadata[name] : undefined;
  if (value === undefined || isUnanswered(value)) return undefined;
  return toNfc((typeof value === 'string' ? value : JSON.stringify(value)).trim());
}

/** The latest version that has the question decides about its kind. Answers of another kind are other values. */
function createQuestionFinder(questionId: string, versions: Versions): GroupFinder {
  const rules = new Map<number, CountingRule>();
  for (const [version, { questions }] of versions) {
    const question = questions.find(({ id }) => id === questionId);
    if (question !== undefined) rules.set(version, question.countingRule);
  }
  const kind = rules.values().next().value?.kind;
  const values = [...rules.values()].flatMap((rule) => (rule.kind === kind ? (listValues(rule) ?? []) : []));
  // Options are in the order of the latest version. Numbers of several scales are in ascending order.
  const ordered = kind === 'numbers' ? Float64Array.from(values as number[]).sort() : values;
  const keys = [...new Set(Array.from<string | number, GroupKey>(ordered, toKey))].slice(0, MAX_GROUPS);
  const known = new Set(keys);

  function keysOf(rule: CountingRule, answer: ResponseData[string]): readonly GroupKey[] {
    if (rule.kind !== kind) return [OTHER_VALUES];
    const chosen =
      rule.kind === 'choices' ? rule.chosen(answer) : rule.kind === 'numbers' ? [rule.toNumber(answer)] : [];
    const all = chosen.map(toKey).map((key) => (known.has(key) ? key : OTHER_VALUES));
    return all.length > 1 ? [...new Set(all)] : all;
  }

  return {
    keys,
    find({ surveyVersion }, data, hidden) {
      const rule = rules.get(surveyVersion);
      const answer = Object.hasOwn(data, questionId) ? data[questionId] : undefined;
      if (rule === undefined || answer === undefined || hidden.has(questionId)) return [NO_VALUE];
      const found = keysOf(rule, answer);
      return found.length === 0 ? [NO_VALUE] : found;
    },
  };
}
