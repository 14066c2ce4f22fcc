import type { OptionSummary } from './summary.ts';

/** How many more options may be listed that nobody chose, in all questions and rows together. */
export interface Unchosen {
  left: number;
}

/** Counts how often each option was chosen; options come in the order in which they are listed first. */
export interface OptionTally {
  readonly counts: ReadonlyMap<string, { readonly count: number }>;
  /** As far as there is room. What is chosen counts all the same. */
  list(ids: readonly string[], unchosen: Unchosen): void;
  add(chosen: readonly string[]): void;
  /** Adds what another one counted. */
  absorb(other: OptionTally): void;
  /** @param answered of how many the shares are */
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

    list(ids, unchosen) {
      for (const id of ids) {
        if (counts.has(id)) continue;
        if (unchosen.left === 0) return;
        unchosen.left -= 1;
        counts.set(id, { count: 0 });
      }
    },

    add(chosen) {
      for (const id of chosen) countOf(id).count += 1;
    },

    absorb(other) {
      for (const [id, { count }] of other.counts) countOf(id).count += count;
    },

    summary: (answered) =>
      [...counts].map(([id, { count }]) => ({ id, count, share: answered === 0 ? 0 : count / answered })),
  };
}
