import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isArray, isObject } from '@survey/questionnaire/json';
import type { Operator } from '@survey/questionnaire/logic/operators';
import type { Jump } from '../core/logic/convert-jumps.ts';
import { ALWAYS, all, any, condition, type Formula, not, unknown } from '../core/logic/formula.ts';
import { objectsOf } from '../core/source-questions.ts';
import type { WarnOnce } from '../files/report.ts';
import { listIn } from './document.ts';

interface LogicContext {
  /** Converted questions by their id in the file, without those that became several questions. */
  readonly questions: ReadonlyMap<string, JsonObject>;
  /** Keys of steps by the ids of questions and blocks. */
  readonly steps: ReadonlyMap<string, string>;
  readonly warnOnce: WarnOnce;
}

interface Logic {
  readonly jumps: readonly Jump[];
  /** Whether all actions are jumps. */
  readonly hasOnlyJumps: boolean;
}

/** Operators that compare with a single value. */
const COMPARISONS: Readonly<Record<string, Operator>> = {
  isGreaterThan: 'greater_than',
  isLessThan: 'less_than',
  isGreaterThanOrEqual: 'greater_or_equal',
  isLessThanOrEqual: 'less_or_equal',
  isBefore: 'less_than',
  isAfter: 'greater_than',
};
/** Operators on several values: whether any or all must be chosen, and whether that is denied. */
const LISTS: Readonly<Record<string, { readonly join: typeof any; readonly denies: boolean }>> = {
  equalsOneOf: { join: any, denies: false },
  includesOneOf: { join: any, denies: false },
  doesNotIncludeOneOf: { join: any, denies: true },
  includesAllOf: { join: all, denies: false },
  doesNotIncludeAllOf: { join: all, denies: true },
};
/** Operators of old versions by their new names. */
const OLD_OPERATORS: ReadonlyMap<string, string> = new Map([
  ['submitted', 'isSubmitted'],
  ['skipped', 'isSkipped'],
  ['accepted', 'isAccepted'],
  ['clicked', 'isClicked'],
  ['notEquals', 'doesNotEqual'],
  ['lessThan', 'isLessThan'],
  ['lessEqual', 'isLessThanOrEqual'],
  ['greaterThan', 'isGreaterThan'],
  ['greaterEqual', 'isGreaterThanOrEqual'],
  ['includesAll', 'includesAllOf'],
  ['includesOne', 'includesOneOf'],
]);
/** Operators that hold for the only option of a question, such as that of a consent. */
const CHOSEN: readonly string[] = ['isAccepted', 'isBooked', 'isClicked'];
const NOT_CHOSEN: readonly string[] = ['isNotClicked'];

/** Reads the logic of a question or block, which applies after its answers. Warns about actions that are not jumps. */
export function readLogic(owner: JsonObject, from: string, path: string, context: LogicContext): Logic {
  const jumps: Jump[] = [];
  let hasOnlyJumps = true;
  for (const [index, entry] of listIn(owner, 'logic').entries()) {
    if (!isObject(entry)) continue;
    const when = isObject(entry['conditions'])
      ? readGroup(entry['conditions'], context)
      : readOldCondition(entry, owner, context);
    // Files of old versions have a single target.
    const actions = isArray(entry['actions'])
      ? entry['actions']
      : [{ objective: 'jumpToQuestion', target: entry['destination'] ?? 'end' }];
    const [target] = actions.flatMap((action) => {
      const { objective = '', target: to = '' } = isObject(action) ? action : {};
      if (objective === 'jumpToQuestion' || objective === 'jumpToBlock') return [String(to)];
      hasOnlyJumps = false;
      const detail = `The action ${String(objective).slice(0, 50)} has no equivalent and is kept in source_data`;
      const at = `${path}/logic/${index}/actions`;
      context.warnOnce(`action ${String(objective)}`, { path: at, code: 'LOGIC_NOT_CONVERTED', detail });
      return [];
    });
    if (target !== undefined) jumps.push({ from, when, to: context.steps.get(target) });
  }
  const { logicFallback: fallback } = owner;
  if (typeof fallback === 'string' && fallback !== '') {
    jumps.push({ from, when: ALWAYS, to: context.steps.get(fallback) });
  }
  return { jumps, hasOnlyJumps };
}

