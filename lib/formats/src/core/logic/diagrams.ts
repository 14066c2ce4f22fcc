/**
 * A decision diagram: a Boolean function of variables, as a number. Two functions are equal if their numbers are equal.
 * Formulas become such functions, and these become conditions (ADR 0114).
 */
export type Diagram = number;

/**
 * Some of the cells of a variable, by number from 0. The cells of a variable are groups of answers: each answer is in
 * exactly one of them.
 */
export type Cells = ReadonlySet<number>;

export const NEVER: Diagram = 0;
export const ALWAYS: Diagram = 1;

/** Thrown when building diagrams exceeds a limit. */
export class DiagramsTooLarge extends Error {
  override readonly name = 'DiagramsTooLarge';
}

/** Maximum depth of the recursion that builds a function. Each level takes several frames of the call stack. */
const MAX_NESTED = 500;

export interface Diagrams {
  /** Number of cells of each variable. */
  readonly sizes: readonly number[];
  /** The function "the variable is in one of the cells". */
  literal(variable: number, cells: Cells): Diagram;
  not(one: Diagram): Diagram;
  and(...all: readonly Diagram[]): Diagram;
  or(...all: readonly Diagram[]): Diagram;
  /** The first variable that the function depends on; infinite for constants. */
  variableOf(one: Diagram): number;
  /**
   * Restricts a function to one cell of a variable. If it depends only on later variables, it stays the same. It must
   * not depend on earlier ones.
   */
  within(one: Diagram, variable: number, cell: number): Diagram;
  /** All variables that a function depends on. */
  variablesOf(one: Diagram): ReadonlySet<number>;
  /** Adds steps that the caller made itself. Throws `DiagramsTooLarge` at the limit. */
  countSteps(more: number): void;
  /** The number of steps so far. */
  steps(): number;
}

/**
 * Boolean functions as reduced ordered decision diagrams (Bryant 1986) with multi-valued variables, ordered by number.
 * A function is a node: its first variable, and for each cell of this variable the function that is left (`children`).
 * Equal nodes are stored once. Methods throw `DiagramsTooLarge` after `maxSteps` steps, or at a depth of `MAX_NESTED`.
 *
 * @param sizes number of cells of each variable
 */
export function createDiagrams(sizes: readonly number[], maxSteps: number): Diagrams {
  const variables: number[] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const children: (readonly Diagram[])[] = [[], []];
  const nodeByKey = new Map<string, Diagram>();
  const conjunctions = new Map<string, Diagram>();
  const negations = new Map<Diagram, Diagram>([
    [NEVER, ALWAYS],
    [ALWAYS, NEVER],
  ]);
  let steps = 0;
  let nested = 0;

  const variableOf = (one: Diagram): number => variables[one] ?? Number.POSITIVE_INFINITY;
  const within = (one: Diagram, variable: number, cell: number): Diagram =>
    variableOf(one) === variable ? (children[one]?.[cell] ?? NEVER) : one;
  const countSteps = (more: number): void => {
    steps += more;
    if (steps > maxSteps) throw new DiagramsTooLarge();
  };

  const childrenOf = (variable: number, childOf: (cell: number) => Diagram): readonly Diagram[] => {
    nested += 1;
    try {
      return Array.from({ length: sizes[variable] ?? 0 }, (_, cell) => childOf(cell));
    } finally {
      // Also after an error: callers catch `DiagramsTooLarge` and then build other functions.
      nested -= 1;
    }
  };

  const makeNode = (variable: number, childOf: (cell: number) => Diagram): Diagram => {
    countSteps(sizes[variable] ?? 0);
    if (nested >= MAX_NESTED) throw new DiagramsTooLarge();
    const made = childrenOf(variable, childOf);
    const [first = NEVER] = made;
    if (made.every((child) => child === first)) return first;
    const key = `${variable}:${made.join()}`;
    const found = nodeByKey.get(key);
    if (found !== undefined) return found;
    variables.push(variable);
    children.push(made);
    nodeByKey.set(key, variables.length - 1);
    return variables.length - 1;
  };

  const andTwo = (one: Diagram, other: Diagram): Diagram => {
    countSteps(1);
    if (one === other || other === ALWAYS) return one;
    if (one === ALWAYS) return other;
    if (one === NEVER || other === NEVER) return NEVER;
    const key = one < other ? `${one},${other}` : `${other},${one}`;
    const found = conjunctions.get(key);
    if (found !== undefined) return found;
    const variable = Math.min(variableOf(one), variableOf(other));
    const made = makeNode(variable, (cell) => andTwo(within(one, variable, cell), within(other, variable, cell)));
    conjunctions.set(key, made);
    return made;
  };

  const not = (one: Diagram): Diagram => {
    const found = negations.get(one);
    if (found !== undefined) return found;
    const variable = variableOf(one);
    const made = makeNode(variable, (cell) => not(within(one, variable, cell)));
    negations.set(one, made);
    negations.set(made, one);
    return made;
  };

  return {
    sizes,
    literal: (variable, cells) => makeNode(variable, (cell) => (cells.has(cell) ? ALWAYS : NEVER)),
    not,
    // Starts with the last operand: its variable is usually the last one, so each step is short.
    and: (...all) => all.reduceRight((rest, one) => andTwo(one, rest), ALWAYS),
    or: (...all) => not(all.map(not).reduceRight((rest, one) => andTwo(one, rest), ALWAYS)),
    variableOf,
    within,
    variablesOf(one) {
      const found = new Set<number>();
      const seen = new Set<Diagram>();
      const visit = (diagram: Diagram): void => {
        if (diagram === NEVER || diagram === ALWAYS || seen.has(diagram)) return;
        seen.add(diagram);
        countSteps(children[diagram]?.length ?? 0);
        found.add(variableOf(diagram));
        for (const child of children[diagram] ?? []) visit(child);
      };
      visit(one);
      return found;
    },
    countSteps,
    steps: () => steps,
  };
}

