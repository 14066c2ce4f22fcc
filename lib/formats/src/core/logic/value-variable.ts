import type { JsonValue } from '@bufbuild/protobuf';
import { valuesOf } from './condition-values.ts';
import type { Condition } from './formula.ts';
import type { Alternatives, Variable } from './variable.ts';

/**
 * A variable for equality: a cell for each value in conditions, one for all other answers, one for no answer.
 *
 * @param options all possible answers, if they are known
 */
export function createValueVariable(
  source: string,
  conditions: readonly Condition[],
  options: readonly string[] | undefined,
): Variable {
  const named = [...new Set(conditions.flatMap(valuesOf))];
  const other = named.length;
  const unanswered = named.length + 1;
  const isComplete = options?.every((option) => named.includes(option)) === true;
  const cells = [...named.keys(), other, unanswered];
  const cellsWhere = (matches: (cell: number) => boolean): ReadonlySet<number> => new Set(cells.filter(matches));

  return {
    size: cells.length,
    unanswered,
    cellsOf(condition) {
      const values = new Set(valuesOf(condition));
      const isNamed = (cell: number) => cell < named.length && values.has(named[cell] ?? null);
      switch (condition.operator) {
        case 'equals':
        case 'in':
          return cellsWhere(isNamed);
        case 'not_equals':
        case 'not_in':
          return cellsWhere((cell) => !isNamed(cell));
        case 'is_answered':
          return cellsWhere((cell) => cell !== unanswered);
        default:
          return new Set([unanswered]);
      }
    },
    conditionsFor(chosen) {
      const included = named.filter((_, cell) => chosen.has(cell));
      const excluded = named.filter((_, cell) => !chosen.has(cell));
      // If conditions name every option, no answer is in the cell `other`. So "not X" may be used even if `chosen`
      // lacks `other`.
      const takesOthers = isComplete ? chosen.has(unanswered) || excluded.length === 0 : chosen.has(other);
      if (takesOthers) {
        const without = excluded.length === 0 ? [] : [conditionOn(source, excluded, 'not_equals', 'not_in')];
        return [chosen.has(unanswered) ? without : [{ source, operator: 'is_answered' }, ...without]];
      }
      const alternatives: Alternatives = included.length === 0 ? [] : [[conditionOn(source, included, 'equals', 'in')]];
      return chosen.has(unanswered) ? [...alternatives, [{ source, operator: 'is_not_answered' }]] : alternatives;
    },
  };
}

function conditionOn(
  source: string,
  values: readonly JsonValue[],
  one: 'equals' | 'not_equals',
  several: 'in' | 'not_in',
): Condition {
  const [first] = values;
  return values.length === 1 && first !== undefined
    ? { source, operator: one, value: first }
    : { source, operator: several, value: [...values] };
}
