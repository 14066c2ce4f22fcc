import type { JsonObject } from '@bufbuild/protobuf';
import { LIMITS } from '@survey/questionnaire/limits';
import { OPERATORS } from '@survey/questionnaire/logic/operators';
import { ALWAYS, createDiagrams, type Diagram, type Diagrams, DiagramsTooLarge, NEVER } from './decision-diagrams.ts';
import { type Expression, mapLeaves } from './jump-expression.ts';
import type { Jump, Step } from './jump-graph.ts';
import { createVariableTable, type VariableTable } from './variable-table.ts';

/** The answers with which respondents reach each step. */
export interface Paths {
  readonly diagrams: Diagrams;
  readonly table: VariableTable;
  /** The answers that lead to the step at a position, or the reason why they are unknown. */
  answersLeadingTo(position: number): Diagram | string;
  /** The answers that lead to the question with an id. */
  questionReached(id: string): Diagram;
}

export const TOO_MANY_PATHS = 'too many paths lead to it';
/** Published forms need a tenth of these steps. */
const MAX_STEPS = 1_000_000;
const MAX_VARIABLES = 2_000;
/** A survey with more conditions is rejected anyway. */
const MAX_LEAVES = LIMITS.conditions;

export function createPaths(steps: readonly Step[], jumps: readonly Jump[]): Paths {
  const stepPositions = new Map(steps.map(({ key }, position) => [key, position]));
  const questionPositions = new Map<string, number>();
  const questions = new Map<string, JsonObject>();
  for (const [position, step] of steps.entries()) {
    for (const question of step.questions) {
      questionPositions.set(String(question['id']), position);
      questions.set(String(question['id']), question);
    }
  }
  const outgoing = Map.groupBy(
    jumps.flatMap((jump) => {
      const from = stepPositions.get(jump.from);
      return from === undefined ? [] : [{ from, ...toEdge(jump, from, stepPositions, questionPositions) }];
    }),
    ({ from }) => from,
  );
  const expressions = [...outgoing.values()].flat().map(({ when }) => when);
  const isTooLarge = countLeaves(expressions) > MAX_LEAVES;
  const table = createVariableTable(questions, isTooLarge ? [] : expressions);
  const diagrams = createDiagrams(table.sizes, isTooLarge || table.sizes.length > MAX_VARIABLES ? 0 : MAX_STEPS);
  const { reached, firstRepeated } = walk(steps, outgoing, diagrams, table);
  return {
    diagrams,
    table,
    answersLeadingTo(position) {
      const found = reached[position];
      if (found === undefined) return TOO_MANY_PATHS;
      // After a jump back, respondents can reach the step again with other answers.
      return position >= firstRepeated && found !== ALWAYS ? 'a jump leads back, so it can be reached twice' : found;
    },
    questionReached: (id) => reached[questionPositions.get(id) ?? 0] ?? ALWAYS,
  };
}

function countLeaves(expressions: readonly Expression[]): number {
  let count = 0;
  for (const expression of expressions) {
    mapLeaves(expression, (leaf) => {
      count += 1;
      return leaf;
    });
  }
  return count;
}

interface Edge {
  /** Position of the target step; undefined for the end of the survey. */
  readonly to: number | undefined;
  readonly when: Expression;
}

function toEdge(
  { to, when }: Jump,
  from: number,
  stepPositions: ReadonlyMap<string, number>,
  questionPositions: ReadonlyMap<string, number>,
): Edge {
  const target = to === undefined ? undefined : stepPositions.get(to);
  const isDangling = to !== undefined && target === undefined;
  return {
    to: target,
    when: isDangling
      ? { unknown: `a jump leads to ${to}, which does not exist` }
      : withLaterUnanswered(when, from, questionPositions),
  };
}

/** Evaluates conditions on later questions. Later questions have no answer when the jump is taken. */
function withLaterUnanswered(
  when: Expression,
  from: number,
  questionPositions: ReadonlyMap<string, number>,
): Expression {
  return mapLeaves(when, (leaf) => {
    if (typeof leaf === 'boolean' || !('source' in leaf)) return leaf;
    const position = questionPositions.get(leaf.source);
    return position !== undefined && position > from ? OPERATORS[leaf.operator].whenUnanswered : leaf;
  });
}

/** Follows all paths at once from the first step, until the step limit. */
function walk(
  steps: readonly Step[],
  outgoing: ReadonlyMap<number, readonly Edge[]>,
  diagrams: Diagrams,
  table: VariableTable,
) {
  const { and, or, not } = diagrams;
  const reached: Diagram[] = [];
  const arriving: Diagram[] = [ALWAYS];
  let firstRepeated = Number.POSITIVE_INFINITY;
  const unansweredAt = (step: Step | undefined): Diagram =>
    and(...(step?.questions ?? []).map(({ id }) => unansweredIn(diagrams, table, String(id))));
  const arrive = (position: number, when: Diagram): void => {
    arriving[position] = or(arriving[position] ?? NEVER, when);
  };
  try {
    for (let position = 0; position < steps.length; position++) {
      const arrived = arriving[position] ?? NEVER;
      reached.push(arrived);
      if (arrived === NEVER) continue;
      const unanswered = unansweredAt(steps[position]);
      let noneTaken: Diagram = ALWAYS;
      for (const { to, when } of outgoing.get(position) ?? []) {
        const condition = toDiagram(when, diagrams, table);
        const taken = and(noneTaken, condition);
        noneTaken = and(noneTaken, not(condition));
        // If the jump needs an answer at this step, `taken` implies `arrived`. Diagrams without `arrived` are smaller.
        const leaving = and(taken, unanswered) === NEVER ? taken : and(arrived, taken);
        if (to === undefined || leaving === NEVER) continue;
        if (to <= position) firstRepeated = Math.min(firstRepeated, to);
        else arrive(to, leaving);
      }
      arrive(position + 1, and(arrived, noneTaken));
    }
  } catch (error) {
    // The steps so far keep their results. The walk has not seen later jumps, so assume that all jumps back are taken.
    if (!(error instanceof DiagramsTooLarge)) throw error;
    for (const [from, list] of outgoing) {
      for (const { to } of list) if (to !== undefined && to <= from) firstRepeated = Math.min(firstRepeated, to);
    }
  }
  return { reached, firstRepeated };
}

/** The diagram that holds if the question has no answer. */
export function unansweredIn({ and, literal }: Diagrams, table: VariableTable, source: string): Diagram {
  return and(...table.ofSource(source).map(({ index, variable }) => literal(index, new Set([variable.unanswered]))));
}

function toDiagram(expression: Expression, diagrams: Diagrams, table: VariableTable): Diagram {
  if (typeof expression === 'boolean') return expression ? ALWAYS : NEVER;
  if ('all' in expression) return diagrams.and(...expression.all.map((one) => toDiagram(one, diagrams, table)));
  if ('any' in expression) return diagrams.or(...expression.any.map((one) => toDiagram(one, diagrams, table)));
  if ('not' in expression) return diagrams.not(toDiagram(expression.not, diagrams, table));
  const { variable, cells } = table.find(expression);
  return diagrams.literal(variable, cells());
}
