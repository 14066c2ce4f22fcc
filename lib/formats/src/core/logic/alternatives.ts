import type { JsonObject } from '@bufbuild/protobuf';
import { LIMITS } from '@survey/questionnaire/limits';
import { getOrAdd } from '../maps.ts';
import {
  ALWAYS,
  type Cells,
  coverOf,
  createDiagrams,
  type Diagram,
  type Diagrams,
  DiagramsTooLarge,
  NEVER,
  type Product,
} from './diagrams.ts';
import { type Condition, countValues, type Formula, type Leaf, leavesOf, not, partsOf } from './formula.ts';
import { createVariableTable, kindsOf, type VariableTable } from './variable-table.ts';
import type { Alternatives } from './variables.ts';

/**
 * Converts formulas to logic entries. For "age > 17, or no answer" the steps are:
 *
 * 1. The table (`createVariableTable`) divides the answers to `age` into cells: none, up to 17, above 17.
 * 2. `toDiagram` makes a Boolean function of the cells: true for the first and the third cell.
 * 3. `coverOf` expresses the function by products. A product is true if each of its variables is in one of some cells:
 *    `age` in the first or third one.
 * 4. `toAlternatives` finds conditions for the cells of each product: `[[greater_than 17], [is_not_answered]]`. All
 *    conditions of at least one alternative must hold.
 * 5. `toEntries` makes entries of the alternatives: here, one entry with `match: any`.
 */

/** Diagrams, which are Boolean functions of variables, with the meaning of the variables. */
export interface DiagramsWithTable {
  readonly diagrams: Diagrams;
  readonly table: VariableTable;
}

const MAX_ALTERNATIVES = 100;
const MAX_CONDITIONS = 500;
/** The reason for formulas beyond the limits of diagrams. */
export const TOO_COMPLEX = 'its conditions are too complex together';
const TOO_MANY_ALTERNATIVES = `it needs more than ${MAX_ALTERNATIVES} alternatives or ${MAX_CONDITIONS} conditions`;

/** Throws `DiagramsTooLarge`. */
export function toDiagram(formula: Formula, answers: DiagramsWithTable): Diagram {
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

/** The diagrams of the parts. Leaves with the same variable share one: each diagram costs one step per cell. */
function toDiagrams(
  { kind, of }: Extract<Formula, { kind: 'all' | 'any' }>,
  answers: DiagramsWithTable,
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
function combineLeaves(leaves: readonly Leaf[], kind: 'all' | 'any', { diagrams, table }: DiagramsWithTable): Diagram {
  /** Number of leaves that hold, by cell. */
  const holding = new Map<number, number>();
  for (const leaf of leaves) {
    const ofLeaf = table.find(leaf).cells();
    diagrams.countSteps(ofLeaf.size);
    for (const cell of ofLeaf) holding.set(cell, (holding.get(cell) ?? 0) + 1);
  }
  const needed = kind === 'any' ? 1 : leaves.length;
  const cells = new Set([...holding].flatMap(([cell, count]) => (count >= needed ? [cell] : [])));
  const [first] = leaves;
  return first === undefined ? NEVER : diagrams.literal(table.find(first).index, cells);
}

/**
 * Converts `wanted` to alternatives that agree with it for all answers for which `possible` is true. Returns the reason
 * if that cannot be expressed. An empty list of alternatives never holds. An alternative with an empty list of
 * conditions always holds. Throws `DiagramsTooLarge`.
 */
export function toAlternatives(
  { diagrams, table }: DiagramsWithTable,
  wanted: Diagram,
  possible: Diagram = ALWAYS,
): Alternatives | string {
  const { and, or, not: negate } = diagrams;
  const conditionsFor = (variable: number, cells: Cells): Alternatives | string =>
    table.variables[variable]?.conditionsFor(cells) ?? [];
  const costOf = (variable: number, cells: Cells): number => {
    const found = conditionsFor(variable, cells);
    return typeof found === 'string' ? Number.POSITIVE_INFINITY : countConditions(found);
  };
  const alternatives: (readonly Condition[])[] = [];
  // The products can be true or false for impossible answers, so the cheapest function between two is searched. It must
  // be true for answers that are wanted and possible, and can be true for answers that are wanted or impossible.
  const [least, most] = [and(wanted, possible), or(wanted, negate(possible))];
  for (const product of coverOf(diagrams, costOf, least, most)) {
    const found = productConditions(product, conditionsFor);
    if (typeof found === 'string') return found;
    alternatives.push(...found);
    if (areTooMany(alternatives)) return TOO_MANY_ALTERNATIVES;
  }
  return alternatives;
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
    if (areTooMany(alternatives)) return TOO_MANY_ALTERNATIVES;
  }
  return alternatives;
}

function areTooMany(alternatives: Alternatives): boolean {
  return alternatives.length > MAX_ALTERNATIVES || countConditions(alternatives) > MAX_CONDITIONS;
}

/** The number of conditions of all alternatives. */
export function countConditions(alternatives: Alternatives): number {
  return alternatives.reduce((sum, { length }) => sum + length, 0);
}

/** The result of `compute`; undefined if it throws `DiagramsTooLarge`. */
export function unlessTooLarge<Result>(compute: () => Result): Result | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof DiagramsTooLarge) return undefined;
    throw error;
  }
}

