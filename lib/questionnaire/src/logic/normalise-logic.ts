import type { Located } from '../definition/definition.ts';
import { locatedItems } from '../definition/read-definition.ts';
import { isAbsent, type JsonObject } from '../json.ts';
import type { ReportProblem } from '../lint/report.ts';
import { groupBy } from './group-by.ts';
import { isOperator, type Operator } from './operators.ts';

export const ACTIONS = ['show', 'hide', 'require', 'skip_to', 'disqualify'] as const;
export type Action = (typeof ACTIONS)[number];

export interface NormalCondition {
  readonly path: string;
  /** The id of the question whose answer is compared. */
  readonly source: string;
  readonly operator: Operator;
  readonly value: unknown;
}

/** A rule in normal form: one action, one target, and its conditions. */
export interface NormalEntry {
  readonly path: string;
  readonly action: Action;
  readonly match: 'all' | 'any';
  /** The affected question or section; for skip_to, the question to continue with. */
  readonly target: string | undefined;
  /** For skip_to: the question where the skip starts. Default: the source that comes last in the survey. */
  readonly from: string | undefined;
  readonly conditions: readonly NormalCondition[];
}

/** A condition with the action and target that it has or takes from its entry. */
interface ParsedCondition extends NormalCondition {
  readonly action: Action;
  readonly target: string | undefined;
}

/**
 * Converts the two forms of logic entries to one.
 *
 * - Source: `source_question` of the condition (long form), or else its `question_id` (short form).
 * - Target: `target_question` of the condition, or else of the entry, or else `question_id` of the entry.
 * - For skip_to, `question_id` of the entry is not a target, but the question where the skip starts.
 *
 * `action` (default `show`) and `match` may be members of the entry. An entry with several actions or targets becomes
 * several rules. A rule with an error is reported and has no effect.
 */
export function normaliseLogic(logic: readonly Located[], report: ReportProblem): readonly NormalEntry[] {
  return logic.flatMap((entry) => normaliseEntry(entry, report));
}

function normaliseEntry({ source: entry, path }: Located, report: ReportProblem): readonly NormalEntry[] {
  const match = readMatch(entry);
  const conditions = locatedItems(entry, 'conditions', path);
  if (conditions.length === 0) {
    report('MISSING_CONDITIONS', path, 'the entry has no conditions, so it has no effect');
    return [];
  }
  const parsed = conditions.map((condition) => readCondition(condition, entry, report));
  const valid = parsed.filter((condition) => condition !== undefined);
  if (match === undefined || valid.length < parsed.length) return [];

  const from = textMember(entry, 'question_id');
  const groups = groupBy(valid, ({ action, target }) => JSON.stringify([action, target]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined
      ? []
      : [{ path, match, from, action: first.action, target: first.target, conditions: group }];
  });
}

function readMatch(entry: JsonObject): 'all' | 'any' | undefined {
  const match = entry.match ?? 'all';
  return match === 'all' || match === 'any' ? match : undefined;
}

function readCondition(located: Located, entry: JsonObject, report: ReportProblem): ParsedCondition | undefined {
  const { source: condition, path } = located;
  const action = readAction(condition, entry);
  const source = textMember(condition, 'source_question') ?? textMember(condition, 'question_id');
  if (source === undefined) report('UNKNOWN_SOURCE', path, 'source_question is missing');
  const operator = condition.operator;
  if (isAbsent(operator)) report('BAD_OPERATOR', `${path}/operator`, 'the operator is missing');
  if (!isOperator(operator) || action === undefined || source === undefined) return undefined;
  return { path, action, source, operator, value: condition.value, target: targetOf(action, condition, entry) };
}

function targetOf(action: Action, condition: JsonObject, entry: JsonObject): string | undefined {
  if (action === 'disqualify') return undefined;
  const named = textMember(condition, 'target_question') ?? textMember(entry, 'target_question');
  return action === 'skip_to' ? named : (named ?? textMember(entry, 'question_id'));
}

function readAction(condition: JsonObject, entry: JsonObject): Action | undefined {
  const given = condition.action ?? entry.action ?? 'show';
  return ACTIONS.find((name) => name === given);
}

function textMember(object: JsonObject, name: string): string | undefined {
  const value = object[name];
  return typeof value === 'string' ? value : undefined;
}
