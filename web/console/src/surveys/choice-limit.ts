import { formatNumber } from '../ui/format.tsx';

/** Maximum number of links or projects in a select field: the newest ones. */
export const MAX_CHOICES = 1_000;

/**
 * Returns the description of a field that offers `count` links or projects. At the limit, it says that the field has
 * only the newest ones. Below the limit, there is no description.
 */
export function choiceLimitDescription(count: number): { readonly description?: string } {
  return count < MAX_CHOICES ? {} : { description: `The newest ${formatNumber(MAX_CHOICES)}.` };
}
