import { all, any, type Condition, condition, constant, type Formula, not, unknown } from './formula.ts';

/** A Boolean expression over answers. `unknown` is a part that answers do not determine; its value is the reason. */
export type Expression =
  | boolean
  | Condition
  | { readonly all: readonly Expression[] }
  | { readonly any: readonly Expression[] }
  | { readonly not: Expression }
  | { readonly unknown: string };

/** An expression without subexpressions. */
export type Leaf = boolean | Condition | { readonly unknown: string };

export function toFormula(expression: Expression): Formula {
  if (typeof expression === 'boolean') return constant(expression);
  if ('all' in expression) return all(...expression.all.map(toFormula));
  if ('any' in expression) return any(...expression.any.map(toFormula));
  if ('not' in expression) return not(toFormula(expression.not));
  if ('unknown' in expression) return unknown(expression.unknown);
  return condition(expression.source, expression.operator, expression.value);
}
