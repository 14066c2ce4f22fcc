import type { Formula } from './formula.ts';

/** Which questions are shown or not by what is answered to others. */
interface Dependence {
  readonly questions: readonly string[];
  readonly when: Formula;
}

/** A rule by which a question would depend on itself, and that question. */
interface Circle<Rule> {
  readonly rule: Rule;
  readonly question: string;
}

/** The rules that, taken together with those before them, would make a question depend on itself. */
export function findCircles<Rule extends Dependence>(rules: readonly Rule[]): readonly Circle<Rule>[] {
  const circles: Circle<Rule>[] = [];
  const bySource = new Map<string, Rule[]>();
  for (const rule of rules) {
    const sources = sourcesOf(rule.when);
    const question = findReached(rule, sources, bySource);
    if (question !== undefined) {
      circles.push({ rule, question });
      continue;
    }
    for (const source of sources) {
      const known = bySource.get(source);
      if (known === undefined) bySource.set(source, [rule]);
      else known.push(rule);
    }
  }
  return circles;
}

/** The first of the sources that depends on what the rule is about. */
function findReached<Rule extends Dependence>(
  rule: Rule,
  sources: ReadonlySet<string>,
  bySource: ReadonlyMap<string, readonly Rule[]>,
): string | undefined {
  const reached = new Set<Rule>([rule]);
  const seen = new Set<string>();
  // A set is gone through with what is added to it on the way.
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
