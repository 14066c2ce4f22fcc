import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { all, type Formula, where } from '../conditions/formula.ts';
import { NotConverted } from '../conditions/not-converted.ts';
import type { LocatedRule, UnsupportedLogic } from '../shared/unsupported-logic.ts';
import { toFormula } from './conditions.ts';
import type { Flow, FlowBlock, Guard } from './flow.ts';
import type { Jump } from './jumps.ts';
import type { IndexedQuestion } from './question-index.ts';
import { readSkips } from './skip-logic.ts';
import type { SurveyStep } from './survey-pages.ts';

type Index = ReadonlyMap<string, IndexedQuestion>;

const MAX_ENDS = 1_000;

interface SurveyRules {
  readonly rules: readonly LocatedRule[];
  readonly jumps: readonly Jump[];
  readonly unsupported: readonly UnsupportedLogic[];
}

/** Reads all logic: display logic, branches and ends of the flow, skips, and the text questions of options. */
export function readRules(steps: readonly SurveyStep[], { blocks, stops }: Flow, index: Index): SurveyRules {
  const rules: LocatedRule[] = [];
  const unsupported: UnsupportedLogic[] = [];
  const addRule = ({ logic, path }: Guard, questions: readonly string[], convert: () => Formula) => {
    try {
      const when = convert();
      if (questions.length > 0) rules.push({ action: 'show', path, source: logic, questions, when });
    } catch (error) {
      if (!(error instanceof NotConverted)) throw error;
      unsupported.push({ path, source: logic, questions, reason: error.message });
    }
  };

  const byBlock = Map.groupBy(steps, ({ flowBlock }) => flowBlock);
  const idsOf = (block: FlowBlock) => (byBlock.get(block) ?? []).flatMap(({ ids }) => ids);
  const guarded = Map.groupBy(
    blocks.flatMap((block) => block.guards.map((guard) => ({ guard, block }))),
    ({ guard }) => guard,
  );
  for (const [guard, inside] of guarded) {
    const ids = inside.flatMap(({ block }) => idsOf(block));
    addRule(guard, ids, () => toFormula(guard.logic, index));
  }
  for (const { located, ids, parts } of steps) {
    const logic: JsonObject | undefined = objectIn(located.value, 'DisplayLogic');
    const path = `${located.path}/DisplayLogic`;
    if (logic !== undefined) addRule({ logic, path }, ids, () => toFormula(logic, index));
    for (const [position, part] of parts.entries()) {
      const when = part.choice && whereChosen(part.choice, index);
      if (when !== undefined) addRule({ logic: {}, path: part.path }, ids.slice(position, position + 1), () => when);
    }
  }
  const ends = readEnds(blocks.map(idsOf), stops, index);
  return {
    rules,
    jumps: [...readSkips(steps, index), ...ends.jumps],
    unsupported: [...unsupported, ...ends.unsupported],
  };
}

/**
 * Converts "End of Survey" elements to jumps.
 *
 * @param idsByBlock ids of the questions of each block, in order
 */
function readEnds(
  idsByBlock: readonly (readonly string[])[],
  stops: Flow['stops'],
  index: Index,
): { readonly jumps: readonly Jump[]; readonly unsupported: readonly UnsupportedLogic[] } {
  const ids = idsByBlock.flat();
  const jumps: Jump[] = [];
  const unsupported: UnsupportedLogic[] = [];
  /** Number of ids before each block. */
  const before = [0];
  for (const blockIds of idsByBlock) before.push((before.at(-1) ?? 0) + blockIds.length);
  for (const { guards, after, order } of stops) {
    // A certain end hides all that follows, which `readFlow` leaves out: nothing to convert.
    const lastGuard = guards.at(-1);
    if (lastGuard === undefined && order === 'fixed') continue;
    const { path, logic: source } = lastGuard ?? { path: '', logic: {} };
    const count = before[after] ?? 0;
    const [from, questions] = [ids[count - 1], ids.slice(count)];
    const tooMany = jumps.length >= MAX_ENDS ? `the flow has more than ${MAX_ENDS} ends` : undefined;
    const random = order === 'random' ? 'the end is inside a randomised part of the flow' : undefined;
    const reason = tooMany ?? random ?? (from === undefined ? 'no question comes before it' : undefined);
    if (reason !== undefined)
      unsupported.push({ path, source, questions: random === undefined ? questions : ids, reason });
    if (tooMany !== undefined) break;
    if (reason !== undefined || from === undefined) continue;
    const convert = () => all(...guards.map(({ logic }) => toFormula(logic, index)));
    jumps.push({ path, source, from, to: undefined, questions, convert });
  }
  return { jumps, unsupported };
}

/** A text entry is shown if its choice is chosen. */
function whereChosen(choice: { readonly question: string; readonly key: string }, index: Index): Formula | undefined {
  const source = index.get(choice.question);
  const option = source?.options.find(({ key }) => key === choice.key);
  if (source === undefined || option === undefined) return undefined;
  return where(source.id, source.type === 'multiple_choice' ? 'contains' : 'equals', option.id);
}

function objectIn(owner: JsonObject, name: string): JsonObject | undefined {
  const member = owner[name];
  return isObject(member) ? member : undefined;
}