/** Maximum steps to convert one formula, and more for each value in it. */
const MAX_STEPS = 30_000;
const STEPS_FOR_VALUE = 40;
/** Maximum steps to convert all formulas. A usual rule takes some hundred. */
const MAX_ALL_STEPS = 1_500_000;
const TOO_MANY_STEPS = 'the logic of the survey takes too many steps to convert';

/** Converts formulas to alternatives of conditions, or to the reason why there are none. Caches the results. */
export interface Converter {
  /** Alternatives that hold for the same answers as the formula. */
  whenTrue(formula: Formula): Alternatives | string;
  /** Alternatives that hold for all other answers. */
  whenFalse(formula: Formula): Alternatives | string;
}

/** @param questions by id */
export function createConverter(questions: ReadonlyMap<string, JsonObject>): Converter {
  const kinds = kindsOf(questions);
  let stepsLeft = MAX_ALL_STEPS;

  const convertWhole = (formula: Formula): Alternatives | string => {
    const leaves = leavesOf(formula);
    if (leaves.length > LIMITS.conditions) return TOO_COMPLEX;
    const table = createVariableTable(kinds, leaves);
    const maxSteps = MAX_STEPS + STEPS_FOR_VALUE * countValues(formula);
    const diagrams = createDiagrams(
      table.variables.map(({ size }) => size),
      Math.min(maxSteps, stepsLeft),
    );
    const found = unlessTooLarge(() => {
      const wanted = toDiagram(formula, { diagrams, table });
      const reasons = [...diagrams.variablesOf(wanted)].map((variable) => table.variables[variable]?.unknown);
      return reasons.find((reason) => reason !== undefined) ?? toAlternatives({ diagrams, table }, wanted);
    });
    stepsLeft -= diagrams.steps();
    return found ?? TOO_COMPLEX;
  };

  const convert = (formula: Formula): Alternatives | string => {
    if (stepsLeft <= 0) return TOO_MANY_STEPS;
    const whole = convertWhole(formula);
    // The whole formula has the shortest result, but can take too many steps. The parts of `any` take fewer.
    const parts = whole === TOO_MANY_ALTERNATIVES || whole === TOO_COMPLEX ? partsOf(formula, 'any') : [];
    if (parts.length < 2) return whole;
    let found: Alternatives = [];
    for (const part of parts) {
      const ofPart = convert(part);
      if (typeof ofPart === 'string') return ofPart;
      found = [...found, ...ofPart];
      if (areTooMany(found)) return TOO_MANY_ALTERNATIVES;
    }
    return found;
  };
  return { whenTrue: memoize(convert), whenFalse: memoize((formula) => convert(not(formula))) };
}

function memoize(convert: (formula: Formula) => Alternatives | string) {
  const known = new Map<Formula, Alternatives | string>();
  return (formula: Formula): Alternatives | string => getOrAdd(known, formula, () => convert(formula));
}

/**
 * Replaces constants, which logic entries cannot have, by conditions on any question. Returns an empty list for "always
 * shown" and "never required": they are the default and need no entry.
 *
 * @param sourceOf finds the id of the question
 */
export function withoutConstants(action: string, alternatives: Alternatives, sourceOf: () => string): Alternatives {
  const isNever = alternatives.length === 0;
  const isAlways = alternatives.some(({ length }) => length === 0);
  if (action === 'show' ? isAlways : isNever) return [];
  if (!isNever && !isAlways) return alternatives;
  const source = sourceOf();
  const answered: Condition = { source, operator: 'is_answered' };
  const unanswered: Condition = { source, operator: 'is_not_answered' };
  return isAlways ? [[answered], [unanswered]] : [[answered, unanswered]];
}

/**
 * The logic entries for alternatives: any entry suffices. Alternatives with a single condition share one entry with
 * `match: any`.
 *
 * @param target the members that say what is affected
 * @param alternatives without constants
 */
export function toEntries(target: JsonObject, action: string, alternatives: Alternatives): readonly JsonObject[] {
  const toEntry = (conditions: readonly Condition[], match: JsonObject = {}): JsonObject => ({
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
  const shared = single.length > 1 ? [toEntry(single.flat(), { match: 'any' })] : single.map((one) => toEntry(one));
  return [...shared, ...several.map((conditions) => toEntry(conditions))];
}
