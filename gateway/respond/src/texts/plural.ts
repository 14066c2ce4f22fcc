/** Forms of a text by the plural category of its number, which is `#` in them. */
type Forms = Partial<Readonly<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** Returns a function that writes a number in the form that it needs in a language, such as `1 second`, `2 seconds`. */
export function createPlural(tag: string, forms: Forms): (count: number) => string {
  const rules = new Intl.PluralRules(tag);
  return (count) => (forms[rules.select(count)] ?? forms.other).replace('#', String(count));
}
