import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import type { Jump } from '../core/logic/jump-graph.ts';
import type { WarnOnce } from '../files/report.ts';
import type { ReadCondition } from './conditions.ts';

/** The step before the first field, where jumps on hidden fields start. */
export const START = ' start';
/** Replaces a missing target of a jump. No step has this key, so the jump is reported as one that leads nowhere. */
const UNKNOWN_STEP = '?';

interface JumpContext {
  /** Step of each group, and of each field that is shown together with others, by `ref`. */
  readonly stepOf: ReadonlyMap<string, string>;
  /** The `ref`s of screens that end the survey. */
  readonly endings: ReadonlySet<string>;
}

/** Converts `logic`: actions that follow the answer to a field. Warns about actions that are not jumps. */
export function readJumps(
  logic: JsonValue | undefined,
  path: string,
  context: JumpContext,
  readCondition: ReadCondition,
  warnOnce: WarnOnce,
): { readonly jumps: readonly Jump[]; readonly hasOnlyJumps: boolean } {
  const jumps: Jump[] = [];
  let hasOnlyJumps = true;
  for (const [index, entry] of (isArray(logic) ? logic : []).entries()) {
    const actions = isObject(entry) && isArray(entry['actions']) ? entry['actions'] : [];
    const { from, isWholeStep } = startOf(isObject(entry) ? entry : {}, context);
    for (const [position, action] of actions.entries()) {
      if (isObject(action) && action['action'] === 'jump') {
        const when = isWholeStep
          ? readCondition(action['condition'])
          : { unknown: 'the jump starts from a group or a part of a question' };
        jumps.push({ from, when, to: targetOf(action, context) });
      } else {
        hasOnlyJumps = false;
        warnOfAction(action, `${path}/${index}/actions/${position}`, warnOnce);
      }
    }
  }
  return { jumps, hasOnlyJumps };
}

/**
 * The step where a jump starts. `isWholeStep` is false if the step contains more than the field of the jump: Typeform
 * does not document when jumps of groups and of their fields are taken.
 */
function startOf({ type, ref }: JsonObject, { stepOf }: JumpContext) {
  if (type !== undefined && type !== 'field') return { from: START, isWholeStep: true };
  const step = stepOf.get(String(ref));
  return { from: step ?? String(ref), isWholeStep: step === undefined };
}

/** The target step of a jump; undefined for a thank-you screen or redirect, which end the survey. */
function targetOf({ details }: JsonObject, { endings }: JumpContext): string | undefined {
  const to = isObject(details) ? details['to'] : undefined;
  if (!isObject(to)) return UNKNOWN_STEP;
  const target = String(to['value']);
  return to['type'] !== 'field' || endings.has(target) ? undefined : target;
}

function warnOfAction(action: JsonValue, path: string, warnOnce: WarnOnce): void {
  const name = isObject(action) ? String(action['action']) : 'an unknown action';
  const detail = `The action ${name} has no equivalent and is kept in source_data`;
  warnOnce(name, { path, code: 'LOGIC_NOT_CONVERTED', detail });
}
