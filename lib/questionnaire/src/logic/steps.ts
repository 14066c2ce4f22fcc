import { type Rejection, rejection } from '../answers/answer-type.ts';
import type { CompiledQuestion } from '../compiled-question.ts';
import { isArray, isObject, type JsonObject, ownMember } from '../json.ts';
import { LIMITS } from '../limits.ts';
import type { Rule } from './resolve-logic.ts';

/**
 * The steps that logic and the pattern take for an answer to a question. Their number grows with the product of the
 * definition and the answers; all other work grows with their sum, so that their sizes limit it. A step compares one
 * character or one id.
 *
 * The lint limits the steps for the largest answers, and `findCostly` those for given answers: surveys that an earlier
 * release published can exceed the limit.
 */
export interface AnswerSteps {
  readonly question: CompiledQuestion;
  /** @param size number of characters or chosen options */
  of(size: number): number;
}

/** Returns the steps for answers to each question that has any; none if even the largest answers stay within the limit. */
export function countSteps(questions: readonly CompiledQuestion[], rules: readonly Rule[]): readonly AnswerSteps[] {
  const counts = questions.map(({ rules: { steps } }) => (steps === undefined ? [] : [steps]));
  for (const { sourcePosition, steps } of rules.flatMap(({ conditions }) => conditions)) {
    counts[sourcePosition]?.push(steps);
  }
  let max = 0;
  const counted = questions.flatMap((question) => {
    const own = counts[question.position] ?? [];
    if (own.length === 0) return [];
    const of = (size: number): number => own.reduce((sum, steps) => sum + steps(size), 0);
    max += of(question.rules.operand.maxSize);
    return [{ question, of }];
  });
  return max <= LIMITS.steps ? [] : counted;
}

/**
 * Finds answers, the most costly first, without which the others stay within the limit of steps. The answers may be
 * invalid. Returns a rejection for each, by the position of its question.
 */
export function findCostly(steps: readonly AnswerSteps[], data: JsonObject): Map<number, Rejection> {
  const costly = new Map<number, Rejection>();
  const costs = steps
    .map(({ question, of }) => {
      const size = sizeOf(ownMember(data, question.id));
      // Characters beyond the Basic Multilingual Plane count as one, as in `max_length`.
      return { position: question.position, cost: of(Math.min(size, question.rules.operand.maxSize)) };
    })
    .sort((one, other) => other.cost - one.cost);
  let total = costs.reduce((sum, { cost }) => sum + cost, 0);
  for (const { position, cost } of costs) {
    if (total <= LIMITS.steps) break;
    total -= cost;
    const [own, limit] = [cost, LIMITS.steps].map((count) => count.toLocaleString('en'));
    const detail = `logic and patterns take ${own} steps for this text, and at most ${limit} are allowed; shorten it`;
    costly.set(position, rejection('TOO_COMPLEX', detail));
  }
  return costly;
}

/** The number of characters or items of a given answer. */
function sizeOf(answer: unknown): number {
  if (typeof answer === 'string' || isArray(answer)) return answer.length;
  return isObject(answer) && isArray(answer.options) ? answer.options.length + 1 : 1;
}
