import type { JsonObject } from '@bufbuild/protobuf';
import type { Cells } from './decision-diagrams.ts';
import type { Condition } from './formula.ts';
import { type Expression, type Leaf, mapLeaves } from './jump-expression.ts';
import type { Variable } from './variable.ts';
import { createSourceVariables, type SourceVariables } from './variables.ts';

interface AnswerEntry {
  readonly source: string;
  readonly variable: Variable;
}

/** A variable that answers do not determine, with the reason. */
interface UnknownEntry {
  readonly reason: string;
}

type Entry = AnswerEntry | UnknownEntry;

/** The variables of a set of expressions. Variables of answers come first, in the order of the questions. */
export interface VariableTable {
  readonly entries: readonly Entry[];
  readonly sizes: readonly number[];
  /** The variables of a question, with their indexes in `entries`. */
  ofSource(source: string): readonly { readonly index: number; readonly variable: Variable }[];
  /** The variable of a leaf, and the cells for which the leaf holds. */
  find(leaf: Exclude<Leaf, boolean>): { readonly variable: number; cells(): Cells };
}

const YES: Cells = new Set([1]);

/**
 * Collects the variables of expressions. `age > 17` and `age > 64` have one variable with six cells: below 17, 17,
 * between 17 and 64, 64, above 64, and no answer.
 *
 * @param questions by id, in the order of the survey. A condition on another question becomes an unknown variable.
 */
export function createVariableTable(
  questions: ReadonlyMap<string, JsonObject>,
  expressions: readonly Expression[],
): VariableTable {
  const leaves: Exclude<Leaf, boolean>[] = [];
  for (const expression of expressions) {
    mapLeaves(expression, (leaf) => {
      if (typeof leaf === 'object') leaves.push(leaf);
      return leaf;
    });
  }
  const bySource = Map.groupBy(leaves.filter(isCondition), ({ source }) => source);
  const entries: Entry[] = [];
  const variablesOf = new Map<string, { readonly first: number; readonly sourceVariables: SourceVariables }>();
  for (const [source, question] of questions) {
    const conditions = bySource.get(source);
    if (conditions === undefined) continue;
    const sourceVariables = createSourceVariables(question, conditions);
    variablesOf.set(source, { first: entries.length, sourceVariables });
    entries.push(...sourceVariables.variables.map((variable) => ({ source, variable })));
  }
  // Each unknown leaf is a variable of its own, even if the reasons are equal.
  const unknown = new Map<object, number>();
  const unknownVariable = (leaf: object, reason: string): number => {
    const found = unknown.get(leaf) ?? entries.length;
    if (found === entries.length) entries.push({ reason });
    unknown.set(leaf, found);
    return found;
  };

  const find: VariableTable['find'] = (leaf) => {
    if (!isCondition(leaf)) return { variable: unknownVariable(leaf, leaf.unknown), cells: () => YES };
    const source = variablesOf.get(leaf.source);
    const found = source?.sourceVariables.find(leaf) ?? `there is no question ${leaf.source}`;
    if (typeof found === 'string') return { variable: unknownVariable(leaf, found), cells: () => YES };
    const variable = (source?.first ?? 0) + found.index;
    const entry = entries[variable];
    return {
      variable,
      cells: () => (entry !== undefined && isAnswerEntry(entry) ? entry.variable.cellsOf(found.condition) : YES),
    };
  };
  // Adds the unknown variables.
  for (const leaf of leaves) find(leaf);

  return {
    entries,
    sizes: entries.map((entry) => (isAnswerEntry(entry) ? entry.variable.size : 2)),
    ofSource: (source) =>
      entries.flatMap((entry, index) =>
        isAnswerEntry(entry) && entry.source === source ? [{ index, variable: entry.variable }] : [],
      ),
    find,
  };
}

export function isAnswerEntry(entry: Entry): entry is AnswerEntry {
  return 'variable' in entry;
}

function isCondition(leaf: Exclude<Leaf, boolean>): leaf is Condition {
  return 'source' in leaf;
}
