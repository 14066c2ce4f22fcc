import { ALWAYS, type Cells, type Diagram, type Diagrams, DiagramsTooLarge, NEVER } from './decision-diagrams.ts';

/** A conjunction: each variable is in one of its cells. */
export type Product = ReadonlyMap<number, Cells>;

/** The number of conditions that express "the variable is in one of the cells"; infinite if no conditions can. */
type CostOf = (variable: number, cells: Cells) => number;

const MAX_CALLS = 5_000;

interface Cover {
  readonly products: readonly Product[];
  /** The disjunction of the products. */
  readonly diagram: Diagram;
}

/**
 * Covers a partly specified function with few products. At least one product holds whenever `needed` holds, and none
 * holds when `allowed` does not. Uses Minato's irredundant sums of products, with multi-valued variables. Throws
 * `DiagramsTooLarge` if the search takes too many steps.
 *
 * Example with one variable of three cells: `needed` holds in cell 0, `allowed` in cells 0 and 1. No product holds for
 * all cells (`common` is never), so cell 0 is still `wanted`. A condition may be for cell 0 alone (`least`) or for cells
 * 0 and 1 (`most`), and the shorter one becomes the product. Nothing is left for cell 1, which is not needed.
 */
export function coverOf(
  diagrams: Diagrams,
  sizes: readonly number[],
  costOf: CostOf,
  needed: Diagram,
  allowed: Diagram,
): readonly Product[] {
  const { and, or, not, within, variableOf, literal } = diagrams;
  let calls = 0;
  const minus = (one: Diagram, other: Diagram): Diagram => and(one, not(other));

  const cover = (low: Diagram, high: Diagram): Cover => {
    if (low === NEVER) return { products: [], diagram: NEVER };
    if (high === ALWAYS) return { products: [new Map()], diagram: ALWAYS };
    calls += 1;
    if (calls > MAX_CALLS) throw new DiagramsTooLarge();
    const variable = Math.min(variableOf(low), variableOf(high));
    const cells = Array.from({ length: sizes[variable] ?? 0 }, (_, cell) => cell);
    const lows = cells.map((cell) => within(low, variable, cell));
    const highs = cells.map((cell) => within(high, variable, cell));
    // If a product holds for every cell, it does not mention the variable.
    const common = and(...highs);
    const uncovered = lows.map((one) => minus(one, common));
    const products: Product[] = [];
    let diagram: Diagram = NEVER;
    for (const cell of cells) {
      const wanted = uncovered[cell] ?? NEVER;
      if (wanted === NEVER) continue;
      const chosen = simplestCells(variable, wanted, uncovered, highs);
      const part = cover(wanted, and(...[...chosen].map((one) => highs[one] ?? NEVER)));
      products.push(...part.products.map((product) => new Map(product).set(variable, chosen)));
      diagram = or(diagram, and(literal(variable, chosen), part.diagram));
      for (const one of chosen) uncovered[one] = minus(uncovered[one] ?? NEVER, part.diagram);
    }
    const rest = or(...lows.map((one, cell) => minus(one, within(diagram, variable, cell))));
    const others = cover(rest, common);
    return { products: [...products, ...others.products], diagram: or(diagram, others.diagram) };
  };

  /** The cells that must be covered, plus allowed cells if they make the condition shorter. */
  const simplestCells = (
    variable: number,
    wanted: Diagram,
    uncovered: readonly Diagram[],
    highs: readonly Diagram[],
  ): ReadonlySet<number> => {
    const cells = [...uncovered.keys()];
    const least = new Set(cells.filter((cell) => uncovered[cell] === wanted));
    const most = new Set(cells.filter((cell) => minus(wanted, highs[cell] ?? NEVER) === NEVER));
    return costOf(variable, most) < costOf(variable, least) ? most : least;
  };

  return cover(needed, allowed).products;
}
