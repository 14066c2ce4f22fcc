import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { valuesOf } from './condition-values.ts';
import { createFlagVariable, positiveOf } from './flag-variable.ts';
import type { Condition } from './formula.ts';
import { createOrderVariable } from './order-variable.ts';
import { EQUALITY, kindOf, ORDER, type QuestionKind } from './question-kind.ts';
import { createValueVariable } from './value-variable.ts';
import type { Variable } from './variable.ts';

/**
 * The variables of a question in a decision diagram. Conditions that compare its answers share one variable, the first,
 * whose cells are ranges or sets of answers. Each other condition has a variable of its own, a flag.
 */
export interface SourceVariables {
  readonly variables: readonly Variable[];
  /**
   * The index of a condition's variable, and the condition in comparable form; a string is the reason why answers
   * cannot be compared.
   */
  find(condition: Condition): { readonly index: number; readonly condition: Condition } | string;
}

/** @param conditions all conditions on the question */
export function createSourceVariables(question: JsonObject, conditions: readonly Condition[]): SourceVariables {
  const kind = kindOf(question);
  const source = String(question['id']);
  const comparable = conditions.map((condition) => toComparable(kind, condition));
  const supported = comparable.filter((condition) => typeof condition === 'object');
  const flags = new Map<string, Condition>();
  for (const condition of supported) {
    if (kind.separateOperators.has(condition.operator)) flags.set(keyOf(condition), positiveOf(condition));
  }
  const compared = supported.filter(({ operator }) => !kind.separateOperators.has(operator));
  const first = compared.length === 0 ? [] : [createComparison(kind, source, compared)];
  const keys = [...flags.keys()];
  return {
    variables: [...first, ...[...flags.values()].map(createFlagVariable)],
    find(condition) {
      const found = toComparable(kind, condition);
      if (typeof found === 'string') return found;
      if (!kind.separateOperators.has(found.operator)) return { index: 0, condition: found };
      return { index: first.length + keys.indexOf(keyOf(found)), condition: found };
    },
  };
}

/** The variable that conditions share if they compare answers. */
function createComparison(kind: QuestionKind, source: string, conditions: readonly Condition[]): Variable {
  return kind.comparison === 'order'
    ? createOrderVariable(source, conditions)
    : createValueVariable(source, conditions, kind.options);
}

function keyOf(condition: Condition): string {
  const { operator, value } = positiveOf(condition);
  return JSON.stringify([operator, value]);
}

/** Converts the values of a condition for comparison with answers, or gives the reason why that is impossible. */
function toComparable(kind: QuestionKind, condition: Condition): Condition | string {
  const { source, operator, value } = condition;
  if (!isCompared(kind, operator) && !kind.separateOperators.has(operator)) {
    return `the operator ${operator} is not supported for ${source}`;
  }
  if (value === undefined) return condition;
  if (operator === 'matches') return condition;
  const values: JsonValue[] = [];
  for (const one of valuesOf(condition)) {
    const read = isSearch(kind, operator) ? one : kind.toComparable(one);
    if (read === undefined) return `answers to ${source} cannot be compared with ${JSON.stringify(one)}`;
    values.push(read);
  }
  return { source, operator, value: Array.isArray(value) ? values : (values[0] ?? null) };
}

/** Whether conditions with the operator share the variable for comparisons. */
function isCompared({ comparison }: QuestionKind, operator: Condition['operator']): boolean {
  if (comparison === undefined) return false;
  const isPresence = operator === 'is_answered' || operator === 'is_not_answered';
  return isPresence || EQUALITY.has(operator) || (comparison === 'order' && ORDER.has(operator));
}

/** Whether the operator searches in a text. A search accepts any value, so its value is not converted. */
function isSearch({ comparison }: QuestionKind, operator: Condition['operator']): boolean {
  return comparison !== undefined && (operator === 'contains' || operator === 'not_contains');
}
