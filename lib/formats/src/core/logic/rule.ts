import { coverOf, type Product } from './cover.ts';
import { ALWAYS, type Cells, type Diagram, DiagramsTooLarge } from './decision-diagrams.ts';
import type { Condition } from './formula.ts';
import { type Paths, TOO_MANY_PATHS, unansweredIn } from './paths.ts';
import { isAnswerEntry } from './variable-table.ts';

/** Shows or hides a question if all conditions of at least one alternative hold. */
export interface Rule {
  readonly action: 'show' | 'hide';
  readonly alternatives: readonly (readonly Condition[])[];
}

const MAX_ALTERNATIVES = 50;

/**
 * The rule that shows a question exactly when `reached` holds, or the reason why there is none.
 *
 * @param unprovenIds ids of questions that are always shown, because no rule was found for their step
 */
export function ruleFor(paths: Paths, reached: Diagram, unprovenIds: ReadonlySet<string>): Rule | string {
  const { diagrams, table } = paths;
  const sources = new Set<string>();
  const variables = unlessTooLarge(() => diagrams.variablesOf(reached));
  if (variables === undefined) return TOO_MANY_PATHS;
  for (const variable of variables) {
    const entry = table.entries[variable];
    if (entry === undefined) continue;
    if (!isAnswerEntry(entry)) return entry.reason;
    if (unprovenIds.has(entry.source)) return `it depends on ${entry.source}, which is always shown`;
    sources.add(entry.source);
  }
  const shown = shortestConditions(paths, reached, sources);
  if (shown !== undefined) return { action: 'show', alternatives: shown };
  const hidden = unlessTooLarge(() => shortestConditions(paths, diagrams.not(reached), sources));
  if (hidden !== undefined) return { action: 'hide', alternatives: hidden };
  return TOO_MANY_PATHS;
}

/** Returns the shorter of two results: conditions that are right for all answers, or only for possible answers. */
function shortestConditions(
  paths: Paths,
  wanted: Diagram,
  sources: ReadonlySet<string>,
): Rule['alternatives'] | undefined {
  const forAll = unlessTooLarge(() => toConditions(paths, wanted, ALWAYS));
  const forPossible = unlessTooLarge(() => toConditions(paths, wanted, possibleAnswers(paths, sources)));
  if (forAll === undefined || forPossible === undefined) return forAll ?? forPossible;
  return forPossible.flat().length < forAll.flat().length ? forPossible : forAll;
}

function unlessTooLarge<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof DiagramsTooLarge) return undefined;
    throw error;
  }
}

/** The possible combinations of answers: each question is reached or has no answer. */
function possibleAnswers({ diagrams, table, questionReached }: Paths, sources: ReadonlySet<string>): Diagram {
  const { and, or } = diagrams;
  return and(...[...sources].map((source) => or(questionReached(source), unansweredIn(diagrams, table, source))));
}

/** Conditions that hold for `wanted` among the possible answers; undefined if too many are needed. */
function toConditions(
  { diagrams, table }: Paths,
  wanted: Diagram,
  possible: Diagram,
): Rule['alternatives'] | undefined {
  const { and, or, not } = diagrams;
  const literalConditions = (variable: number, cells: Cells) => {
    const entry = table.entries[variable];
    return entry !== undefined && isAnswerEntry(entry) ? entry.variable.conditionsFor(cells) : undefined;
  };
  const costOf = (variable: number, cells: Cells): number => {
    const found = literalConditions(variable, cells);
    return found === undefined ? Number.POSITIVE_INFINITY : found.flat().length;
  };
  const products = coverOf(diagrams, table.sizes, costOf, and(wanted, possible), or(wanted, not(possible)));
  const alternatives: (readonly Condition[])[] = [];
  for (const product of products) {
    const found = productConditions(product, literalConditions);
    if (found === undefined) return undefined;
    alternatives.push(...found);
    if (alternatives.length > MAX_ALTERNATIVES) return undefined;
  }
  return alternatives;
}

function productConditions(
  product: Product,
  literalConditions: (variable: number, cells: Cells) => Rule['alternatives'] | undefined,
): Rule['alternatives'] | undefined {
  let alternatives: Rule['alternatives'] = [[]];
  for (const [variable, cells] of [...product].toSorted(([one], [other]) => one - other)) {
    const found = literalConditions(variable, cells);
    if (found === undefined) return undefined;
    alternatives = alternatives.flatMap((before) => found.map((one) => [...before, ...one]));
    if (alternatives.length > MAX_ALTERNATIVES) return undefined;
  }
  return alternatives;
}
