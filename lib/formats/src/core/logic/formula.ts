import type { JsonValue } from '@bufbuild/protobuf';
import type { Operator } from '@survey/questionnaire/logic/operators';

/** Thrown if logic of another tool has no equivalent. The message is the reason, for the warning. */
export class NotConvertedError extends Error {
  override readonly name = 'NotConvertedError';
}

/** A test of one answer, as in our logic: `age greater_than 17`. */
export interface Condition {
  /** Id of the question whose answer is tested. */
  readonly source: string;
  readonly operator: Operator;
  readonly value?: JsonValue;
}

/** A formula without parts. `unknown` is something that answers do not determine, with the reason. */
export type Leaf =
  | { readonly kind: 'condition'; readonly condition: Condition }
  | { readonly kind: 'unknown'; readonly reason: string };

/** A Boolean combination of conditions. */
export type Formula =
  | { readonly kind: 'always' }
  | { readonly kind: 'never' }
  | Leaf
  | { readonly kind: 'not'; readonly of: Formula }
  | { readonly kind: 'all'; readonly of: readonly Formula[] }
  | { readonly kind: 'any'; readonly of: readonly Formula[] };

export const ALWAYS: Formula = { kind: 'always' };
export const NEVER: Formula = { kind: 'never' };

export const condition = (source: string, operator: Operator, value?: JsonValue): Formula => ({
  kind: 'condition',
  condition: { source, operator, ...(value === undefined ? {} : { value }) },
});
export const unknown = (reason: string): Formula => ({ kind: 'unknown', reason });
export const not = (of: Formula): Formula => ({ kind: 'not', of });
export const all = (...of: readonly Formula[]): Formula => combine('all', of);
export const any = (...of: readonly Formula[]): Formula => combine('any', of);
const combine = (kind: 'all' | 'any', of: readonly Formula[]): Formula =>
  of.length === 1 && of[0] !== undefined ? of[0] : { kind, of };
export const constant = (holds: boolean): Formula => (holds ? ALWAYS : NEVER);

/** The formula that `convert` returns. It is unknown if `convert` throws `NotConvertedError`. */
export function orUnknown(convert: () => Formula): Formula {
  try {
    return convert();
  } catch (error) {
    if (error instanceof NotConvertedError) return unknown(error.message);
    throw error;
  }
}

/** The conditions and unknown parts of a formula, in order. */
export function leavesOf(formula: Formula): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const open = [formula];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (part.kind === 'condition' || part.kind === 'unknown') leaves.push(part);
    else if (part.kind === 'not') open.push(part.of);
    else if (part.kind === 'all' || part.kind === 'any') for (const one of part.of.toReversed()) open.push(one);
  }
  return leaves;
}

/** Replaces the conditions of a formula. */
export function mapConditions(formula: Formula, change: (condition: Condition) => Formula): Formula {
  switch (formula.kind) {
    case 'condition':
      return change(formula.condition);
    case 'not':
      return not(mapConditions(formula.of, change));
    case 'all':
    case 'any':
      return { kind: formula.kind, of: formula.of.map((part) => mapConditions(part, change)) };
    default:
      return formula;
  }
}

/** Counts the compared values: each value of a list, and one for each other leaf. */
export function countValues(formula: Formula): number {
  return leavesOf(formula).reduce((sum, leaf) => sum + (leaf.kind === 'condition' ? sizeOf(leaf.condition) : 1), 0);
}

function sizeOf({ value }: Condition): number {
  return Array.isArray(value) ? value.length : 1;
}

/** The constant value of a formula; undefined if it depends on answers. */
export function constantOf(formula: Formula): boolean | undefined {
  switch (formula.kind) {
    case 'always':
    case 'never':
      return formula.kind === 'always';
    case 'condition':
    case 'unknown':
      return undefined;
    case 'not': {
      const inner = constantOf(formula.of);
      return inner === undefined ? undefined : !inner;
    }
    case 'all':
    case 'any': {
      const deciding = formula.kind === 'any';
      const parts = formula.of.map(constantOf);
      if (parts.includes(deciding)) return deciding;
      return parts.includes(undefined) ? undefined : !deciding;
    }
  }
}

/** The parts of which all, or any, must hold: without nested parts of the same kind, in order. */
export function partsOf(whole: Formula, kind: 'all' | 'any'): readonly Formula[] {
  const found: Formula[] = [];
  const open = [{ formula: whole, holds: true }];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const { formula, holds } = part;
    if (formula.kind === 'not') open.push({ formula: formula.of, holds: !holds });
    else if ((formula.kind === 'all' || formula.kind === 'any') && (formula.kind === kind) === holds) {
      for (const of of formula.of.toReversed()) open.push({ formula: of, holds });
    } else found.push(holds ? formula : not(formula));
  }
  return found;
}

/**
 * The formula for a predicate on the chosen option. `holds` is called for each option, and with undefined for no
 * answer.
 */
export function whereChosen(
  source: string,
  optionIds: readonly string[],
  holds: (optionId: string | undefined) => boolean,
): Formula {
  const matching = new Set(optionIds.filter(holds));
  const others = optionIds.filter((id) => !matching.has(id));
  return holds(undefined) ? not(whereOneOf(source, others, [...matching])) : whereOneOf(source, [...matching], others);
}

function whereOneOf(source: string, chosen: readonly string[], others: readonly string[]): Formula {
  const [first, ...more] = chosen;
  if (first === undefined) return NEVER;
  if (more.length === 0) return condition(source, 'equals', first);
  const [other, ...rest] = others;
  if (other === undefined) return condition(source, 'is_answered');
  // This form is shorter if all options but one are chosen.
  if (rest.length === 0) return all(condition(source, 'is_answered'), condition(source, 'not_equals', other));
  return condition(source, 'in', [...chosen]);
}
