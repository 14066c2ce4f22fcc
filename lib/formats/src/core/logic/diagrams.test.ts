import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ALWAYS,
  coverOf,
  createDiagrams,
  type Diagram,
  type Diagrams,
  DiagramsTooLarge,
  NEVER,
  type Product,
} from './diagrams.ts';

const SIZES = [2, 3, 4, 2];

/** All assignments of variables to cells. */
const assignments = SIZES.reduce<number[][]>(
  (before, size) => before.flatMap((assignment) => Array.from({ length: size }, (_, cell) => [...assignment, cell])),
  [[]],
);
const truthTable = fc.array(fc.boolean(), { minLength: assignments.length, maxLength: assignments.length });
const literal = (diagrams: Diagrams, variable: number, cell: number) => diagrams.literal(variable, new Set([cell]));
const fromTable = (diagrams: Diagrams, table: readonly boolean[]): Diagram =>
  diagrams.or(
    ...assignments
      .filter((_, index) => table[index])
      .map((assignment) => diagrams.and(...assignment.map((cell, variable) => literal(diagrams, variable, cell)))),
  );
const holds = (diagrams: Diagrams, one: Diagram, assignment: readonly number[]): boolean =>
  assignment.reduce((left, cell, variable) => diagrams.within(left, variable, cell), one) === ALWAYS;
const isIn = (product: Product, assignment: readonly number[]): boolean =>
  [...product].every(([variable, cells]) => cells.has(assignment[variable] ?? -1));

describe('decision diagrams', () => {
  it('have the same number exactly if they are the same function', () => {
    fc.assert(
      fc.property(truthTable, truthTable, (one, other) => {
        const diagrams = createDiagrams(SIZES, 1_000_000);
        const [first, second] = [fromTable(diagrams, one), fromTable(diagrams, other)];
        expect(first === second).toBe(one.every((value, index) => value === other[index]));
        const both = diagrams.and(first, second);
        const none = diagrams.not(diagrams.or(first, second));
        for (const [index, assignment] of assignments.entries()) {
          expect(holds(diagrams, both, assignment)).toBe(one[index] === true && other[index] === true);
          expect(holds(diagrams, none, assignment)).toBe(one[index] === false && other[index] === false);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('know their variables, without irrelevant ones', () => {
    const diagrams = createDiagrams(SIZES, 1_000);
    const one = literal(diagrams, 1, 2);
    const either = diagrams.or(diagrams.and(one, literal(diagrams, 3, 0)), diagrams.and(one, literal(diagrams, 3, 1)));
    expect(either).toBe(one);
    expect([...diagrams.variablesOf(either)]).toEqual([1]);
    expect([...diagrams.variablesOf(ALWAYS), ...diagrams.variablesOf(NEVER)]).toEqual([]);
  });

  it('respect the step limit', () => {
    const diagrams = createDiagrams(SIZES, 20);
    const table = assignments.map((_, index) => index % 2 === 0);
    expect(() => fromTable(diagrams, table)).toThrow(DiagramsTooLarge);
  });
});

describe('covers', () => {
  it('hold where needed, and only where allowed', () => {
    fc.assert(
      fc.property(truthTable, truthTable, (one, possible) => {
        const diagrams = createDiagrams(SIZES, 10_000_000);
        const [wanted, care] = [fromTable(diagrams, one), fromTable(diagrams, possible)];
        const products = coverOf(
          diagrams,
          (_, cells) => cells.size,
          diagrams.and(wanted, care),
          diagrams.or(wanted, diagrams.not(care)),
        );
        for (const [index, assignment] of assignments.entries()) {
          if (possible[index]) expect(products.some((product) => isIn(product, assignment))).toBe(one[index]);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('of constants are everything and nothing', () => {
    const diagrams = createDiagrams(SIZES, 1_000);
    const cost = () => 1;
    expect(coverOf(diagrams, cost, NEVER, NEVER)).toEqual([]);
    expect(coverOf(diagrams, cost, ALWAYS, ALWAYS)).toEqual([new Map()]);
  });

  it('prefer cells that conditions can express', () => {
    const diagrams = createDiagrams([3], 1_000);
    const cost = (_: number, cells: ReadonlySet<number>) => (cells.size === 2 ? 1 : Number.POSITIVE_INFINITY);
    const products = coverOf(diagrams, cost, literal(diagrams, 0, 0), diagrams.not(literal(diagrams, 0, 2)));
    expect(products).toEqual([new Map([[0, new Set([0, 1])]])]);
  });
});

const YES = new Set([1]);
/** A conjunction of many variables. The last one comes first, so that each step is short. */
function conjunctionOf(count: number) {
  const diagrams = createDiagrams(
    Array.from({ length: count }, () => 2),
    1_000_000,
  );
  let all: Diagram = ALWAYS;
  for (let variable = count - 1; variable >= 0; variable -= 1) all = diagrams.and(all, diagrams.literal(variable, YES));
  return { ...diagrams, all };
}

it('a function of some hundred variables has a negation', () => {
  const { all, not, and } = conjunctionOf(400);
  expect(not(not(all))).toBe(all);
  expect(and(all, not(all))).not.toBe(ALWAYS);
});

it('a function that is nested too deep is an error that callers handle, and others stay possible', () => {
  const { all, not, literal } = conjunctionOf(2_000);
  expect(() => not(all)).toThrow(DiagramsTooLarge);
  expect(() => not(all)).toThrow(DiagramsTooLarge);
  expect(not(not(literal(3, YES)))).toBe(literal(3, YES));
});
