/** The number of a Boolean function of variables. Two functions are equal if their numbers are equal. */
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

/** Maximum nesting of functions while building one. Each level takes several frames of the call stack. */
const MAX_NESTED = 500;

export interface Diagrams {
  /** The function "the variable is in one of the cells". */
  literal(variable: number, cells: Cells): Diagram;
  not(one: Diagram): Diagram;
  and(...all: readonly Diagram[]): Diagram;
  or(...all: readonly Diagram[]): Diagram;
  /** The first variable that the function depends on; infinite for constants. */
  variableOf(one: Diagram): number;
  /** Restricts a function to one cell of its first variable, or of an earlier one. */
  within(one: Diagram, variable: number, cell: number): Diagram;
  /** All variables that a function depends on. */
  variablesOf(one: Diagram): ReadonlySet<number>;
}

/**
 * Boolean functions as reduced ordered decision diagrams (Bryant 1986) with multi-valued variables, ordered by number.
 * Throws `DiagramsTooLarge` after `maxSteps` steps, or if functions are nested too deep.
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
    literal: (variable, cells) => makeNode(variable, (cell) => (cells.has(cell) ? ALWAYS : NEVER)),
    not,
    and: (...all) => all.reduce(andTwo, ALWAYS),
    or: (...all) => not(all.map(not).reduce(andTwo, ALWAYS)),
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
  };
}
