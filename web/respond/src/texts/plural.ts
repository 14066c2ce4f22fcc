/** Forms of a text by plural category. In each form, `#` stands for the number. */
type Forms = Partial<Readonly<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** Returns a function that writes a number with the right plural form, such as `1 second` and `2 seconds`. */
export function createPlural(tag: string, forms: Forms): (count: number) => string {
  const rules = new Intl.PluralRules(tag);
  return (count) => (forms[rules.select(count)] ?? forms.other).replace('#', String(count));
}
