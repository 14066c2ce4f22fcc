import type { JsonObject } from '@bufbuild/protobuf';
import { LIMITS } from '@survey/questionnaire/limits';
import { all, condition, type Formula, not } from '../core/logic/formula.ts';
import { NotConvertedError } from '../core/logic/not-converted.ts';
import { convertExpression } from './conditions.ts';
import type { SkipJump } from './jumps.ts';
import { type Located, listOf, scalarText } from './qsf.ts';
import type { IndexedQuestion } from './question-index.ts';
import { createRoute } from './route.ts';

/** A question in the order of the survey, with the ids of its converted questions. */
export interface SkipStep {
  /** Id in Qualtrics, such as `QID1`. */
  readonly qid: string;
  readonly block: string;
  readonly ids: readonly string[];
  readonly required: boolean;
  /** The skips of the question. The first one that holds is taken. */
  readonly skips: readonly Located[];
  /** Order of the blocks, and of the questions in its block. */
  readonly order: { readonly block: Order; readonly questions: Order };
}

type Order = 'fixed' | 'random';

const MAX_SKIPS = 20;
const MAX_JUMPS = LIMITS.conditions;

/**
 * Converts the skips of questions to jumps. A skip tests only the answer to its own question, so the path to this
 * question does not matter.
 */
export function readSkips(
  steps: readonly SkipStep[],
  index: ReadonlyMap<string, IndexedQuestion>,
): readonly SkipJump[] {
  const jumps: SkipJump[] = [];
  const route = createRoute(steps);
  for (const [position, step] of steps.entries()) {
    for (const [number, skip] of step.skips.entries()) {
      const { path, value: source } = skip;
      if (jumps.length < MAX_JUMPS) {
        const { questions, to, fault } = route.targetOf(position, skip.value);
        const convert = () => formulaOf(step, number, fault, index);
        jumps.push({ path, source, from: step.ids.at(-1) ?? '', to, questions, convert });
        continue;
      }
      // One unsupported jump stands for all further skips.
      const fault = `the survey has more than ${MAX_JUMPS} skips`;
      const questions = route.idsBetween(position + 1, steps.length);
      const convert = () => formulaOf(step, number, fault, index);
      return [...jumps, { path, source, from: step.ids.at(-1) ?? '', to: undefined, questions, convert }];
    }
  }
  return jumps;
}

function formulaOf(
  { qid, required, skips }: SkipStep,
  number: number,
  fault: string | undefined,
  index: ReadonlyMap<string, IndexedQuestion>,
): Formula {
  const source = index.get(qid);
  if (source === undefined) throw new NotConvertedError('its question has no single equivalent');
  if (fault !== undefined) throw new NotConvertedError(fault);
  if (number >= MAX_SKIPS) throw new NotConvertedError(`its question has more than ${MAX_SKIPS} skips`);
  const conditionOf = ({ value }: Located): Formula => {
    if (!required && isTrueWithoutAnswer(value)) throw new NotConvertedError('it also applies without an answer');
    return convertExpression(value, index);
  };
  // The first skip that holds is taken, so no earlier skip may hold.
  const [skip, ...before] = skips.slice(0, number + 1).toReversed();
  const taken = skip === undefined ? [] : [conditionOf(skip)];
  return all(condition(source.id, 'is_answered'), ...taken, ...before.map((one) => not(conditionOf(one))));
}

/** Whether the condition can hold without an answer. */
function isTrueWithoutAnswer({ Condition: condition, Operator: operator }: JsonObject): boolean {
  return /^(Not(?!Empty)|Empty|DoesNot)/.test(scalarText(operator) ?? scalarText(condition) ?? '');
}

export function skipsOf({ value, path }: Located): readonly Located[] {
  return listOf(value['SkipLogic'], `${path}/SkipLogic`);
}
