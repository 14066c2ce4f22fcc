import type { Condition } from '../conditions/formula.ts';
import type { Cells } from './decision-diagrams.ts';

/** Lists of conditions: all of at least one list hold. */
export type Alternatives = readonly (readonly Condition[])[];

/** What is asked of the answers to one question, as cells of which each answer, and having none, is in exactly one. */
export interface Variable {
  readonly size: number;
  /** The cell of having no answer. */
  readonly unanswered: number;
  /** The cells for which a condition that it was made for holds. */
  cellsOf(condition: Condition): Cells;
  /** The conditions which say that the answer is in one of the cells; undefined when none can. */
  say(cells: Cells): Alternatives | undefined;
}
