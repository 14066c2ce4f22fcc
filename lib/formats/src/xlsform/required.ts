import type { FormRow } from './form.ts';

const TRUE = /^(yes|true|true\(\)|1)$/i;
const FALSE = /^(no|false|false\(\)|0)$/i;

/** Whether a row is required: always, never, or on a condition. */
export function requiredOf({ cells }: FormRow): 'always' | 'never' | { readonly condition: string } {
  const required = cells.get('required') ?? '';
  if (TRUE.test(required)) return 'always';
  return required === '' || FALSE.test(required) ? 'never' : { condition: required };
}
