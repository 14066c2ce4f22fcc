import type { Operator } from '@survey/questionnaire/logic/operators';
import type { Condition } from './formula.ts';
import type { Variable } from './variable.ts';

/** The condition does not hold, or there is no answer. */
const NO = 0;
const YES = 1;

/** Negated operators and their positive forms. */
const positives: Readonly<Partial<Record<Operator, Operator>>> = {
  not_contains: 'contains',
  not_equals: 'equals',
  not_in: 'in',
  is_not_answered: 'is_answered',
};

const negationOf = new Map(Object.entries(positives).map(([negation, positive]) => [positive, negation as Operator]));

/** The positive form of a condition: `not_contains` becomes `contains`. */
export function positiveOf(condition: Condition): Condition {
  const operator = positives[condition.operator];
  return operator === undefined ? condition : { ...condition, operator };
}

/**
 * A variable with two cells: the condition holds or not. For operators whose conditions are not compared with each
 * other, such as `contains`: each condition has a variable.
 */
export function createFlagVariable(positive: Condition): Variable {
  const negation = negationOf.get(positive.operator);
  return {
    size: 2,
    unanswered: NO,
    cellsOf: ({ operator }) => new Set([operator === positive.operator ? YES : NO]),
    conditionsFor(cells) {
      if (cells.has(YES)) return [[positive]];
      return negation === undefined ? undefined : [[{ ...positive, operator: negation }]];
    },
  };
}
