import type { Condition } from './formula.ts';

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

export function mapLeaves(expression: Expression, change: (leaf: Leaf) => Expression): Expression {
  if (typeof expression === 'boolean') return change(expression);
  if ('all' in expression) return { all: expression.all.map((one) => mapLeaves(one, change)) };
  if ('any' in expression) return { any: expression.any.map((one) => mapLeaves(one, change)) };
  if ('not' in expression) return { not: mapLeaves(expression.not, change) };
  return change(expression);
}
