import type { JsonObject } from '@bufbuild/protobuf';
import {
  ALWAYS,
  type Cells,
  coverOf,
  type Diagram,
  type Diagrams,
  DiagramsTooLarge,
  NEVER,
  type Product,
} from './diagrams.ts';
import type { Condition, Formula, Leaf } from './formula.ts';
import { type Alternatives, isAnswerEntry, type VariableTable } from './variables.ts';

/** Functions of the answers, with the meaning of their variables. */
export interface AnswerDiagrams {
  readonly diagrams: Diagrams;
  readonly table: VariableTable;
}

const MAX_ALTERNATIVES = 100;
const MAX_CONDITIONS = 500;
/** The reason for formulas beyond the limits of diagrams. */
export const TOO_COMPLEX = 'its conditions are too complex together';
export const TOO_MANY = `it needs more than ${MAX_ALTERNATIVES} alternatives or ${MAX_CONDITIONS} conditions`;

/** Throws `DiagramsTooLarge`. */
export function toDiagram(formula: Formula, answers: AnswerDiagrams): Diagram {
  const { diagrams } = answers;
  switch (formula.kind) {
    case 'always':
    case 'never':
      return formula.kind === 'always' ? ALWAYS : NEVER;
    case 'not':
      return diagrams.not(toDiagram(formula.of, answers));
    case 'all':
      return diagrams.and(...toDiagrams(formula, answers));
    case 'any':
      return diagrams.or(...toDiagrams(formula, answers));
    default:
      return combineLeaves([formula], 'any', answers);
  }
}

/** The diagrams of the parts. Combines leaves with the same variable first: each diagram costs one step per cell. */
function toDiagrams(
  { kind, of }: Extract<Formula, { kind: 'all' | 'any' }>,
  answers: AnswerDiagrams,
): readonly Diagram[] {
  const groups = Map.groupBy(of, (part) => (isLeaf(part) ? answers.table.find(part).index : part));
  return [...groups].map(([key, group]) =>
    typeof key === 'number' ? combineLeaves(group.filter(isLeaf), kind, answers) : toDiagram(key, answers),
  );
}

function isLeaf(formula: Formula): formula is Leaf {
  return formula.kind === 'condition' || formula.kind === 'unknown';
}

/** The diagram of leaves with the same variable, of which all, or any, must hold. */
function combineLeaves(leaves: readonly Leaf[], kind: 'all' | 'any', { diagrams, table }: AnswerDiagrams): Diagram {
  /** Number of leaves that hold, by cell. */
  const holding = new Map<number, number>();
  let variable = 0;
  for (const leaf of leaves) {
    const { index, cells } = table.find(leaf);
    variable = index;
    const ofLeaf = cells();
    diagrams.countSteps(ofLeaf.size);
    for (const cell of ofLeaf) holding.set(cell, (holding.get(cell) ?? 0) + 1);
  }
  const needed = kind === 'any' ? 1 : leaves.length;
  return diagrams.literal(variable, new Set([...holding].flatMap(([cell, count]) => (count >= needed ? [cell] : []))));
}

/**
 * Converts `wanted` to alternatives that agree with it for all answers in `possible`. Returns the reason if that is
 * impossible. An empty list of alternatives never holds. An alternative with an empty list of conditions always holds.
 */
export function toAlternatives(
  { diagrams, table }: AnswerDiagrams,
  wanted: Diagram,
  possible: Diagram = ALWAYS,
): Alternatives | string {
  const { and, or, not } = diagrams;
  const conditionsFor = (variable: number, cells: Cells): Alternatives | string => {
    const entry = table.entries[variable];
    return entry !== undefined && isAnswerEntry(entry) ? entry.variable.conditionsFor(cells) : (entry?.reason ?? '');
  };
  const costOf = (variable: number, cells: Cells): number => {
    const found = conditionsFor(variable, cells);
    return typeof found === 'string' ? Number.POSITIVE_INFINITY : found.flat().length;
  };
  const products = unlessTooLarge(() =>
    coverOf(diagrams, table.sizes, costOf, and(wanted, possible), or(wanted, not(possible))),
  );
  const alternatives: (readonly Condition[])[] = [];
  for (const product of products ?? []) {
    const found = productConditions(product, conditionsFor);
    if (typeof found === 'string') return found;
    alternatives.push(...found);
    if (areTooMany(alternatives)) return TOO_MANY;
  }
  return products === undefined ? TOO_COMPLEX : alternatives;
}

export function areTooMany(alternatives: Alternatives): boolean {
  return alternatives.length > MAX_ALTERNATIVES || countConditions(alternatives) > MAX_CONDITIONS;
}

/** The number of conditions of all alternatives. */
export function countConditions(alternatives: Alternatives): number {
  return alternatives.reduce((sum, { length }) => sum + length, 0);
}

export function unlessTooLarge<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof DiagramsTooLarge) return undefined;
    throw error;
  }
}

function productConditions(
  product: Product,
  conditionsFor: (variable: number, cells: Cells) => Alternatives | string,
): Alternatives | string {
  let alternatives: Alternatives = [[]];
  for (const [variable, cells] of [...product].toSorted(([one], [other]) => one - other)) {
    const found = conditionsFor(variable, cells);
    if (typeof found === 'string') return found;
    alternatives = alternatives.flatMap((before) => found.map((one) => [...before, ...one]));
    if (areTooMany(alternatives)) return TOO_MANY;
  }
  return alternatives;
}

/**
 * The logic entries for alternatives: any entry suffices. Alternatives with a single condition share one entry with
 * `match: any`. Alternatives without conditions are skipped.
 *
 * @param target the members that say what is affected
 */
export function toEntries(target: JsonObject, action: string, alternatives: Alternatives): readonly JsonObject[] {
  const toEntry = (conditions: readonly Condition[], match: JsonObject): JsonObject => ({
    ...target,
    ...match,
    conditions: conditions.map(({ source, operator, value }) => ({
      source_question: source,
      operator,
      ...(value === undefined ? {} : { value }),
      action,
    })),
  });
  const single = alternatives.filter((conditions) => conditions.length === 1);
  const several = alternatives.filter((conditions) => conditions.length > 1);
  const any = single.length > 1 ? [toEntry(single.flat(), { match: 'any' })] : single.map((one) => toEntry(one, {}));
  return [...any, ...several.map((conditions) => toEntry(conditions, {}))];
}

/** An alternative that never holds: logic has no constants. */
export function impossibleAlternatives(source: string): Alternatives {
  return [
    [
      { source, operator: 'is_answered' },
      { source, operator: 'is_not_answered' },
    ],
  ];
}
