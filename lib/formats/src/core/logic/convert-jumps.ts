import type { JsonObject } from '@bufbuild/protobuf';
import { LIMITS } from '@survey/questionnaire/limits';
import { OPERATORS } from '@survey/questionnaire/logic/operators';
import {
  countConditions,
  type DiagramsWithTable,
  toAlternatives,
  toDiagram,
  toEntries,
  unlessTooLarge,
  withoutConstants,
} from './alternatives.ts';
import { ALWAYS, createDiagrams, type Diagram, DiagramsTooLarge, NEVER } from './diagrams.ts';
import { condition, constant, type Formula, type Leaf, leavesOf, mapConditions, unknown } from './formula.ts';
import { createVariableTable, faultOf, kindsOf } from './variable-table.ts';
import type { Alternatives } from './variables.ts';

/** A step of a survey, in the order of the file: questions or a text. */
export interface Step {
  /** Identifies the step in jumps; unique. */
  readonly key: string;
  /** The converted questions; empty for a text. */
  readonly questions: readonly JsonObject[];
}

/** A jump from a step. The first jump whose formula holds is taken; otherwise, the next step follows. */
export interface Jump {
  readonly from: string;
  /** Key of the target step; undefined for the end of the survey. */
  readonly to: string | undefined;
  readonly when: Formula;
}

interface ConvertedJumps {
  /** Logic entries that show each question exactly when the jumps lead to it. */
  readonly logic: readonly JsonObject[];
  /** Steps that some paths skip, but for which no rule is proven. Their questions are always shown. */
  readonly unproven: readonly { readonly step: string; readonly reason: string }[];
  /** Steps with texts only, which some paths skip. They have no rules, and are always shown. */
  readonly conditionalTexts: readonly string[];
}

/** Shows or hides a question if all conditions of at least one alternative hold. */
interface ShowRule {
  readonly action: 'show' | 'hide';
  readonly alternatives: Alternatives;
}

/** The rule of a step; undefined if it is always shown; a text for the reason why no rule is proven. */
type Visibility = ShowRule | string | undefined;

const TOO_MANY_ALTERNATIVES_PATHS = 'too many paths lead to it';
const TOO_MANY_ALTERNATIVES_CONDITIONS = `the survey would have more than ${LIMITS.conditions} conditions`;
/** Maximum operations on diagrams. The largest forms of the corpus need a tenth of them. */
const MAX_OPERATIONS = 1_000_000;
const MAX_VARIABLES = 2_000;
/** A survey with more conditions is rejected anyway. */
const MAX_LEAVES = LIMITS.conditions;

/**
 * Converts jumps to rules that show or hide questions (ADR 0042). Example: the steps are A, B, C, and a jump leads from
 * A to C if the answer to A is "no". Then B is shown if the answer to A is not "no".
 *
 * A step gets a rule only if the rule is proven to be equivalent to the jumps. The answers that lead to a step are
 * computed forward, over all paths at once. A step gets no rule if a jump leads back to it or before it, if a condition
 * on a path is not about answers, or if too many paths lead to it.
 */
export function convertJumps(steps: readonly Step[], jumps: readonly Jump[]): ConvertedJumps {
  const paths = createPaths(steps, jumps);
  const logic: JsonObject[] = [];
  const unproven: { step: string; reason: string }[] = [];
  const conditionalTexts: string[] = [];
  const unprovenIds = new Set<string>();
  let previous: string | undefined;
  let conditions = 0;

  for (const [position, { key, questions }] of steps.entries()) {
    const ids = questions.map(({ id }) => String(id));
    const visibility = visibilityAt(paths, position, unprovenIds, previous);
    previous = ids.at(-1) ?? previous;
    if (visibility === undefined) continue;
    if (ids.length === 0) {
      conditionalTexts.push(key);
      continue;
    }
    const count = typeof visibility === 'string' ? 0 : countConditions(visibility.alternatives) * ids.length;
    const rule = conditions + count > LIMITS.conditions ? TOO_MANY_ALTERNATIVES_CONDITIONS : visibility;
    if (typeof rule === 'string') {
      unproven.push({ step: key, reason: rule });
      for (const id of ids) unprovenIds.add(id);
      continue;
    }
    conditions += count;
    logic.push(...ids.flatMap((id) => toEntries({ question_id: id }, rule.action, rule.alternatives)));
  }
  return { logic, unproven, conditionalTexts };
}

/** @param previous id of the previous question, if there is one */
function visibilityAt(
  paths: Paths,
  position: number,
  unprovenIds: ReadonlySet<string>,
  previous: string | undefined,
): Visibility {
  const reached = paths.answersLeadingTo(position);
  if (typeof reached === 'string') return reached;
  if (reached === ALWAYS) return undefined;
  const rule = reached === NEVER ? NEVER_SHOWN : ruleFor(paths, reached, unprovenIds);
  if (typeof rule === 'string') return rule;
  const isNever = rule.action === 'show' && rule.alternatives.length === 0;
  // A rule that never holds is written as a contradiction about a question.
  if (isNever && previous === undefined) return 'no path leads to it, and there is no question before it';
  const alternatives = withoutConstants(rule.action, rule.alternatives, () => previous ?? '');
  return alternatives.length === 0 ? undefined : { action: rule.action, alternatives };
}

