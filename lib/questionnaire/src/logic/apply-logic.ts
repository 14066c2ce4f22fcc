import type { AnswerValue } from '../answers/answer-value.ts';
import type { LogicProgram } from './compile-logic.ts';
import type { Condition, Evaluation } from './resolve-logic.ts';

export interface LogicOutcome {
  isHidden(position: number): boolean;
  /** Whether a require rule applies to the question. */
  isRequired(position: number): boolean;
  readonly disqualified: boolean;
}

/**
 * Evaluates the logic, and removes the answers to hidden questions from `answers`. A condition sees a hidden
 * question as unanswered. Every rule is evaluated at most once.
 */
export function applyLogic(program: LogicProgram, answers: (AnswerValue | undefined)[]): LogicOutcome {
  const { rules, visibility, require, disqualify } = program;
  const outcomes: (boolean | undefined)[] = new Array(rules.length);
  const evaluation: Evaluation = { answers, forms: [] };
  const test = (condition: Condition): boolean => condition.holds(evaluation);

  const evaluate = (index: number): boolean => {
    const rule = rules[index];
    if (rule === undefined) return false;
    return rule.match === 'all' ? rule.conditions.every(test) : rule.conditions.some(test);
  };
  const holds = (index: number): boolean => {
    const outcome = outcomes[index] ?? evaluate(index);
    outcomes[index] = outcome;
    return outcome;
  };

  const hidden: boolean[] = [];
  for (const { position, show, hide } of visibility) {
    if ((show.length > 0 && !show.some(holds)) || hide.some(holds)) {
      hidden[position] = true;
      answers[position] = undefined;
    }
  }
  return {
    isHidden: (position) => hidden[position] === true,
    isRequired: (position) => require.get(position)?.some(holds) ?? false,
    disqualified: disqualify.some(holds),
  };
}
