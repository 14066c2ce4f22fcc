import { type Formula, leavesOf } from './formula.ts';

/** Questions whose visibility depends on a formula. */
interface Dependence {
  readonly questions: readonly string[];
  readonly when: Formula;
}

/** A rule that makes a question depend on itself. */
interface Cycle<Rule> {
  readonly rule: Rule;
  readonly question: string;
}

/** A rule with the questions that its formula tests. */
interface Edges<Rule> {
  readonly rule: Rule;
  readonly sources: ReadonlySet<string>;
  readonly targets: ReadonlySet<string>;
}

/** Maximum steps of the search. In doubt, a rule counts as part of a cycle. */
const MAX_STEPS = 1_000_000;

/** Finds the rules that, together with earlier rules, make the visibility of a question depend on its own answer. */
export function findCycles<Rule extends Dependence>(rules: readonly Rule[]): readonly Cycle<Rule>[] {
  const all = rules.map((rule) => ({ rule, sources: sourcesOf(rule.when), targets: new Set(rule.questions) }));
  const reversed = withoutEnds(all).map(({ rule, sources, targets }) => ({ rule, sources: targets, targets: sources }));
  // Only these can be part of a cycle. Most surveys have none, and the search below takes the square of their number.
  const candidates = new Set(withoutEnds(reversed).map(({ rule }) => rule));
  const cycles: Cycle<Rule>[] = [];
  const bySource = new Map<string, Edges<Rule>[]>();
  let steps = 0;

  /** The first source that depends on the questions of the rule. */
  const findReached = (edges: Edges<Rule>): string | undefined => {
    const reached = new Set([edges]);
    const seen = new Set<string>();
    // A loop over a set includes items that are added during the loop.
    for (const { targets } of reached) {
      for (const question of targets) {
        steps += 1;
        if (edges.sources.has(question) || steps > MAX_STEPS) return question;
        if (seen.has(question)) continue;
        seen.add(question);
        for (const next of bySource.get(question) ?? []) reached.add(next);
      }
    }
    return undefined;
  };

  for (const edges of all.filter(({ rule }) => candidates.has(rule))) {
    const question = findReached(edges);
    if (question !== undefined) cycles.push({ rule: edges.rule, question });
    else for (const source of edges.sources) addTo(bySource, source, edges);
  }
  return cycles;
}

function sourcesOf(formula: Formula): ReadonlySet<string> {
  return new Set(leavesOf(formula).flatMap((leaf) => (leaf.kind === 'condition' ? [leaf.condition.source] : [])));
}

/** Removes the rules whose sources no remaining rule hides, again and again. Takes time for each source and target. */
function withoutEnds<Rule>(rules: readonly Edges<Rule>[]): readonly Edges<Rule>[] {
  /** Number of remaining rules that hide each question. */
  const hiding = new Map<string, number>();
  for (const { targets } of rules) for (const id of targets) hiding.set(id, (hiding.get(id) ?? 0) + 1);
  /** Number of sources of each remaining rule that other rules hide. */
  const hiddenSources = new Map<Edges<Rule>, number>();
  const bySource = new Map<string, Edges<Rule>[]>();
  for (const edges of rules) {
    const hidden = [...edges.sources].filter((id) => hiding.has(id));
    hiddenSources.set(edges, hidden.length);
    for (const id of hidden) addTo(bySource, id, edges);
  }
  const open = rules.filter((edges) => hiddenSources.get(edges) === 0);
  for (let edges = open.pop(); edges !== undefined; edges = open.pop()) {
    hiddenSources.delete(edges);
    for (const id of edges.targets) {
      const left = (hiding.get(id) ?? 0) - 1;
      hiding.set(id, left);
      for (const next of left === 0 ? (bySource.get(id) ?? []) : []) {
        const count = (hiddenSources.get(next) ?? 0) - 1;
        hiddenSources.set(next, count);
        if (count === 0) open.push(next);
      }
    }
  }
  return rules.filter((edges) => hiddenSources.has(edges));
}

function addTo<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
