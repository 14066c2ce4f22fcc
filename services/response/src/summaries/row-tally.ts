import { createOptionTally, type OptionTally, type UnchosenOptionBudget } from './option-tally.ts';
import type { RowSummary } from './summary.ts';

/** Counts the chosen options of each row. Rows keep the order in which they were added. */
export interface RowTally {
  readonly rows: ReadonlyMap<string, RowCount>;
  addUnchosen(ids: readonly string[], options: readonly string[], budget: UnchosenOptionBudget): void;
  add(chosenByRow: readonly (readonly [row: string, chosen: readonly string[]])[]): void;
  merge(other: Pick<RowTally, 'rows'>): void;
  summary(): readonly RowSummary[];
}

interface RowCount {
  readonly answered: number;
  readonly options: Pick<OptionTally, 'counts'>;
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

    addUnchosen(ids, options, budget) {
      for (const id of ids) {
        if (budget.left === 0) return;
        rowOf(id).options.addUnchosen(options, budget);
      }
    },

    add(chosenByRow) {
      for (const [id, chosen] of chosenByRow) {
        const row = rowOf(id);
        row.answered += 1;
        row.options.add(chosen);
      }
    },

    merge(other) {
      for (const [id, { answered, options }] of other.rows) {
        const row = rowOf(id);
        row.answered += answered;
        row.options.merge(options);
      }
    },

    summary: () =>
      [...rows].map(([id, { answered, options }]) => ({ id, answered, options: options.summary(answered) })),
  };
}
