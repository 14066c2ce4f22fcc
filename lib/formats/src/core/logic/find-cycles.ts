import type { Formula } from './formula.ts';

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

/** Finds the rules that, together with earlier rules, make a question depend on itself. */
export function findCycles<Rule extends Dependence>(rules: readonly Rule[]): readonly Cycle<Rule>[] {
  const cycles: Cycle<Rule>[] = [];
  const bySource = new Map<string, Rule[]>();
  for (const rule of rules) {
    const sources = sourcesOf(rule.when);
    const question = findReached(rule, sources, bySource);
    if (question !== undefined) {
      cycles.push({ rule, question });
      continue;
    }
    for (const source of sources) {
      const known = bySource.get(source);
      if (known === undefined) bySource.set(source, [rule]);
      else known.push(rule);
    }
  }
  return cycles;
}

/** The first source that depends on the questions of the rule. */
function findReached<Rule extends Dependence>(
  rule: Rule,
  sources: ReadonlySet<string>,
  bySource: ReadonlyMap<string, readonly Rule[]>,
): string | undefined {
  const reached = new Set<Rule>([rule]);
  const seen = new Set<string>();
  // A loop over a set includes items that are added during the loop.
  for (const { questions } of reached) {
    for (const question of questions) {
      if (sources.has(question)) return question;
      if (seen.has(question)) continue;
      seen.add(question);
      for (const next of bySource.get(question) ?? []) reached.add(next);
    }
  }
  return undefined;
}

function sourcesOf(formula: Formula): ReadonlySet<string> {
  const sources = new Set<string>();
  const open = [formula];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (part.kind === 'condition') sources.add(part.condition.source);
    else if (part.kind === 'not') open.push(part.of);
    else if (part.kind === 'all' || part.kind === 'any') open.push(...part.of);
  }
  return sources;
}