function readGroup(group: JsonObject, context: LogicContext): Formula {
  const parts = listIn(group, 'conditions').map((one): Formula => {
    if (!isObject(one)) return unknown('a condition is invalid');
    return isArray(one['conditions']) ? readGroup(one, context) : readCondition(one, context);
  });
  return group['connector'] === 'or' ? any(...parts) : all(...parts);
}

function readCondition(
  { leftOperand: left, operator, rightOperand: right }: JsonObject,
  context: LogicContext,
): Formula {
  if (!isObject(left)) return unknown('a condition is invalid');
  const kind = String(left['type']);
  const name = String(left['value']);
  if (kind !== 'question' && kind !== 'element') return unknown(`it uses a ${kind}`);
  if (isObject(left['meta']) && left['meta']['row'] !== undefined) return unknown('it tests a row of a matrix');
  if (isObject(right) && right['type'] !== 'static') return unknown(`it compares with a ${String(right['type'])}`);
  return readComparison(String(operator), name, isObject(right) ? right['value'] : undefined, context);
}

/** Conditions of old versions, which test the question that has them. */
function readOldCondition(
  { condition: operator, value }: JsonObject,
  { id }: JsonObject,
  context: LogicContext,
): Formula {
  const name = String(operator);
  return readComparison(OLD_OPERATORS.get(name) ?? name, String(id), value, context);
}

function readComparison(
  operator: string,
  name: string,
  value: JsonValue | undefined,
  { questions }: LogicContext,
): Formula {
  const question = questions.get(name);
  if (question === undefined) return unknown(`it uses ${name}, which is not a single question`);
  const source = String(question['id']);
  const type = String(question['type']);
  const hasValue = (given: JsonValue | undefined): Formula => {
    const wanted = operandOf(given, question);
    if (wanted === undefined) return unknown(`it tests a value that ${source} does not have`);
    return condition(source, type === 'multiple_choice' ? 'contains' : 'equals', wanted);
  };
  const list = isArray(value) ? value : value === undefined ? [] : [value];
  const [only] = objectsOf(question['options']);
  const chosen = condition(source, 'equals', String(only?.['id'] ?? ''));
  if (CHOSEN.includes(operator)) return chosen;
  if (NOT_CHOSEN.includes(operator)) return not(chosen);
  if (operator === 'isSubmitted' || operator === 'isSkipped') {
    if (isObject(question['source_data']) && question['source_data']['type'] === 'cta') {
      return operator === 'isSkipped' ? not(chosen) : chosen;
    }
    return condition(source, operator === 'isSkipped' ? 'is_not_answered' : 'is_answered');
  }
  if (Object.hasOwn(COMPARISONS, operator)) {
    const comparison = COMPARISONS[operator];
    const number = type === 'date' ? value : Number(value);
    if (comparison === undefined || number === undefined || Number.isNaN(number)) return unknown('a value is missing');
    return condition(source, comparison, number);
  }
  const several = Object.hasOwn(LISTS, operator) ? LISTS[operator] : undefined;
  if (several !== undefined) {
    const found = several.join(...list.map(hasValue));
    return several.denies ? not(found) : found;
  }
  if (operator === 'equals' || operator === 'doesNotEqual') {
    if (type === 'multiple_choice' && list.length !== 1) return unknown('it tests a set of choices');
    if (type === 'multiple_choice') return unknown('it tests whether a choice is the only one');
    return operator === 'equals' ? hasValue(list[0]) : not(hasValue(list[0]));
  }
  if ((operator === 'contains' || operator === 'doesNotContain') && (type === 'text' || type === 'textarea')) {
    const found = condition(source, 'contains', String(list[0] ?? ''));
    return operator === 'contains' ? found : not(found);
  }
  return unknown(`the operator ${operator.slice(0, 50)} is not supported`);
}

/** The option id of a value; the value itself for questions without options; undefined for an unknown option. */
function operandOf(value: JsonValue | undefined, question: JsonObject): JsonValue | undefined {
  const options = objectsOf(question['options']);
  if (question['type'] === 'rating') return Number.isFinite(Number(value)) ? Number(value) : undefined;
  if (options.length === 0) return value;
  if (value === 'other' && question['allow_other'] === true) return value;
  const found = options.find(
    ({ source_data: data, text }) =>
      (isObject(data) && data['source_id'] === value) ||
      text === value ||
      (isObject(text) && Object.values(text).includes(value ?? null)),
  );
  return found?.['id'];
}
