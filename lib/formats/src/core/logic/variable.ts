import type { Cells } from './decision-diagrams.ts';
import type { Condition } from './formula.ts';

/** Alternatives of conditions: all conditions of at least one alternative hold. */
export type Alternatives = readonly (readonly Condition[])[];

/** Partitions the answers to one question into cells that conditions can distinguish. "No answer" has a cell too. */
export interface Variable {
  readonly size: number;
  /** The cell of "no answer". */
  readonly unanswered: number;
  /** The cells for which a condition holds. The variable must have been created with this condition. */
  cellsOf(condition: Condition): Cells;
  /** Conditions for "the answer is in one of the cells"; undefined if no conditions can express it. */
  conditionsFor(cells: Cells): Alternatives | undefined;
}
