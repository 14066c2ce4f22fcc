import { LIMITS } from '@survey/questionnaire/limits';
import { condition, constant, type Formula } from '../core/logic/formula.ts';
import { NotConvertedError } from '../core/logic/not-converted.ts';
import type { SourceOperand } from '../core/source-questions.ts';
import { compareNumbers } from './xpath-values.ts';

/** Compares the number of chosen options with `wanted`. Throws `NotConvertedError`. */
export function compareSelectedCount({ id, options }: SourceOperand, operator: string, wanted: number): Formula {
  return whereCount(id, operator, { wanted, max: Math.max(1, options.length) });
}

/** Compares the length of a text with `wanted`. Throws `NotConvertedError`. */
export function compareLength({ id }: SourceOperand, operator: string, wanted: number): Formula {
  return whereCount(id, operator, { wanted, max: LIMITS.textarea });
}

/**
 * Converts the comparison of a count. The count is 0 without an answer, and from 1 to `max` with one. Throws if the
 * result is not the same for all counts from 1.
 */
function whereCount(id: string, operator: string, { wanted, max }: { wanted: number; max: number }): Formula {
  // The result can only change at the wanted count, so these counts are enough.
  const counts = [1, max, wanted].filter((count) => Number.isInteger(count) && count >= 1 && count <= max);
  const [some = false, ...others] = new Set(counts.map((count) => compareNumbers(count, operator, wanted)));
  if (others.length > 0) throw new NotConvertedError('it counts choices or characters');
  const none = compareNumbers(0, operator, wanted);
  if (some === none) return constant(some);
  return condition(id, some ? 'is_answered' : 'is_not_answered');
}
