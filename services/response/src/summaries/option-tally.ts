import type { OptionSummary } from './summary.ts';

/** Number of options with a count of 0 that can still be added, shared by all questions and rows. */
export interface UnchosenOptionBudget {
  left: number;
}

/** Counts how often each option was chosen. Options keep the order in which they were added. */
export interface OptionTally {
  readonly counts: ReadonlyMap<string, { readonly count: number }>;
  /** Adds options with a count of 0, within the budget. A chosen option is counted even without this. */
  addUnchosen(ids: readonly string[], budget: UnchosenOptionBudget): void;
  add(chosen: readonly string[]): void;
  merge(other: Pick<OptionTally, 'counts'>): void;
  /** @param answered number of answers, the base of the shares */
  summary(answered: number): readonly OptionSummary[];
}

export function createOptionTally(): OptionTally {
  const counts = new Map<string, { count: number }>();

  function countOf(id: string): { count: number } {
    const known = counts.get(id);
    if (known !== undefined) return known;
    const option = { count: 0 };
    counts.set(id, option);
    return option;
  }

  return {
    counts,

    addUnchosen(ids, budget) {
      for (const id of ids) {
        if (counts.has(id)) continue;
        if (budget.left === 0) return;
        budget.left -= 1;
        counts.set(id, { count: 0 });
      }
    },

    add(chosen) {
      for (const id of chosen) countOf(id).count += 1;
    },

    merge(other) {
      for (const [id, { count }] of other.counts) countOf(id).count += count;
    },

    summary: (answered) =>
      [...counts].map(([id, { count }]) => ({ id, count, share: answered === 0 ? 0 : count / answered })),
  };
}
