import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject, itemsOf } from '@survey/questionnaire/json';
import type { Operator } from '@survey/questionnaire/logic/operators';
import type { Jump } from '../core/logic/convert-jumps.ts';
import { escapePattern } from '../core/logic/expression.ts';
import { ALWAYS, all, any, condition, type Formula, not, unknown } from '../core/logic/formula.ts';
import type { WarnOnce } from '../files/report.ts';

type ReadCondition = (condition: JsonValue | undefined) => Formula;

/** Operators by their name in Typeform, for all types except multiple choice. */
const comparisons: Readonly<Record<string, Operator>> = {
  equal: 'equals',
  is: 'equals',
  on: 'equals',
  not_equal: 'not_equals',
  is_not: 'not_equals',
  not_on: 'not_equals',
  lower_than: 'less_than',
  lower_equal_than: 'less_or_equal',
  greater_than: 'greater_than',
  greater_equal_than: 'greater_or_equal',
  earlier_than: 'less_than',
  earlier_than_or_on: 'less_or_equal',
  later_than: 'greater_than',
  later_than_or_on: 'greater_or_equal',
  contains: 'contains',
  not_contains: 'not_contains',
};

/** Operators for multiple choice: they test whether an option is chosen. */
const memberships: Readonly<Record<string, Operator>> = {
  is: 'contains',
  equal: 'contains',
  contains: 'contains',
  is_not: 'not_contains',
  not_equal: 'not_contains',
  not_contains: 'not_contains',
};

/** Operators for the start or end of a text, which become patterns. */
const affixes: Readonly<Record<string, { readonly toPattern: (text: string) => string; readonly denies: boolean }>> = {
  begins_with: { toPattern: (text) => `^${text}`, denies: false },
  not_begins_with: { toPattern: (text) => `^${text}`, denies: true },
  ends_with: { toPattern: (text) => `${text}$`, denies: false },
  not_ends_with: { toPattern: (text) => `${text}$`, denies: true },
};

/** Maximum length of texts that patterns are applied to. The total cost of all patterns of a survey is limited. */
export const MAX_SEARCHED_TEXT = 1_000;
const MAX_PATTERNS = 20;
const MAX_PATTERN_TEXT = 50;

/** The `ref`s of fields that a condition searches for a prefix or suffix. */
export function searchedFields(logic: JsonValue | undefined): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: JsonValue | undefined): void => {
    if (isArray(value)) value.forEach(visit);
    if (!isObject(value)) return;
    const { op, vars } = value;
    if (typeof op === 'string' && Object.hasOwn(affixes, op) && isArray(vars)) found.add(nameOf(vars[0]));
    Object.values(value).forEach(visit);
  };
  visit(logic);
  return found;
}

/** @param questions questions by the `ref` of their field */
export function createReadCondition(questions: ReadonlyMap<string, JsonObject>): ReadCondition {
  const patterns = new Set<string>();

  const readAffix = (source: string, op: string, value: JsonValue | undefined): Formula => {
    const affix = affixes[op];
    if (affix === undefined || typeof value !== 'string') return unknown(`the operator ${op} is not supported`);
    const pattern = affix.toPattern(escapePattern(value));
    patterns.add(pattern);
    if (value.length > MAX_PATTERN_TEXT || patterns.size > MAX_PATTERNS) {
      return unknown('there are too many or too long text searches');
    }
    const found = condition(source, 'matches', pattern);
    return affix.denies ? not(found) : found;
  };

  const readComparison = (op: string, [left, right]: readonly JsonValue[]): Formula => {
    const reason = whyUnknown(left, right, questions);
    if (reason !== undefined) return unknown(reason);
    const question = questions.get(nameOf(left)) ?? {};
    const source = String(question['id']);
    const value = literalOf(right, question);
    if (value === undefined) return unknown(`it tests a choice that ${source} does not have`);
    if (Object.hasOwn(affixes, op)) return readAffix(source, op, value);
    const table = question['type'] === 'multiple_choice' ? memberships : comparisons;
    const operator = Object.hasOwn(table, op) ? table[op] : undefined;
    return operator === undefined ? unknown(`the operator ${op} is not supported`) : condition(source, operator, value);
  };

  const read: ReadCondition = (written) => {
    if (!isObject(written)) return unknown('a condition is invalid');
    const op = String(written['op']);
    const vars = isArray(written['vars']) ? written['vars'] : [];
    if (op === 'always') return ALWAYS;
    if (op === 'and') return all(...vars.map(read));
    if (op === 'or') return any(...vars.map(read));
    return readComparison(op, vars);
  };
  return read;
}

function whyUnknown(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
  questions: ReadonlyMap<string, JsonObject>,
): string | undefined {
  if (!isObject(left) || !isObject(right)) return 'a condition is invalid';
  if (left['type'] === 'hidden') return `it uses the hidden field ${nameOf(left)}`;
  if (left['type'] === 'variable') return `it uses the variable ${nameOf(left)}`;
  if (left['type'] !== 'field') return `it uses a ${String(left['type'])}`;
  if (right['type'] !== 'choice' && right['type'] !== 'constant') return `it compares with a ${String(right['type'])}`;
  return questions.has(nameOf(left)) ? undefined : `it uses the field ${nameOf(left)}, which is not a question`;
}

function nameOf(one: JsonValue | undefined): string {
  return isObject(one) ? String(one['value']) : '';
}

/** The option id of a choice, or another value unchanged; undefined for an unknown choice. */
function literalOf(right: JsonValue | undefined, question: JsonObject): JsonValue | undefined {
  const value = isObject(right) ? right['value'] : undefined;
  const options = itemsOf(question['options']);
  if (options.length === 0) return value;
  const wanted = String(value);
  if (wanted === 'other' && question['allow_other'] === true) return wanted;
  for (const option of options) {
    if (!isObject(option) || !isObject(option['source_data'])) continue;
    const { source_id: id, ref } = option['source_data'];
    if (wanted === id || wanted === ref) return String(option['id']);
  }
  return undefined;
}

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
          : unknown('the jump starts from a group or a part of a question');
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
