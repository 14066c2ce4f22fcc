import { createOptionTally } from './option-tally.ts';
import type { RowSummary } from './summary.ts';

/** Counts what was chosen in each row; rows come in the order in which they are listed first. */
export function createRowTally() {
  const rows = new Map<string, { answered: number; readonly options: ReturnType<typeof createOptionTally> }>();

  function rowOf(id: string) {
    const known = rows.get(id);
    if (known !== undefined) return known;
    const row = { answered: 0, options: createOptionTally() };
    rows.set(id, row);
    return row;
  }

  return {
    list(ids: readonly string[], options: readonly string[]): void {
      for (const id of ids) rowOf(id).options.list(options);
    },

    add(chosenByRow: readonly (readonly [row: string, chosen: readonly string[]])[]): void {
      for (const [id, chosen] of chosenByRow) {
        const row = rowOf(id);
        row.answered += 1;
        row.options.add(chosen);
      }
    },

    summary(): readonly RowSummary[] {
      return [...rows].map(([id, { answered, options }]) => ({ id, answered, options: options.summary(answered) }));
    },
  };
}
