import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { all, type Formula, where } from '../../conditions/formula.ts';
import { NotConverted } from '../../conditions/not-converted.ts';
import type { LostLogic, PlacedRule } from '../lost-logic.ts';
import { toFormula } from './display-logic.ts';
import type { Flow, FlowBlock, Guard } from './flow.ts';
import type { Leap } from './leaps.ts';
import type { IndexedQuestion } from './question-index.ts';
import { readSkips } from './skip-logic.ts';
import type { SurveyStep } from './survey-pages.ts';

type Index = ReadonlyMap<string, IndexedQuestion>;

const MAX_ENDS = 1_000;

interface SurveyRules {
  readonly rules: readonly PlacedRule[];
  readonly leaps: readonly Leap[];
  readonly lost: readonly LostLogic[];
}

/** All that shows or leaves out questions: display logic, branches and ends of the flow, skips, texts that go with a choice. */
export function readRules(steps: readonly SurveyStep[], { blocks, stops }: Flow, index: Index): SurveyRules {
  const rules: PlacedRule[] = [];
  const lost: LostLogic[] = [];
  const show = ({ logic, path }: Guard, questions: readonly string[], convert: () => Formula) => {
    try {
      const when = convert();
      if (questions.length > 0) rules.push({ action: 'show', path, source: logic, questions, when });
    } catch (error) {
      if (!(error instanceof NotConverted)) throw error;
      lost.push({ path, source: logic, questions, reason: error.message });
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
    show(guard, ids, () => toFormula(guard.logic, index));
  }
  for (const { placed, ids, parts } of steps) {
    const logic: JsonObject | undefined = objectIn(placed.value, 'DisplayLogic');
    const path = `${placed.path}/DisplayLogic`;
    if (logic !== undefined) show({ logic, path }, ids, () => toFormula(logic, index));
    for (const [position, part] of parts.entries()) {
      const when = part.choice && whereChosen(part.choice, index);
      if (when !== undefined) show({ logic: {}, path: part.path }, ids.slice(position, position + 1), () => when);
    }
  }
  const ends = readEnds(blocks.map(idsOf), stops, index);
  return { rules, leaps: [...readSkips(steps, index), ...ends.leaps], lost: [...lost, ...ends.lost] };
}

/**
 * The ends of the survey on the way.
 *
 * @param idsByBlock ids of the questions of each block in their order
 */
function readEnds(
  idsByBlock: readonly (readonly string[])[],
  stops: Flow['stops'],
  index: Index,
): { readonly leaps: readonly Leap[]; readonly lost: readonly LostLogic[] } {
  const ids = idsByBlock.flat();
  const leaps: Leap[] = [];
  const lost: LostLogic[] = [];
  /** How many ids come before a block. */
  const before = [0];
  for (const ofBlock of idsByBlock) before.push((before.at(-1) ?? 0) + ofBlock.length);
  for (const { guards, after, order } of stops) {
    // One that nothing leads to by a branch is the end of the survey itself.
    const last = guards.at(-1);
    if (last === undefined && order === 'fixed') continue;
    const { path, logic: source } = last ?? { path: '', logic: {} };
    const count = before[after] ?? 0;
    const [from, questions] = [ids[count - 1], ids.slice(count)];
    const tooMany = leaps.length >= MAX_ENDS ? `the flow has more than ${MAX_ENDS} ends` : undefined;
    const random = order === 'random' ? 'what comes after it is in a random order' : undefined;
    const reason = tooMany ?? random ?? (from === undefined ? 'no question comes before it' : undefined);
    if (reason !== undefined) lost.push({ path, source, questions: random === undefined ? questions : ids, reason });
    if (tooMany !== undefined) break;
    if (reason !== undefined || from === undefined) continue;
    const convert = () => all(...guards.map(({ logic }) => toFormula(logic, index)));
    leaps.push({ path, source, from, to: undefined, questions, convert });
  }
  return { leaps, lost };
}

/** A text that goes with a choice is asked of those who take it. */
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