/** A conjunction: each variable is in one of its cells. Without variables, it always holds. */
export type Product = ReadonlyMap<number, Cells>;

/** The number of conditions that express "the variable is in one of the cells"; infinite if no conditions can. */
type CostOf = (variable: number, cells: Cells) => number;

const MAX_COVER_CALLS = 5_000;

interface Cover {
  readonly products: readonly Product[];
  /** The disjunction of the products. */
  readonly diagram: Diagram;
}

/**
 * Covers a partly specified function with few products. At least one product holds whenever `needed` holds, and none
 * holds when `allowed` does not. Throws `DiagramsTooLarge` if the search takes too many steps. The algorithm is
 * Minato's for irredundant sums of products, with multi-valued variables.
 *
 * It divides the problem by the first variable, because both functions are simpler within each of its cells. First come
 * the products that need a condition on the variable, then those that are right in all cells. Example with one variable
 * of three cells: `needed` holds in cell 0, `allowed` in cells 0 and 1. No product is allowed in all cells. So cell 0
 * needs a condition: "in cell 0" or "in cell 0 or 1". The shorter one becomes the product.
 */
export function coverOf(diagrams: Diagrams, costOf: CostOf, needed: Diagram, allowed: Diagram): readonly Product[] {
  const { sizes, and, or, not, within, variableOf, literal } = diagrams;
  const minus = (one: Diagram, other: Diagram): Diagram => and(one, not(other));
  let calls = 0;

  /** Covers all of `required` and nothing outside of `permitted`. `required` must imply `permitted`. */
  const cover = (required: Diagram, permitted: Diagram): Cover => {
    if (required === NEVER) return { products: [], diagram: NEVER };
    if (permitted === ALWAYS) return { products: [new Map()], diagram: ALWAYS };
    calls += 1;
    if (calls > MAX_COVER_CALLS) throw new DiagramsTooLarge();
    const variable = Math.min(variableOf(required), variableOf(permitted));
    const cells = Array.from({ length: sizes[variable] ?? 0 }, (_, cell) => cell);
    const neededIn = cells.map((cell) => within(required, variable, cell));
    const allowedIn = cells.map((cell) => within(permitted, variable, cell));
    const allowedInAll = and(...allowedIn);
    // Products without a condition on the variable cannot cover these parts.
    const uncovered = neededIn.map((one) => minus(one, allowedInAll));
    const inSome = coverWithCondition(variable, uncovered, allowedIn);
    // All that is left is allowed in all cells, because everything else was in `uncovered`.
    const rest = or(...neededIn.map((one, cell) => minus(one, within(inSome.diagram, variable, cell))));
    const inAll = cover(rest, allowedInAll);
    return { products: [...inSome.products, ...inAll.products], diagram: or(inSome.diagram, inAll.diagram) };
  };

  /**
   * Covers with a condition on the variable.
   *
   * @param uncovered by cell, what is still to be covered. Each round changes it for later ones, until it is `NEVER`
   */
  const coverWithCondition = (variable: number, uncovered: Diagram[], allowedIn: readonly Diagram[]): Cover => {
    const products: Product[] = [];
    let diagram: Diagram = NEVER;
    for (const wanted of uncovered) {
      if (wanted === NEVER) continue;
      const chosen = simplestCells(variable, wanted, uncovered, allowedIn);
      const part = cover(wanted, and(...[...chosen].map((cell) => allowedIn[cell] ?? NEVER)));
      products.push(...part.products.map((product) => new Map(product).set(variable, chosen)));
      diagram = or(diagram, and(literal(variable, chosen), part.diagram));
      for (const cell of chosen) uncovered[cell] = minus(uncovered[cell] ?? NEVER, part.diagram);
    }
    return { products, diagram };
  };

  /** The cells in which exactly `wanted` is uncovered, or all in which it is allowed if their condition is shorter. */
  const simplestCells = (
    variable: number,
    wanted: Diagram,
    uncovered: readonly Diagram[],
    allowedIn: readonly Diagram[],
  ): Cells => {
    const cells = [...uncovered.keys()];
    const equalCells = new Set(cells.filter((cell) => uncovered[cell] === wanted));
    const allowedCells = new Set(cells.filter((cell) => minus(wanted, allowedIn[cell] ?? NEVER) === NEVER));
    return costOf(variable, allowedCells) < costOf(variable, equalCells) ? allowedCells : equalCells;
  };

  return cover(needed, allowed).products;
}
