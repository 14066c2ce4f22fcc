import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { listOf, membersOf, nameOf, type Placed, type Qsf } from './qsf.ts';
import { numberOf } from './source-question.ts';

/** Logic of the flow, and where it stands. */
export interface Guard {
  readonly logic: JsonObject;
  readonly path: string;
}

/** A block in the order in which it is shown. */
export interface FlowBlock extends Placed {
  readonly id: string;
  /** All of them have to hold. */
  readonly guards: readonly Guard[];
  /** Whether others may come before it or after it as chance has it. */
  readonly order: 'fixed' | 'random';
  /** Whether chance, or what no guard says, may keep it from some. */
  readonly shownTo: 'all' | 'some';
}

/** An end of the survey on the way. */
interface FlowStop {
  /** All of them have to hold. */
  readonly guards: readonly Guard[];
  /** How many blocks come before it. */
  readonly after: number;
  readonly order: FlowBlock['order'];
}

export interface Flow {
  readonly blocks: readonly FlowBlock[];
  readonly stops: readonly FlowStop[];
  /** Elements that have no meaning here: their type, and the path of the first one. */
  readonly strange: ReadonlyMap<string, string>;
  /** Ids of blocks that the flow does not lead to. */
  readonly unused: readonly string[];
}

const BLOCKS = ['Block', 'Standard', 'Default'];
const KNOWN = ['Branch', 'EndSurvey', 'Root', 'Group', ''];
const MAX_DEPTH = 20;

type Place = Pick<FlowBlock, 'guards' | 'order' | 'shownTo'>;

/** The blocks that the flow of a survey leads through, with what it asks for on the way; without a flow all of them. */
export function readFlow({ flow, blocks }: Qsf): Flow {
  const shown = new Map<string, FlowBlock>();
  const strange = new Map<string, string>();
  const stops: FlowStop[] = [];
  const start: Place = { guards: [], order: 'fixed', shownTo: 'all' };
  let hasEnded = false;

  const visit = (element: Placed, place: Place, depth: number): void => {
    const type = nameOf(element.value['Type']) ?? '';
    const id = nameOf(element.value['ID']) ?? '';
    const block = blocks.get(id);
    if (hasEnded) return;
    if (BLOCKS.includes(type)) {
      if (block !== undefined && !shown.has(id)) shown.set(id, { ...block, id, ...place });
      return;
    }
    if (type === 'EndSurvey') {
      stops.push({ guards: place.guards, order: place.order, after: shown.size });
      // Nobody gets past one that everybody comes to.
      hasEnded = place.guards.length === 0 && place.order === 'fixed' && place.shownTo === 'all';
    }
    if (!KNOWN.includes(type) || (type === 'Branch' && !isObject(element.value['BranchLogic']))) {
      if (!strange.has(type)) strange.set(type, element.path);
    }
    if (depth > MAX_DEPTH) return;
    const inside = placeInside(element, type, place);
    for (const child of listOf(element.value['Flow'], `${element.path}/Flow`)) visit(child, inside, depth + 1);
  };

  if (flow === undefined) {
    for (const [id, block] of blocks) shown.set(id, { ...block, id, ...start });
  } else visit(flow, start, 0);
  return { blocks: [...shown.values()], stops, strange, unused: [...blocks.keys()].filter((id) => !shown.has(id)) };
}

function placeInside({ value, path }: Placed, type: string, place: Place): Place {
  const { BranchLogic: logic, SubSet: subset, Flow: flow } = value;
  if (type === 'Branch') {
    if (!isObject(logic)) return { ...place, shownTo: 'some' };
    return { ...place, guards: [...place.guards, { logic, path: `${path}/BranchLogic` }] };
  }
  if (type !== 'BlockRandomizer') return place;
  const isWhole = (numberOf(subset) ?? 0) >= membersOf(flow).length;
  return { ...place, order: 'random', shownTo: isWhole ? place.shownTo : 'some' };
}
