import type { Placed } from '../definition/definition.ts';
import { placedIn } from '../definition/read-definition.ts';
import { isAbsent, type JsonObject } from '../json.ts';
import type { Report } from '../lint/report.ts';
import { isOperator, type Operator } from './operators.ts';

export const ACTIONS = ['show', 'hide', 'require', 'skip_to', 'disqualify'] as const;
export type Action = (typeof ACTIONS)[number];

export interface NormalCondition {
  readonly path: string;
  /** The id of the question that is looked at. */
  readonly source: string;
  readonly operator: Operator;
  readonly value: unknown;
}

/** One rule: whichever form it came in, one action, one target, and the conditions that lead to it. */
export interface NormalEntry {
  readonly path: string;
  readonly action: Action;
  readonly match: 'all' | 'any';
  /** The question or section affected; for skip_to the one to go on with. */
  readonly target: string | undefined;
  /** For skip_to: the question that the skip leaves; its last source when none is named. */
  readonly from: string | undefined;
  readonly conditions: readonly NormalCondition[];
}

interface ReadCondition extends NormalCondition {
  readonly action: Action;
  readonly target: string | undefined;
}

/**
 * Brings both forms of logic to one.
 *
 * Long: `{question_id: target, conditions: [{source_question, operator, value, action}]}`. Short: the condition
 * has `question_id` in place of `source_question`, and may have a `target_question`. `action` and `match` may
 * stand on the entry; without an action it is `show`. Conditions of one entry that name different actions or
 * targets become an entry for each. An entry of which something cannot be read is reported and has no effect,
 * so that a survey with broken logic hides nothing by accident.
 */
export const normaliseLogic = (logic: readonly Placed[], report: Report): readonly NormalEntry[] =>
  logic.flatMap((entry) => normaliseEntry(entry, report));

const normaliseEntry = ({ source: entry, path }: Placed, report: Report): readonly NormalEntry[] => {
  const match = readMatch(entry, path, report);
  const conditions = placedIn(entry, 'conditions', path);
  if (conditions.length === 0) {
    report('MISSING_CONDITIONS', path, 'the entry has no conditions, so it has no effect');
    return [];
  }
  const read = conditions.map((condition) => readCondition(condition, entry, report));
  const complete = read.filter((condition) => condition !== undefined);
  if (match === undefined || complete.length < read.length) return [];

  const from = textMember(entry, 'question_id');
  const groups = Map.groupBy(complete, ({ action, target }) => JSON.stringify([action, target]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined
      ? []
      : [{ path, match, from, action: first.action, target: first.target, conditions: group }];
  });
};

const readMatch = (entry: JsonObject, path: string, report: Report): 'all' | 'any' | undefined => {
  const match = entry.match ?? 'all';
  if (match === 'all' || match === 'any') return match;
  report('WRONG_TYPE', `${path}/match`, 'match must be all or any');
  return undefined;
};

const readCondition = (placed: Placed, entry: JsonObject, report: Report): ReadCondition | undefined => {
  const { source: condition, path } = placed;
  const action = readAction(condition, entry, path, report);
  const source = textMember(condition, 'source_question') ?? textMember(condition, 'question_id');
  if (source === undefined) report('UNKNOWN_SOURCE', path, 'the condition names no question to look at');
  const operator = condition.operator;
  if (!isOperator(operator)) {
    report('BAD_OPERATOR', `${path}/operator`, isAbsent(operator) ? 'the operator is missing' : 'no such operator');
    return undefined;
  }
  if (action === undefined || source === undefined) return undefined;
  return { path, action, source, operator, value: condition.value, target: targetOf(action, condition, entry) };
};

const targetOf = (action: Action, condition: JsonObject, entry: JsonObject): string | undefined => {
  if (action === 'disqualify') return undefined;
  const named = textMember(condition, 'target_question') ?? textMember(entry, 'target_question');
  return action === 'skip_to' ? named : (named ?? textMember(entry, 'question_id'));
};

const readAction = (condition: JsonObject, entry: JsonObject, path: string, report: Report): Action | undefined => {
  const given = condition.action ?? entry.action ?? 'show';
  const action = ACTIONS.find((name) => name === given);
  if (action === undefined) report('BAD_ACTION', `${path}/action`, `action must be one of ${ACTIONS.join(', ')}`);
  return action;
};

const textMember = (object: JsonObject, name: string): string | undefined => {
  const value = object[name];
  return typeof value === 'string' ? value : undefined;
};