const NEVER_SHOWN: ShowRule = { action: 'show', alternatives: [] };

/**
 * The rule that shows a question exactly when `reached` holds, or the reason why there is none.
 *
 * @param unprovenIds ids of questions that are always shown, because no rule was found for their step
 */
function ruleFor(paths: Paths, reached: Diagram, unprovenIds: ReadonlySet<string>): ShowRule | string {
  const { diagrams, table } = paths;
  const sources = new Set<string>();
  const variables = unlessTooLarge(() => diagrams.variablesOf(reached));
  if (variables === undefined) return TOO_MANY_ALTERNATIVES_PATHS;
  for (const index of variables) {
    const { source = '', unknown: reason } = table.variables[index] ?? {};
    if (reason !== undefined) return reason;
    if (unprovenIds.has(source)) return `it depends on ${source}, which is always shown`;
    sources.add(source);
  }
  const shown = shortestAlternatives(paths, () => reached, sources);
  if (shown !== undefined) return { action: 'show', alternatives: shown };
  const hidden = shortestAlternatives(paths, () => diagrams.not(reached), sources);
  return hidden === undefined ? TOO_MANY_ALTERNATIVES_PATHS : { action: 'hide', alternatives: hidden };
}

/**
 * The conditions for a diagram. One list of them is right for all answers, another for those that respondents can have.
 * Returns the shorter list; undefined if both take too many operations.
 *
 * @param makeWanted makes the diagram within each attempt, because this can reach the limit
 */
function shortestAlternatives(
  paths: Paths,
  makeWanted: () => Diagram,
  sources: ReadonlySet<string>,
): Alternatives | undefined {
  const attempt = (makePossible: () => Diagram): Alternatives | undefined => {
    const found = unlessTooLarge(() => toAlternatives(paths, makeWanted(), makePossible()));
    return typeof found === 'string' ? undefined : found;
  };
  const forAll = attempt(() => ALWAYS);
  const forPossible = attempt(() => possibleAnswers(paths, sources));
  if (forAll === undefined || forPossible === undefined) return forAll ?? forPossible;
  return countConditions(forPossible) < countConditions(forAll) ? forPossible : forAll;
}

/** The answers that respondents can have to some questions: a question that they did not reach has no answer. */
function possibleAnswers(paths: Paths, sources: ReadonlySet<string>): Diagram {
  const { and, or } = paths.diagrams;
  return and(...[...sources].map((source) => or(paths.questionReached(source), unansweredIn(paths, source))));
}

/** The answers with which respondents reach the steps. */
interface Paths extends DiagramsWithTable {
  /** The answers that lead to the step at a position, or the reason why they are unknown. */
  answersLeadingTo(position: number): Diagram | string;
  /** The answers that lead to the question with an id. */
  questionReached(id: string): Diagram;
}

function createPaths(steps: readonly Step[], jumps: readonly Jump[]): Paths {
  const located = steps.flatMap((step, position) =>
    step.questions.map((question) => ({ id: String(question['id']), question, position })),
  );
  const kinds = kindsOf(new Map(located.map(({ id, question }) => [id, question])));
  const positions: QuestionPositions = new Map(located.map(({ id, position }) => [id, position]));
  const jumpsFrom = Map.groupBy(locateJumps(steps, jumps, kinds, positions), ({ from }) => from);
  const leaves = [...jumpsFrom.values()].flat().flatMap(({ when }) => leavesOf(when));
  const isTooLarge = leaves.length > MAX_LEAVES;
  // Variables in the order of the questions keep the diagrams small.
  const orderOf = (leaf: Leaf): number =>
    leaf.kind === 'unknown' ? steps.length : (positions.get(leaf.condition.source) ?? 0);
  const ordered = isTooLarge ? [] : leaves.toSorted((one, other) => orderOf(one) - orderOf(other));
  const table = createVariableTable(kinds, ordered);
  const sizes = table.variables.map(({ size }) => size);
  const diagrams = createDiagrams(sizes, isTooLarge || sizes.length > MAX_VARIABLES ? 0 : MAX_OPERATIONS);
  const { reached, firstRepeated } = followPaths(steps, jumpsFrom, { diagrams, table });
  return {
    diagrams,
    table,
    answersLeadingTo(position) {
      const answers = reached[position];
      if (answers === undefined) return TOO_MANY_ALTERNATIVES_PATHS;
      // After a jump back, respondents can reach the step again with other answers.
      return position >= firstRepeated && answers !== ALWAYS
        ? 'a jump leads back, so it can be reached twice'
        : answers;
    },
    questionReached: (id) => reached[positions.get(id) ?? 0] ?? ALWAYS,
  };
}

