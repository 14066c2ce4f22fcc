import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { numberOf } from '../core/source-questions.ts';
import { isOn, type Located, listOf, membersOf, type Qsf, scalarText } from './document.ts';

/** The condition of a branch of the flow. */
export interface Guard {
  readonly logic: JsonObject;
  readonly path: string;
}

/** A block of the survey flow, in display order. */
export interface FlowBlock extends Located {
  readonly id: string;
  /** All guards must hold. */
  readonly guards: readonly Guard[];
  /** Guards of each later occurrence in the flow. The block is also shown if all guards of one occurrence hold. */
  readonly laterGuards?: readonly (readonly Guard[])[];
  /** Whether the position of the block is random. */
  readonly order: 'fixed' | 'random';
  /** `some` if chance, or an unsupported branch, can hide the block. */
  readonly shownQuestions: 'all' | 'some';
}

/** An "End of Survey" element of the flow that some respondents do not reach. */
interface FlowEnd extends Pick<Located, 'path'> {
  /** All guards must hold. */
  readonly guards: readonly Guard[];
  readonly blocksBefore: number;
  readonly order: FlowBlock['order'];
  /** `some` if chance, or an unsupported branch, can skip the end. */
  readonly shownQuestions: FlowBlock['shownQuestions'];
}

/** The survey flow: a tree whose branches, groups and randomisers contain blocks, in display order. */
export interface Flow {
  readonly blocks: readonly FlowBlock[];
  /** Without an unconditional end: there are no blocks after it. */
  readonly ends: readonly FlowEnd[];
  /** Elements without an equivalent: type and path of the first one. */
  readonly unsupportedElements: ReadonlyMap<string, string>;
  /** Ids of the blocks that the flow never shows. */
  readonly unused: readonly string[];
}

const BLOCK_TYPES = ['Block', 'Standard', 'Default'];
const SUPPORTED_TYPES = ['Branch', 'EndSurvey', 'Root', 'Group', ''];

type BlockContext = Pick<FlowBlock, 'guards' | 'laterGuards' | 'order' | 'shownQuestions'>;

/** Reads the blocks of the survey flow with their conditions. Without a flow, all blocks are shown. */
export function readFlow({ flow, blocks }: Qsf): Flow {
  const shown = new Map<string, FlowBlock>();
  const unsupportedElements = new Map<string, string>();
  const ends: FlowEnd[] = [];
  const start: BlockContext = { guards: [], order: 'fixed', shownQuestions: 'all' };
  let hasEnded = false;

  // A file is nested at most 64 levels deep, which limits the recursion.
  const visit = (element: Located, context: BlockContext): void => {
    const type = scalarText(element.value['Type']) ?? '';
    const id = scalarText(element.value['ID']) ?? '';
    const block = blocks.get(id);
    if (hasEnded) return;
    if (BLOCK_TYPES.includes(type)) {
      const earlier = shown.get(id);
      if (block !== undefined)
        shown.set(id, { ...block, id, ...(earlier === undefined ? context : mergeContexts(earlier, context)) });
      return;
    }
    if (type === 'EndSurvey') {
      const { guards, order, shownQuestions } = context;
      // An unconditional end hides everything after it.
      hasEnded = guards.length === 0 && order === 'fixed' && shownQuestions === 'all';
      if (!hasEnded) ends.push({ guards, order, shownQuestions, blocksBefore: shown.size, path: element.path });
    }
    if (!SUPPORTED_TYPES.includes(type) || (type === 'Branch' && !isObject(element.value['BranchLogic']))) {
      if (!unsupportedElements.has(type)) unsupportedElements.set(type, element.path);
    }
    const childContext = contextInside(element, type, context);
    for (const child of listOf(element.value['Flow'], `${element.path}/Flow`)) visit(child, childContext);
  };

  if (flow === undefined) {
    for (const [id, block] of blocks) shown.set(id, { ...block, id, ...start });
  } else visit(flow, start);
  return {
    blocks: [...shown.values()],
    ends,
    unsupportedElements,
    unused: [...blocks.keys()].filter((id) => !shown.has(id)),
  };
}

/** Merges the contexts of a block that occurs twice in the flow. The block is asked once. */
function mergeContexts(earlier: FlowBlock, later: BlockContext): BlockContext {
  const order = later.order === 'random' ? later.order : earlier.order;
  const occurrences = [earlier, later];
  const always = occurrences.filter(({ guards }) => guards.length === 0);
  if (always.length > 0) {
    const shownQuestions = always.some((one) => one.shownQuestions === 'all') ? 'all' : 'some';
    return { guards: [], laterGuards: [], order, shownQuestions };
  }
  const shownQuestions = occurrences.every((one) => one.shownQuestions === 'all') ? 'all' : 'some';
  return { guards: earlier.guards, laterGuards: [...(earlier.laterGuards ?? []), later.guards], order, shownQuestions };
}

function contextInside({ value, path }: Located, type: string, context: BlockContext): BlockContext {
  const { BranchLogic: logic, SubSet: subset, Flow: flow } = value;
  if (type === 'Branch') {
    if (!isObject(logic)) return { ...context, shownQuestions: 'some' };
    return { ...context, guards: [...context.guards, { logic, path: `${path}/BranchLogic` }] };
  }
  if (type !== 'BlockRandomizer') return context;
  const isWhole = (numberOf(subset) ?? 0) >= membersOf(flow).length;
  return { ...context, order: 'random', shownQuestions: isWhole ? context.shownQuestions : 'some' };
}

interface BlockOptions {
  readonly order: 'fixed' | 'random';
  /** Whether a random subset of the questions is shown. */
  readonly shownQuestions: 'all' | 'some';
  readonly isLooped: boolean;
  /** Options without an equivalent. */
  readonly kept: JsonObject;
}

export function readBlockOptions({ value }: Pick<FlowBlock, 'value'>): BlockOptions {
  const options: JsonObject = isObject(value['Options']) ? value['Options'] : {};
  const { RandomizeQuestions: random, Randomization: how, Looping: loops } = options;
  const isRandom = isOn(random);
  return {
    order: isRandom ? 'random' : 'fixed',
    shownQuestions: isRandom && showsSome(how) ? 'some' : 'all',
    isLooped: isOn(loops) && loops !== 'None',
    kept: isRandom ? { RandomizeQuestions: random ?? true, ...(how === undefined ? {} : { Randomization: how }) } : {},
  };
}

/** Whether all respondents see all choices and rows of a question. */
export function showsAllItems(question: JsonObject): boolean {
  // Carried-forward choices depend on another answer.
  if (isObject(question['DynamicChoices']) || showsSome(question['Randomization'])) return false;
  const items = ['Choices', 'Answers'].flatMap((name) => listOf(question[name], ''));
  if (items.some(({ value }) => isObject(value['DisplayLogic']))) return false;
  return listOf(question['AdditionalQuestions'], '').every(({ value }) => showsAllItems(value));
}

/** Whether a randomization shows only some of the items. */
export function showsSome(randomization: JsonValue | undefined): boolean {
  if (!isObject(randomization)) return false;
  const { Advanced: advanced, TotalRandSubset: count } = randomization;
  if ((numberOf(count) ?? 0) > 0) return true;
  if (!isObject(advanced)) return false;
  const { RandomSubSet: some, Undisplayed: without, TotalRandSubset: total } = advanced;
  return (numberOf(total) ?? 0) > 0 || membersOf(some).length > 0 || membersOf(without).length > 0;
}
