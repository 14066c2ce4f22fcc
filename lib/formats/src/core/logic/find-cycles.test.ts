import { expect, it } from 'vitest';
import { findCycles } from './find-cycles.ts';
import { condition } from './formula.ts';

const dependsOn = (question: string, source: string) => ({
  questions: [question],
  when: condition(source, 'is_answered'),
});

it('a rule in no cycle is not reported, even after the last step', () => {
  const size = 1_500;
  // From the last question to the first one, so that the search for each rule visits all rules before it.
  const ring = Array.from({ length: size }, (_, at) => dependsOn(`q${(size - at) % size}`, `q${size - at - 1}`));
  const bridge = dependsOn('a', 'q0');
  const pair = [dependsOn('b', 'a'), dependsOn('a', 'b')];
  const reported = findCycles([...ring, bridge, ...pair]).map(({ rule }) => rule);
  expect(reported).not.toContain(bridge);
  expect(reported).toEqual(expect.arrayContaining([ring.at(-1), pair.at(-1)]));
});

it('a rule is reported with the question that depends on itself', () => {
  const rules = [dependsOn('b', 'a'), dependsOn('c', 'b'), dependsOn('a', 'c'), dependsOn('d', 'd')];
  expect(findCycles(rules)).toEqual([
    { rule: rules[2], question: 'c' },
    { rule: rules[3], question: 'd' },
  ]);
});
