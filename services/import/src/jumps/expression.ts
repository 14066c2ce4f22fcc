import type { Condition } from '../conditions/formula.ts';

/** When something is so: a condition, several of them, or something that answers do not tell, and why. */
export type Expression =
  | boolean
  | Condition
  | { readonly all: readonly Expression[] }
  | { readonly any: readonly Expression[] }
  | { readonly not: Expression }
  | { readonly unknown: string };

/** What stands at the ends of an expression. */
export type Leaf = boolean | Condition | { readonly unknown: string };

/** An expression with other leaves. */
export function mapLeaves(expression: Expression, change: (leaf: Leaf) => Expression): Expression {
  if (typeof expression === 'boolean') return change(expression);
  if ('all' in expression) return { all: expression.all.map((one) => mapLeaves(one, change)) };
  if ('any' in expression) return { any: expression.any.map((one) => mapLeaves(one, change)) };
  if ('not' in expression) return { not: mapLeaves(expression.not, change) };
  return change(expression);
}
