import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import type { Jump } from '../../jumps/jump-graph.ts';
import type { WarnOnce } from '../warn-once.ts';
import type { ReadCondition } from './conditions.ts';

/** The step before the first field, where jumps by hidden fields leave from. */
export const START = ' start';

interface JumpPlaces {
  /** The `ref`s of groups, and of fields shown together with others, each with the step that jumps of it leave from. */
  readonly stepOf: ReadonlyMap<string, string>;
  /** The `ref`s of screens that end the survey. */
  readonly endings: ReadonlySet<string>;
}

/** Reads `logic`: what each field does when it has been answered. What is no jump is warned of. */
export function readJumps(
  logic: JsonValue | undefined,
  path: string,
  places: JumpPlaces,
  readCondition: ReadCondition,
  warnOnce: WarnOnce,
): { readonly jumps: readonly Jump[]; readonly isWhole: boolean } {
  const jumps: Jump[] = [];
  let isWhole = true;
  for (const [index, entry] of (isArray(logic) ? logic : []).entries()) {
    const actions = isObject(entry) && isArray(entry['actions']) ? entry['actions'] : [];
    const { from, isExact } = leftFrom(isObject(entry) ? entry : {}, places);
    for (const [position, action] of actions.entries()) {
      if (isObject(action) && action['action'] === 'jump') {
        const when = isExact
          ? readCondition(action['condition'])
          : { unknown: 'a jump leaves from a group or a part of a question' };
        jumps.push({ from, when, to: targetOf(action, places) });
      } else {
        isWhole = false;
        warnOfAction(action, `${path}/${index}/actions/${position}`, warnOnce);
      }
    }
  }
  return { jumps, isWhole };
}

/** When Typeform jumps for a group as a whole it does not tell. */
function leftFrom({ type, ref }: JsonObject, { stepOf }: JumpPlaces) {
  if (type !== undefined && type !== 'field') return { from: START, isExact: true };
  const step = stepOf.get(String(ref));
  return { from: step ?? String(ref), isExact: step === undefined };
}

/** A screen of thanks or another site is the end; undefined. */
function targetOf({ details }: JsonObject, { endings }: JumpPlaces): string | undefined {
  const to = isObject(details) ? details['to'] : undefined;
  if (!isObject(to)) return '?';
  const target = String(to['value']);
  return to['type'] !== 'field' || endings.has(target) ? undefined : target;
}

function warnOfAction(action: JsonValue, path: string, warnOnce: WarnOnce): void {
  const name = isObject(action) ? String(action['action']) : 'an unknown action';
  const detail = `Logic that does ${name} is kept in source_data and does nothing here`;
  warnOnce(name, { path, code: 'LOGIC_NOT_CONVERTED', detail });
}
