import type { JsonObject } from '@bufbuild/protobuf';
import { LIMITS } from '@survey/questionnaire/limits';
import { OPERATORS } from '@survey/questionnaire/logic/operators';
import { ALWAYS, createDiagrams, type Diagram, type Diagrams, DiagramsTooLarge, NEVER } from './decision-diagrams.ts';
import { type Expression, mapLeaves } from './expression.ts';
import type { Jump, Step } from './jump-graph.ts';
import { createVariableTable, isAnswer, type VariableTable } from './variable-table.ts';

/** Which answers lead by which step. */
export interface Paths {
  readonly diagrams: Diagrams;
  readonly table: VariableTable;
  /** When the step at a position is come by, or why that cannot be told. */
  reached(position: number): Diagram | string;
  /** When the question with an id is come by. */
  sourceReached(id: string): Diagram;
}

export const TOO_MANY_PATHS = 'too many paths lead there';
/** The forms that people make take a tenth of it. */
const MAX_STEPS = 1_000_000;
const MAX_VARIABLES = 2_000;
/** As many as a survey may have conditions; to sort more would take longer than it is worth. */
const MAX_LEAVES = LIMITS.conditions;

export function createPaths(steps: readonly Step[], jumps: readonly Jump[]): Paths {
  const positions = new Map(steps.map(({ key }, position) => [key, position]));
  const placeOf = new Map<string, number>();
  const questions = new Map<string, JsonObject>();
  for (const [position, step] of steps.entries()) {
    for (const question of step.questions) {
      placeOf.set(String(question['id']), position);
      questions.set(String(question['id']), question);
    }
  }
  const ways = Map.groupBy(
    jumps.flatMap((jump) => {
      const from = positions.get(jump.from);
      return from === undefined ? [] : [{ from, ...wayOf(jump, from, positions, placeOf) }];
    }),
    ({ from }) => from,
  );
  const expressions = [...ways.values()].flat().map(({ when }) => when);
  const isTooMuch = countLeaves(expressions) > MAX_LEAVES;
  const table = createVariableTable(questions, isTooMuch ? [] : expressions);
  const diagrams = createDiagrams(table.sizes, isTooMuch || table.sizes.length > MAX_VARIABLES ? 0 : MAX_STEPS);
  const { reached, firstAgain } = walk(steps, ways, diagrams, table);
  return {
    diagrams,
    table,
    reached(position) {
      const found = reached[position];
      if (found === undefined) return TOO_MANY_PATHS;
      // Whoever is led back comes by again, maybe with answers that lead elsewhere.
      return position >= firstAgain && found !== ALWAYS ? 'a jump leads back before it' : found;
    },
    sourceReached: (id) => reached[placeOf.get(id) ?? 0] ?? ALWAYS,
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

interface Way {
  /** The position to go on with; undefined is the end. */
  readonly to: number | undefined;
  readonly when: Expression;
}

function wayOf(
  { to, when }: Jump,
  from: number,
  positions: ReadonlyMap<string, number>,
  placeOf: ReadonlyMap<string, number>,
): Way {
  const target = to === undefined ? undefined : positions.get(to);
  const isLost = to !== undefined && target === undefined;
  return {
    to: target,
    when: isLost ? { unknown: `a jump leads to ${to}, which there is not` } : asSeenFrom(when, from, placeOf),
  };
}

/** What stands later has no answer yet. */
function asSeenFrom(when: Expression, from: number, placeOf: ReadonlyMap<string, number>): Expression {
  return mapLeaves(when, (leaf) => {
    if (typeof leaf === 'boolean' || !('source' in leaf)) return leaf;
    const place = placeOf.get(leaf.source);
    return place !== undefined && place > from ? OPERATORS[leaf.operator].whenUnanswered : leaf;
  });
}

/** Goes all paths at once, from the first step on, as far as the work allows. */
function walk(
  steps: readonly Step[],
  ways: ReadonlyMap<number, readonly Way[]>,
  diagrams: Diagrams,
  table: VariableTable,
) {
  const { and, or, not } = diagrams;
  const reached: Diagram[] = [];
  const arriving: Diagram[] = [ALWAYS];
  let firstAgain = Number.POSITIVE_INFINITY;
  const noAnswerTo = (step: Step | undefined): Diagram =>
    and(...(step?.questions ?? []).map(({ id }) => unansweredIn(diagrams, table, String(id))));
  const arrive = (position: number, when: Diagram): void => {
    arriving[position] = or(arriving[position] ?? NEVER, when);
  };
  try {
    for (let position = 0; position < steps.length; position++) {
      const here = arriving[position] ?? NEVER;
      reached.push(here);
      if (here === NEVER) continue;
      const silent = noAnswerTo(steps[position]);
      let passed: Diagram = ALWAYS;
      for (const { to, when } of ways.get(position) ?? []) {
        const condition = toDiagram(when, diagrams, table);
        const taken = and(passed, condition);
        passed = and(passed, not(condition));
        // Who has answered here has come by, so that need not be said.
        const leaving = and(taken, silent) === NEVER ? taken : and(here, taken);
        if (to === undefined || leaving === NEVER) continue;
        if (to <= position) firstAgain = Math.min(firstAgain, to);
        else arrive(to, leaving);
      }
      arrive(position + 1, and(here, passed));
    }
  } catch (error) {
    // The steps up to here are known, which is worth having, unless a later one leads back.
    if (!(error instanceof DiagramsTooLarge)) throw error;
    for (const [from, list] of ways) {
      for (const { to } of list) if (to !== undefined && to <= from) firstAgain = Math.min(firstAgain, to);
    }
  }
  return { reached, firstAgain };
}

/** When a question has no answer, as far as anything asks for one. */
export function unansweredIn({ and, literal }: Diagrams, table: VariableTable, source: string): Diagram {
  return and(
    ...table.ofSource(source).map((variable) => {
      const entry = table.entries[variable];
      return literal(variable, new Set(entry !== undefined && isAnswer(entry) ? [entry.variable.unanswered] : []));
    }),
  );
}

function toDiagram(expression: Expression, diagrams: Diagrams, table: VariableTable): Diagram {
  if (typeof expression === 'boolean') return expression ? ALWAYS : NEVER;
  if ('all' in expression) return diagrams.and(...expression.all.map((one) => toDiagram(one, diagrams, table)));
  if ('any' in expression) return diagrams.or(...expression.any.map((one) => toDiagram(one, diagrams, table)));
  if ('not' in expression) return diagrams.not(toDiagram(expression.not, diagrams, table));
  const { variable, cells } = table.find(expression);
  return diagrams.literal(variable, cells());
}
