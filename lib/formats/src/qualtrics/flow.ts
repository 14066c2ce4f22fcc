import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { numberOf } from '../core/source-questions.ts';
import { type Located, listOf, membersOf, type Qsf, scalarText } from './qsf.ts';

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

/** An "End of Survey" element of the flow. */
interface FlowEnd {
  /** All guards must hold. */
  readonly guards: readonly Guard[];
  readonly blocksBefore: number;
  readonly order: FlowBlock['order'];
}

export interface Flow {
  readonly blocks: readonly FlowBlock[];
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
      ends.push({ guards: context.guards, order: context.order, blocksBefore: shown.size });
      // An unconditional end hides everything after it.
      hasEnded = context.guards.length === 0 && context.order === 'fixed' && context.shownQuestions === 'all';
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
