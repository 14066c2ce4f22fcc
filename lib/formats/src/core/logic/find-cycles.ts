import { createDependencies, groupByDependency } from '@survey/questionnaire/logic/dependencies';
import { addToList } from '../maps.ts';
import { type Formula, leavesOf } from './formula.ts';

/** A rule that hides questions, depending on the answers that its formula tests. */
interface Dependence {
  readonly questions: readonly string[];
  readonly when: Formula;
}

/** A rule that closes a cycle: it makes the visibility of a question depend on the answer to the same question. */
interface Cycle<Rule> {
  readonly rule: Rule;
  readonly question: string;
}

/** The questions of a rule. The visibility of each hidden one depends on the answers to all tested ones. */
interface Edges<Rule> {
  readonly rule: Rule;
  readonly tested: ReadonlySet<string>;
  readonly hidden: ReadonlySet<string>;
}

/** Maximum steps of all searches together. After that, each rule that is part of a cycle counts as closing one. */
const MAX_STEPS = 1_000_000;

/**
 * Finds rules to reject, so that no cycle is left. Accepts the rules in order, except those that close a cycle with
 * accepted ones. Example: `b` depends on `a`, and `c` on `b`. Then a rule by which `a` depends on `c` closes a cycle.
 */
export function findCycles<Rule extends Dependence>(rules: readonly Rule[]): readonly Cycle<Rule>[] {
  const all = rules.map((rule) => ({ rule, tested: testedBy(rule.when), hidden: new Set(rule.questions) }));
  const findCyclic = createFindCyclic(all);
  const cycles: Cycle<Rule>[] = [];
  const acceptedByTested = new Map<string, Edges<Rule>[]>();
  let steps = 0;

  /** The first question that the rule tests and that depends on the questions that it hides. */
  const findReached = (edges: Edges<Rule>): string | undefined => {
    const reached = new Set([edges]);
    const seen = new Set<string>();
    // A loop over a set includes items that are added during the loop.
    for (const { hidden } of reached) {
      for (const question of hidden) {
        steps += 1;
        if (edges.tested.has(question)) return question;
        if (seen.has(question)) continue;
        seen.add(question);
        for (const next of acceptedByTested.get(question) ?? []) reached.add(next);
      }
    }
    return undefined;
  };

  for (const edges of all) {
    // Most surveys have no cycle, and the search takes the square of the number of rules.
    const cyclic = findCyclic(edges);
    if (cyclic === undefined) continue;
    const question = steps > MAX_STEPS ? cyclic : findReached(edges);
    if (question !== undefined) cycles.push({ rule: edges.rule, question });
    else for (const id of edges.tested) addToList(acceptedByTested, id, edges);
  }
  return cycles;
}

function testedBy(formula: Formula): ReadonlySet<string> {
  return new Set(leavesOf(formula).flatMap((leaf) => (leaf.kind === 'condition' ? [leaf.condition.source] : [])));
}

/** Finds a tested question of a rule that depends on itself by this rule and any others; undefined if there is none. */
function createFindCyclic(rules: readonly Edges<unknown>[]) {
  const ids = [...new Set(rules.flatMap(({ hidden }) => [...hidden]))];
  const positions = new Map(ids.map((id, position) => [id, position]));
  const positionsOf = (questions: Iterable<string>) => [...questions].flatMap((id) => positions.get(id) ?? []);
  const dependencies = createDependencies(ids.length);
  for (const [index, { tested, hidden }] of rules.entries()) {
    const targets = positionsOf(hidden);
    for (const source of positionsOf(tested)) dependencies.add(source, targets, index);
  }
  // The questions of a group depend on each other.
  const grouped = groupByDependency(dependencies).flatMap((group) => group.map((at) => [ids[at], group] as const));
  const groups = new Map(grouped);
  return ({ tested, hidden }: Edges<unknown>): string | undefined => {
    const ofHidden = new Set([...hidden].map((id) => groups.get(id)));
    return [...tested].find((id) => positions.has(id) && ofHidden.has(groups.get(id)));
  };
}
