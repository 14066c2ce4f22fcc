import { OTHER_SUFFIX } from '@survey/questionnaire/columns/cell-format';

/** A second target for a column, as if the column were two columns. */
export interface MadeColumn {
  /** Position of the column. */
  readonly from: number;
  readonly target: string;
}

/** Two columns for the same `other`. */
export interface OtherColumns {
  /** Position of the column that shows whether `other` was chosen. */
  readonly chosen: number;
  /** Position of the column with the text of `other`. */
  readonly text: number;
}

export interface FoundColumns {
  /** Names of targets by position. The name is empty for a column that is not imported. */
  readonly targets: ReadonlyMap<number, string>;
  readonly made: readonly MadeColumn[];
  readonly others: readonly OtherColumns[];
}

/** Collects the targets of columns. */
export interface ColumnAssignment extends FoundColumns {
  /** Gives a column a target. Of two columns for the same `other`, the second one has the text. */
  assign(position: number, name: string): void;
  /** Gives a column a second target, as if the column were two columns. */
  assignAgain(from: number, target: string): void;
  /** Whether a column has no target yet. */
  isOpen(position: number): boolean;
  /** Whether a column has this target. */
  hasTarget(name: string): boolean;
}

export function createColumnAssignment(): ColumnAssignment {
  const targets = new Map<number, string>();
  const positions = new Map<string, number>();
  const made: MadeColumn[] = [];
  const others: OtherColumns[] = [];
  return {
    targets,
    made,
    others,
    assign(position, name) {
      const earlier = positions.get(name);
      if (earlier !== undefined && name.endsWith(OTHER_SUFFIX)) {
        others.push({ chosen: earlier, text: position });
        targets.set(earlier, '');
      }
      positions.set(name, position);
      targets.set(position, name);
    },
    assignAgain: (from, target) => made.push({ from, target }),
    isOpen: (position) => !targets.has(position),
    hasTarget: (name) => positions.has(name),
  };
}
