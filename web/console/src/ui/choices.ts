/** A choice of a `SelectField`. */
type Choice = { readonly value: string; readonly label: string };

/** Choices whose labels are their values. */
export function toChoices(values: readonly string[]): readonly Choice[] {
  return values.map((value) => ({ value, label: value }));
}

/** Adds the current value as a choice if it is not among the choices. */
export function withCurrent(choices: readonly Choice[], current: string | undefined): readonly Choice[] {
  if (current === undefined || choices.some(({ value }) => value === current)) return choices;
  return [...choices, { value: current, label: current }];
}
