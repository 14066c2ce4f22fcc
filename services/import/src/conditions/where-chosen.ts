import { all, type Formula, NEVER, not, where } from './formula.ts';

/**
 * The formula for anything that depends on nothing but which one option of a question is chosen, whatever it is: it is
 * tried for every option, and for no answer (undefined).
 */
export function whereChosen(
  source: string,
  optionIds: readonly string[],
  holds: (optionId: string | undefined) => boolean,
): Formula {
  const chosen = new Set(optionIds.filter(holds));
  const others = optionIds.filter((id) => !chosen.has(id));
  return holds(undefined) ? not(whereOneOf(source, others, [...chosen])) : whereOneOf(source, [...chosen], others);
}

function whereOneOf(source: string, chosen: readonly string[], others: readonly string[]): Formula {
  const [first, ...more] = chosen;
  if (first === undefined) return NEVER;
  if (more.length === 0) return where(source, 'equals', first);
  const [other, ...rest] = others;
  if (other === undefined) return where(source, 'is_answered');
  // Shorter, where most are chosen.
  if (rest.length === 0) return all(where(source, 'is_answered'), where(source, 'not_equals', other));
  return where(source, 'in', [...chosen]);
}
