import { formatNumber } from '../ui/format.tsx';

/** Maximum number of links or projects in a select field: the newest ones. */
export const MAX_CHOICES = 1_000;

/**
 * Returns the description of a field that offers this number of links or projects. It is a notice if others may be
 * missing.
 */
export function describeChoices(count: number): { readonly description?: string } {
  return count < MAX_CHOICES ? {} : { description: `The newest ${formatNumber(MAX_CHOICES)}.` };
}
