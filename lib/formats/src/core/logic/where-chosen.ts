import { all, condition, type Formula, NEVER, not } from './formula.ts';

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
