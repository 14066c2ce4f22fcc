import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { all, any, condition, type Formula } from '../core/logic/formula.ts';
import { NotConvertedError } from '../core/logic/not-converted.ts';
import type { LocatedRule, UnsupportedLogic } from '../core/unsupported-logic.ts';
import { toFormula } from './conditions.ts';
import type { Flow, FlowBlock, Guard } from './flow.ts';
import type { SkipJump } from './jumps.ts';
import type { IndexedQuestion } from './question-index.ts';
import { readSkips } from './skip-logic.ts';
import type { SurveyStep } from './survey-pages.ts';

type QuestionIndex = ReadonlyMap<string, IndexedQuestion>;

const MAX_ENDS = 1_000;

interface SurveyRules {
  readonly rules: readonly LocatedRule[];
  readonly jumps: readonly SkipJump[];
  readonly unsupported: readonly UnsupportedLogic[];
}

/** Reads all logic: display logic, branches and ends of the flow, skips, and text entries of choices. */
export function readRules(steps: readonly SurveyStep[], { blocks, ends }: Flow, index: QuestionIndex): SurveyRules {
  const rules: LocatedRule[] = [];
  const unsupported: UnsupportedLogic[] = [];
  const addRule = ({ logic, path }: Guard, questions: readonly string[], convert: () => Formula) => {
    try {
      const when = convert();
      if (questions.length > 0) rules.push({ action: 'show', path, source: logic, questions, when });
    } catch (error) {
      if (!(error instanceof NotConvertedError)) throw error;
      unsupported.push({ path, source: logic, questions, reason: error.message });
    }
  };

  const stepsByBlock = Map.groupBy(steps, ({ flowBlock }) => flowBlock);
  const questionsOf = (block: FlowBlock) => (stepsByBlock.get(block) ?? []).flatMap(({ ids }) => ids);
  const blocksByGuard = Map.groupBy(
    blocks.flatMap((block) => (isRepeated(block) ? [] : block.guards.map((guard) => ({ guard, block })))),
    ({ guard }) => guard,
  );
  for (const [guard, guarded] of blocksByGuard) {
    const questions = guarded.flatMap(({ block }) => questionsOf(block));
    addRule(guard, questions, () => toFormula(guard.logic, index));
  }
  for (const block of blocks.filter(isRepeated)) {
    const [guard] = block.guards;
    const occurrences = [block.guards, ...(block.laterGuards ?? [])];
    const convert = () =>
      any(...occurrences.map((guards) => all(...guards.map(({ logic }) => toFormula(logic, index)))));
    if (guard !== undefined) addRule(guard, questionsOf(block), convert);
  }
  for (const { located, ids, parts } of steps) {
    const logic = objectMember(located.value, 'DisplayLogic');
    const path = `${located.path}/DisplayLogic`;
    if (logic !== undefined) addRule({ logic, path }, ids, () => toFormula(logic, index));
    for (const [position, part] of parts.entries()) {
      // A text entry is shown if its choice is chosen.
      const when = part.choice && whereChosen(part.choice, index);
      if (when !== undefined) addRule({ logic: {}, path: part.path }, ids.slice(position, position + 1), () => when);
    }
  }
  const toEnd = readEnds(blocks.map(questionsOf), ends, index);
  return {
    rules,
    jumps: [...readSkips(steps, index), ...toEnd.jumps],
    unsupported: [...unsupported, ...toEnd.unsupported],
  };
}

/**
 * Converts "End of Survey" elements to jumps to the end, from the last question before the element.
 *
 * @param questionsByBlock ids of the questions of each block, in order
 */
function readEnds(
  questionsByBlock: readonly (readonly string[])[],
  ends: Flow['ends'],
  index: QuestionIndex,
): { readonly jumps: readonly SkipJump[]; readonly unsupported: readonly UnsupportedLogic[] } {
  const allQuestions = questionsByBlock.flat();
  const jumps: SkipJump[] = [];
  const unsupported: UnsupportedLogic[] = [];
  /** Position of the first question of each block. */
  const positions = [0];
  for (const questions of questionsByBlock) positions.push((positions.at(-1) ?? 0) + questions.length);
  for (const { guards, blocksBefore, order } of ends) {
    // An unconditional end needs no jump: `readFlow` leaves out the blocks after it.
    const lastGuard = guards.at(-1);
    if (lastGuard === undefined && order === 'fixed') continue;
    const { path, logic: source } = lastGuard ?? { path: '', logic: {} };
    const position = positions[blocksBefore] ?? 0;
    const [from, skipped] = [allQuestions[position - 1], allQuestions.slice(position)];
    const isTooMany = jumps.length >= MAX_ENDS;
    const isRandom = order === 'random';
    const reason = isTooMany
      ? `the flow has more than ${MAX_ENDS} ends`
      : isRandom
        ? 'the end is inside a randomised part of the flow'
        : 'no question comes before it';
    if (isTooMany || isRandom || from === undefined) {
      unsupported.push({ path, source, questions: isRandom ? allQuestions : skipped, reason });
      if (isTooMany) break;
      continue;
    }
    const convert = () => all(...guards.map(({ logic }) => toFormula(logic, index)));
    jumps.push({ path, source, from, to: undefined, questions: skipped, convert });
  }
  return { jumps, unsupported };
}

/** The formula that holds if a choice is chosen; undefined if the choice is unknown. */
function whereChosen(
  choice: { readonly question: string; readonly key: string },
  index: QuestionIndex,
): Formula | undefined {
  const source = index.get(choice.question);
  const option = source?.options.find(({ key }) => key === choice.key);
  if (source === undefined || option === undefined) return undefined;
  return condition(source.id, source.type === 'multiple_choice' ? 'contains' : 'equals', option.id);
}

/** Whether a block occurs several times in the flow, each time with guards. */
function isRepeated({ laterGuards = [] }: FlowBlock): boolean {
  return laterGuards.length > 0;
}

function objectMember(owner: JsonObject, name: string): JsonObject | undefined {
  const member = owner[name];
  return isObject(member) ? member : undefined;
}
