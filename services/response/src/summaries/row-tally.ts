import { createOptionTally, type OptionTally, type Unchosen } from './option-tally.ts';
import type { RowSummary } from './summary.ts';

/** Counts what was chosen in each row; rows come in the order in which they are listed first. */
export interface RowTally {
  readonly rows: ReadonlyMap<string, RowCount>;
  /** As far as there is room for their options. */
  list(ids: readonly string[], options: readonly string[], unchosen: Unchosen): void;
  add(chosenByRow: readonly (readonly [row: string, chosen: readonly string[]])[]): void;
  /** Adds what another one counted. */
  absorb(other: RowTally): void;
  summary(): readonly RowSummary[];
}

interface RowCount {
  readonly answered: number;
  readonly options: OptionTally;
}

export function createRowTally(): RowTally {
  const rows = new Map<string, { answered: number; readonly options: OptionTally }>();

  function rowOf(id: string) {
    const known = rows.get(id);
    if (known !== undefined) return known;
    const row = { answered: 0, options: createOptionTally() };
    rows.set(id, row);
    return row;
  }

  return {
    rows,

    list(ids, options, unchosen) {
      for (const id of ids) {
        if (unchosen.left === 0) return;
        rowOf(id).options.list(options, unchosen);
      }
    },

    add(chosenByRow) {
      for (const [id, chosen] of chosenByRow) {
        const row = rowOf(id);
        row.answered += 1;
        row.options.add(chosen);
      }
    },

    absorb(other) {
      for (const [id, { answered, options }] of other.rows) {
        const row = rowOf(id);
        row.answered += answered;
        row.options.absorb(options);
      }
    },

    summary: () =>
      [...rows].map(([id, { answered, options }]) => ({ id, answered, options: options.summary(answered) })),
  };
}