/** The position of the step of each question, by id. */
type QuestionPositions = ReadonlyMap<string, number>;

/** A jump with the positions of its steps. */
interface LocatedJump {
  readonly from: number;
  /** Position of the target step; undefined for the end of the survey. */
  readonly to: number | undefined;
  readonly when: Formula;
}

/** Finds the steps of the jumps. A jump to an unknown step has an unknown condition. */
function locateJumps(
  steps: readonly Step[],
  jumps: readonly Jump[],
  kinds: ReturnType<typeof kindsOf>,
  positions: QuestionPositions,
): readonly LocatedJump[] {
  const stepPositions = new Map(steps.map(({ key }, position) => [key, position]));
  return jumps.flatMap(({ from: fromKey, to: toKey, when }): readonly LocatedJump[] => {
    const from = stepPositions.get(fromKey);
    const to = toKey === undefined ? undefined : stepPositions.get(toKey);
    if (from === undefined) return [];
    if (toKey === undefined || to !== undefined) return [{ from, to, when: whenLeaving(when, from, kinds, positions) }];
    return [{ from, to, when: unknown(`a jump leads to ${toKey}, which does not exist`) }];
  });
}

/**
 * Replaces conditions on later questions by constants, because these questions have no answer when the jump is taken.
 * Conditions that answers cannot decide become unknown.
 */
function whenLeaving(
  when: Formula,
  from: number,
  kinds: ReturnType<typeof kindsOf>,
  positions: QuestionPositions,
): Formula {
  return mapConditions(when, (one) => {
    const position = positions.get(one.source);
    if (position !== undefined && position > from) return constant(OPERATORS[one.operator].whenUnanswered);
    const fault = faultOf(one, kinds);
    return fault === undefined ? condition(one.source, one.operator, one.value) : unknown(fault);
  });
}

/**
 * Follows all paths at once, step by step. `reached` has the answers that lead to each step, as far as the limit of
 * operations allows. `firstRepeated` is the first step to which a jump leads back; infinite if there is none.
 *
 * Example: the steps are A, B, C, and a jump leads from A to C if A is "no". At A, "A is no" is added for C, and "A is
 * not no" for B. At B, its answers are added for C. So B is reached if A is not "no", and C with all answers.
 */
function followPaths(
  steps: readonly Step[],
  jumpsFrom: ReadonlyMap<number, readonly LocatedJump[]>,
  answerDiagrams: DiagramsWithTable,
) {
  const { and, or, not } = answerDiagrams.diagrams;
  const reached: Diagram[] = [];
  /** By position: the answers that lead to a step from the steps so far. */
  const leadingTo: Diagram[] = [ALWAYS];
  let firstRepeated = Number.POSITIVE_INFINITY;
  const unansweredAt = (step: Step | undefined): Diagram =>
    and(...(step?.questions ?? []).map(({ id }) => unansweredIn(answerDiagrams, String(id))));
  const addPath = (position: number, answers: Diagram): void => {
    leadingTo[position] = or(leadingTo[position] ?? NEVER, answers);
  };
  try {
    for (let position = 0; position < steps.length; position++) {
      const here = leadingTo[position] ?? NEVER;
      reached.push(here);
      if (here === NEVER) continue;
      const unanswered = unansweredAt(steps[position]);
      let noneTaken: Diagram = ALWAYS;
      for (const { to, when } of jumpsFrom.get(position) ?? []) {
        const holds = toDiagram(when, answerDiagrams);
        const taken = and(noneTaken, holds);
        noneTaken = and(noneTaken, not(holds));
        // Only respondents who reached this step can answer it. So if the jump needs an answer here, `taken` implies
        // `here`, and the diagram without `here` is smaller.
        const jumping = and(taken, unanswered) === NEVER ? taken : and(here, taken);
        if (to === undefined || jumping === NEVER) continue;
        if (to <= position) firstRepeated = Math.min(firstRepeated, to);
        else addPath(to, jumping);
      }
      addPath(position + 1, and(here, noneTaken));
    }
  } catch (error) {
    if (!(error instanceof DiagramsTooLarge)) throw error;
    // The steps so far keep their results. The jumps after them are not evaluated: assume that each can be taken.
    for (const { from, to } of [...jumpsFrom.values()].flat()) {
      if (to !== undefined && to <= from) firstRepeated = Math.min(firstRepeated, to);
    }
  }
  return { reached, firstRepeated };
}

/** The diagram that holds if the question has no answer. */
function unansweredIn({ diagrams: { and, literal }, table }: DiagramsWithTable, source: string): Diagram {
  return and(...table.ofSource(source).map(({ index, variable }) => literal(index, new Set([variable.unanswered]))));
}
