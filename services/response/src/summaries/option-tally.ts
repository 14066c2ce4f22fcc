import type { OptionSummary } from './summary.ts';

/** Counts how often each option was chosen; options come in the order in which they are listed first. */
export function createOptionTally() {
  const options = new Map<string, { count: number }>();

  function optionOf(id: string): { count: number } {
    const known = options.get(id);
    if (known !== undefined) return known;
    const option = { count: 0 };
    options.set(id, option);
    return option;
  }

  return {
    list(ids: readonly string[]): void {
      for (const id of ids) optionOf(id);
    },

    add(chosen: readonly string[]): void {
      for (const id of chosen) optionOf(id).count += 1;
    },

    /** @param answered of how many the shares are */
    summary(answered: number): readonly OptionSummary[] {
      return [...options].map(([id, { count }]) => ({ id, count, share: answered === 0 ? 0 : count / answered }));
    },
  };
}
