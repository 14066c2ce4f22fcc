import type { Operator } from '@survey/questionnaire/logic/operators';
import type { Condition } from '../conditions/formula.ts';
import type { Variable } from './variable.ts';

const NO = 0;
const YES = 1;

/** Negated operators and their positive forms. The cell `NO` also contains "no answer". */
const denials: Readonly<Partial<Record<Operator, Operator>>> = {
  not_contains: 'contains',
  not_equals: 'equals',
  not_in: 'in',
  is_not_answered: 'is_answered',
};

const denialOf = new Map(Object.entries(denials).map(([denial, affirmed]) => [affirmed, denial as Operator]));

/** The positive form of a condition: `not_contains` becomes `contains`. */
export function affirmationOf(condition: Condition): Condition {
  const operator = denials[condition.operator];
  return operator === undefined ? condition : { ...condition, operator };
}

/**
 * A variable with two cells: the condition holds or not. Used for operators whose conditions are independent of each
 * other.
 */
export function createFlagVariable(affirmed: Condition): Variable {
  const denial = denialOf.get(affirmed.operator);
  return {
    size: 2,
    unanswered: NO,
    cellsOf: ({ operator }) => new Set([operator === affirmed.operator ? YES : NO]),
    say(cells) {
      if (cells.has(YES)) return [[affirmed]];
      return denial === undefined ? undefined : [[{ ...affirmed, operator: denial }]];
    },
  };
}
