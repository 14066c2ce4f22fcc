import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { createPatternCompiler } from '@survey/questionnaire/answers/patterns/pattern';
import { isArray, isObject } from '@survey/questionnaire/json';
import type { Operator } from '@survey/questionnaire/logic/operators';
import type { Jump } from '../core/logic/convert-jumps.ts';
import { escapePattern } from '../core/logic/expression.ts';
import { ALWAYS, all, any, condition, type Formula, not, unknown } from '../core/logic/formula.ts';
import { numberOf, objectsOf } from '../core/source-questions.ts';
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
/** Operators on several values: whether any or all must be chosen, and whether the result is negated. */
const LIST_OPERATORS: Readonly<Record<string, { readonly join: typeof any; readonly negates: boolean }>> = {
  equalsOneOf: { join: any, negates: false },
  includesOneOf: { join: any, negates: false },
  doesNotIncludeOneOf: { join: any, negates: true },
  includesAllOf: { join: all, negates: false },
  doesNotIncludeAllOf: { join: all, negates: true },
};
/** Length for which the size of a pattern is estimated. */
const MAX_SEARCHED = 1_000;
/** Operators of versions without groups of conditions, by their new names. */
const OLD_OPERATORS: ReadonlyMap<string, string> = new Map([
  ['submitted', 'isSubmitted'],
  ['skipped', 'isSkipped'],
  ['accepted', 'isAccepted'],
  ['clicked', 'isClicked'],
  ['booked', 'isBooked'],
  ['uploaded', 'isSubmitted'],
  ['notUploaded', 'isSkipped'],
  ['notEquals', 'doesNotEqual'],
  ['lessThan', 'isLessThan'],
  ['lessEqual', 'isLessThanOrEqual'],
  ['greaterThan', 'isGreaterThan'],
  ['greaterEqual', 'isGreaterThanOrEqual'],
  ['includesAll', 'includesAllOf'],
  ['includesOne', 'includesOneOf'],
]);
/** Operators that test the first option: the only one of a consent or booking, or the option `clicked` of a button. */
const CHOSEN_OPERATORS: readonly string[] = ['isAccepted', 'isBooked', 'isClicked'];
const NOT_CHOSEN_OPERATORS: readonly string[] = ['isNotClicked'];

/** Reads the logic that applies after a question or block. Warns about actions that are not jumps. */
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
  const [firstOption] = objectsOf(question['options']);
  const chosen = condition(source, 'equals', String(firstOption?.['id'] ?? ''));
  if (CHOSEN_OPERATORS.includes(operator)) return chosen;
  if (NOT_CHOSEN_OPERATORS.includes(operator)) return not(chosen);
  if (operator === 'isSubmitted' || operator === 'isSkipped') {
    // A button is submitted by a click.
    if (isObject(question['source_data']) && question['source_data']['type'] === 'cta') {
      return operator === 'isSkipped' ? not(chosen) : chosen;
    }
    return condition(source, operator === 'isSkipped' ? 'is_not_answered' : 'is_answered');
  }
  if (Object.hasOwn(COMPARISONS, operator)) {
    const comparison = COMPARISONS[operator];
    const operand = type === 'date' ? value : numberOf(value);
    if (comparison === undefined || operand === undefined) return unknown('a value is missing');
    return condition(source, comparison, operand);
  }
  const several = Object.hasOwn(LIST_OPERATORS, operator) ? LIST_OPERATORS[operator] : undefined;
  if (several !== undefined) {
    const found = several.join(...list.map(hasValue));
    return several.negates ? not(found) : found;
  }
  if (operator === 'equals' || operator === 'doesNotEqual') {
    if (type === 'multiple_choice' && list.length !== 1) return unknown('it tests a set of choices');
    if (type === 'multiple_choice') return unknown('it tests whether a choice is the only one');
    return operator === 'equals' ? hasValue(list[0]) : not(hasValue(list[0]));
  }
  if ((operator === 'contains' || operator === 'doesNotContain') && (type === 'text' || type === 'textarea')) {
    // Unlike our `contains`, that of Formbricks is case-sensitive.
    const pattern = escapePattern(String(list[0] ?? ''));
    if (pattern === '') return unknown('a value is missing');
    const test = createPatternCompiler()(pattern, MAX_SEARCHED);
    if (typeof test !== 'function') return unknown(`its text is not supported: ${test.fault}`);
    const found = condition(source, 'matches', pattern);
    return operator === 'contains' ? found : not(found);
  }
  return unknown(`the operator ${operator.slice(0, 50)} is not supported`);
}

/**
 * The option id of a value, or undefined for an unknown option. For questions without options, it is the value itself,
 * as a number for a rating.
 */
function operandOf(value: JsonValue | undefined, question: JsonObject): JsonValue | undefined {
  const options = objectsOf(question['options']);
  if (question['type'] === 'rating') return numberOf(value);
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
