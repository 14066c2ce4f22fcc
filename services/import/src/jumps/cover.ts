import { ALWAYS, type Cells, type Diagram, type Diagrams, DiagramsTooLarge, NEVER } from './decision-diagrams.ts';

/** Variables that are each in one of some cells, all at once. */
export type Product = ReadonlyMap<number, Cells>;

/** How much it takes to say that a variable is in one of the cells; infinite when it cannot be said. */
type CostOf = (variable: number, cells: Cells) => number;

const MAX_CALLS = 5_000;

interface Cover {
  readonly products: readonly Product[];
  /** The function that they make together. */
  readonly diagram: Diagram;
}

/**
 * Few products that together hold whenever `needed` does, and never when `allowed` does not: of a function that needs to
 * be right only in some cases. (Minato's irredundant sums of products, with variables of any number of values.) Throws
 * `DiagramsTooLarge` when they would be many.
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
    // What holds whichever cell it is needs no word of the variable.
    const common = and(...highs);
    const left = lows.map((one) => minus(one, common));
    const products: Product[] = [];
    let diagram: Diagram = NEVER;
    for (const cell of cells) {
      const wanted = left[cell] ?? NEVER;
      if (wanted === NEVER) continue;
      const chosen = simplest(variable, wanted, left, highs);
      const part = cover(wanted, and(...[...chosen].map((one) => highs[one] ?? NEVER)));
      products.push(...part.products.map((product) => new Map(product).set(variable, chosen)));
      diagram = or(diagram, and(literal(variable, chosen), part.diagram));
      for (const one of chosen) left[one] = minus(left[one] ?? NEVER, part.diagram);
    }
    const rest = or(...lows.map((one, cell) => minus(one, within(diagram, variable, cell))));
    const others = cover(rest, common);
    return { products: [...products, ...others.products], diagram: or(diagram, others.diagram) };
  };

  /** The cells that need the function, with as many of those that would bear it as make it easy to say. */
  const simplest = (
    variable: number,
    wanted: Diagram,
    left: readonly Diagram[],
    highs: readonly Diagram[],
  ): ReadonlySet<number> => {
    const cells = [...left.keys()];
    const least = new Set(cells.filter((cell) => left[cell] === wanted));
    const most = new Set(cells.filter((cell) => minus(wanted, highs[cell] ?? NEVER) === NEVER));
    return costOf(variable, most) < costOf(variable, least) ? most : least;
  };

  return cover(needed, allowed).products;
}
