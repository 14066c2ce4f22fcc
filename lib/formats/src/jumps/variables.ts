import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { Condition } from '../conditions/formula.ts';
import { valuesOf } from './condition-values.ts';
import { createFlagVariable, positiveOf } from './flag-variable.ts';
import { createOrderVariable } from './order-variable.ts';
import { EQUALITY, kindOf, ORDER, type QuestionKind } from './question-kind.ts';
import { createValueVariable } from './value-variable.ts';
import type { Variable } from './variable.ts';

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
    if (kind.flags.has(condition.operator)) flags.set(keyOf(condition), positiveOf(condition));
  }
  const scaled = supported.filter(({ operator }) => !kind.flags.has(operator));
  const scale = scaled.length === 0 ? [] : [scaleOf(kind, source, scaled)];
  const keys = [...flags.keys()];
  return {
    variables: [...scale, ...[...flags.values()].map(createFlagVariable)],
    find(condition) {
      const found = toComparable(kind, condition);
      if (typeof found === 'string') return found;
      if (!kind.flags.has(found.operator)) return { index: 0, condition: found };
      return { index: scale.length + keys.indexOf(keyOf(found)), condition: found };
    },
  };
}

function scaleOf(kind: QuestionKind, source: string, conditions: readonly Condition[]): Variable {
  return kind.scale === 'order'
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
  const isScaled =
    operator === 'is_answered' || operator === 'is_not_answered'
      ? kind.scale !== undefined
      : (kind.scale !== undefined && EQUALITY.has(operator)) || (kind.scale === 'order' && ORDER.has(operator));
  if (!isScaled && !kind.flags.has(operator)) return `the operator ${operator} is not supported for ${source}`;
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

/** A search in a text takes any value. */
function isSearch({ scale }: QuestionKind, operator: Condition['operator']): boolean {
  return scale !== undefined && (operator === 'contains' || operator === 'not_contains');
}
