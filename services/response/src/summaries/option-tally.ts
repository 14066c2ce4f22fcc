import type { OptionSummary } from './summary.ts';

/** Counts how often each option was chosen; options come in the order in which they are listed first. */
export function createOptionTally() {
  const counts = new Map<string, number>();
  return {
    list(ids: readonly string[]): void {
      for (const id of ids) if (!counts.has(id)) counts.set(id, 0);
    },

    add(chosen: readonly string[]): void {
      for (const id of chosen) counts.set(id, (counts.get(id) ?? 0) + 1);
    },

    /** @param answered of how many the shares are */
    summary(answered: number): readonly OptionSummary[] {
      return [...counts].map(([id, count]) => ({ id, count, share: answered === 0 ? 0 : count / answered }));
    },
  };
}
