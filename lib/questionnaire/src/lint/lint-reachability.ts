import type { CompiledQuestion } from '../compiled-question.ts';
import { isArray } from '../json.ts';
import type { LogicProgram } from '../logic/compile-logic.ts';
import { groupBy } from '../logic/group-by.ts';
import { OPERATORS } from '../logic/operators.ts';
import type { Condition, Rule } from '../logic/resolve-logic.ts';
import type { ReportProblem } from './report.ts';

/**
 * Warns of questions that are never visible: no show rule can apply, or a hide rule always does. It does not try
 * answers, so it finds only obvious cases.
 */
export function lintReachability(
  { rules, visibility }: LogicProgram,
  questions: readonly CompiledQuestion[],
  report: ReportProblem,
): void {
  const unreachable = new Set<number>();
  const rulesAt = (index: number): readonly Rule[] => rules.slice(index, index + 1);
  // A rule can have 5,000 conditions and 1,000 targets, so its conditions are compared only once.
  const contradictory = new Map<Rule, boolean>();
  const isContradictory = (rule: Rule): boolean => {
    const result = contradictory.get(rule) ?? contradict(rule.conditions, questions);
    contradictory.set(rule, result);
    return result;
  };
  for (const { position, show, hide } of visibility) {
    const neverShown =
      show.length > 0 && show.flatMap(rulesAt).every((rule) => neverHolds(rule, unreachable, isContradictory));
    const alwaysHidden = hide.flatMap(rulesAt).some((rule) => alwaysHolds(rule, unreachable));
    const question = questions[position];
    if (question === undefined || !(neverShown || alwaysHidden)) continue;
    unreachable.add(position);
    report('UNREACHABLE_QUESTION', question.path, 'no answers make this question visible', question.id);
    if (!question.required) continue;
    report('REQUIRED_ALWAYS_HIDDEN', question.path, 'the question is required but never visible', question.id);
  }
}

function neverHolds(rule: Rule, unreachable: ReadonlySet<number>, isContradictory: (rule: Rule) => boolean): boolean {
  const { match, conditions } = rule;
  const isNever = (condition: Condition): boolean =>
    unreachable.has(condition.sourcePosition) && !OPERATORS[condition.operator].whenUnanswered;
  return match === 'any' ? conditions.every(isNever) : conditions.some(isNever) || isContradictory(rule);
}

function alwaysHolds({ match, conditions }: Rule, unreachable: ReadonlySet<number>): boolean {
  const isAlways = (condition: Condition): boolean =>
    unreachable.has(condition.sourcePosition) && OPERATORS[condition.operator].whenUnanswered;
  return match === 'any' ? conditions.some(isAlways) : conditions.every(isAlways);
}

/** Whether two conditions on one source contradict each other: two values, or answered and unanswered. */
function contradict(conditions: readonly Condition[], questions: readonly CompiledQuestion[]): boolean {
  const bySource = groupBy(conditions, (condition) => condition.sourcePosition);
  return [...bySource.values()].some((group) => {
    const operators = new Set(group.map((condition) => condition.operator));
    const equal = group.filter((condition) => condition.operator === 'equals');
    const wanted = new Set(equal.map((condition) => wantedKey(condition, questions)));
    const asksForAnswer = [...operators].some((operator) => !OPERATORS[operator].whenUnanswered);
    return wanted.size > 1 || (operators.has('is_not_answered') && asksForAnswer);
  });
}

/** A key for the answer that an `equals` condition wants. Values that mean the same answer have the same key. */
function wantedKey({ sourcePosition, value }: Condition, questions: readonly CompiledQuestion[]): string {
  const operand = questions[sourcePosition]?.rules.operand;
  const literals = (isArray(value) ? value : [value]).map((item) => operand?.literal?.(item));
  return JSON.stringify([...new Set(literals)].sort());
}
