import { expect, it } from 'vitest';
import { ALWAYS, createDiagrams, type Diagram, DiagramsTooLarge } from './diagrams.ts';

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
