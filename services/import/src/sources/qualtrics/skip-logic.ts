import type { JsonObject } from '@bufbuild/protobuf';
import { LIMITS } from '@survey/questionnaire/limits';
import { all, type Formula, not, where } from '../../conditions/formula.ts';
import { NotConverted } from '../../conditions/not-converted.ts';
import { expressionOf } from './display-logic.ts';
import type { Leap } from './leaps.ts';
import { listOf, nameOf, type Placed } from './qsf.ts';
import type { IndexedQuestion } from './question-index.ts';
import { createRoute } from './route.ts';

/** A question in the order of the survey, with the questions of ours that it became. */
export interface Step {
  /** `QID1` */
  readonly qid: string;
  readonly block: string;
  readonly ids: readonly string[];
  readonly required: boolean;
  /** The skips that leave it, of which the first that holds is taken. */
  readonly skips: readonly Placed[];
  /** Of its block among the others, and of the questions in it. */
  readonly order: { readonly block: Order; readonly questions: Order };
}

type Order = 'fixed' | 'random';

/** Of one question. */
const MAX_SKIPS = 20;
/** Of all questions: as many conditions as a survey may have. */
const MAX_LEAPS = LIMITS.conditions;

/**
 * What the skips of questions leave out. A skip looks at the answer to the very question that it leaves, and takes one to
 * be taken, so no path has to be known to tell whether it is: who was led past the question has not answered it.
 */
export function readSkips(steps: readonly Step[], index: ReadonlyMap<string, IndexedQuestion>): readonly Leap[] {
  const leaps: Leap[] = [];
  const route = createRoute(steps);
  for (const [position, step] of steps.entries()) {
    for (const [number, skip] of step.skips.entries()) {
      const { path, value: source } = skip;
      if (leaps.length < MAX_LEAPS) {
        const { questions, to, fault } = route.lead(position, skip.value);
        const convert = () => formulaOf(step, number, fault, index);
        leaps.push({ path, source, from: step.ids.at(-1) ?? '', to, questions, convert });
        continue;
      }
      const fault = `the survey has more than ${MAX_LEAPS} skips`;
      const questions = route.idsBetween(position + 1, steps.length);
      const convert = () => formulaOf(step, number, fault, index);
      return [...leaps, { path, source, from: step.ids.at(-1) ?? '', to: undefined, questions, convert }];
    }
  }
  return leaps;
}

function formulaOf(
  { qid, required, skips }: Step,
  number: number,
  fault: string | undefined,
  index: ReadonlyMap<string, IndexedQuestion>,
): Formula {
  const source = index.get(qid);
  if (source === undefined) throw new NotConverted('the question that it leaves is no single question here');
  if (fault !== undefined) throw new NotConverted(fault);
  if (number >= MAX_SKIPS) throw new NotConverted(`more than ${MAX_SKIPS} skips leave the question`);
  const conditionOf = ({ value }: Placed): Formula => {
    if (!required && isDenied(value)) throw new NotConverted('it is taken without an answer too');
    return expressionOf(value, index);
  };
  // The first one that holds is taken, so those before it must be known.
  const [skip, ...before] = skips.slice(0, number + 1).toReversed();
  const taken = skip === undefined ? [] : [conditionOf(skip)];
  return all(where(source.id, 'is_answered'), ...taken, ...before.map((one) => not(conditionOf(one))));
}

/** Whether it may hold where nothing was answered. */
function isDenied({ Condition: condition, Operator: operator }: JsonObject): boolean {
  return /^(Not(?!Empty)|Empty|DoesNot)/.test(nameOf(operator) ?? nameOf(condition) ?? '');
}

/** The skips of an element of a block. */
export function skipsOf({ value, path }: Placed): readonly Placed[] {
  return listOf(value['SkipLogic'], `${path}/SkipLogic`);
}
