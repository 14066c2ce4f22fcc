import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { Operator } from '@survey/questionnaire/logic/operators';
import { all, any, condition, type Formula, not } from '../core/logic/formula.ts';
import { NotConvertedError } from '../core/logic/not-converted.ts';
import { numberOf } from '../core/source-questions.ts';
import { listOf, scalarText } from './qsf.ts';
import type { IndexedQuestion } from './question-index.ts';

type Index = ReadonlyMap<string, IndexedQuestion>;

const LOCATOR = /^q:\/\/(?<question>[^/]+)\/(?<property>\w+)(?:\/(?<first>[^/]+))?(?:\/(?<second>[^/]+))?$/;
const MAX_EXPRESSIONS = 200;

const COMPARISONS: ReadonlyMap<string, Operator> = new Map(
  Object.entries<Operator>({
    EqualTo: 'equals',
    NotEqualTo: 'not_equals',
    GreaterThan: 'greater_than',
    GreaterThanOrEqual: 'greater_or_equal',
    LessThan: 'less_than',
    LessThanOrEqual: 'less_or_equal',
    Contains: 'contains',
    DoesNotContain: 'not_contains',
    Empty: 'is_not_answered',
    NotEmpty: 'is_answered',
  }),
);

/**
 * Converts Qualtrics logic, `{"0": {"0": expression, "1": expression, …}, "1": …}`: sets of expressions. `And`
 * binds tighter than `Or`. Throws `NotConvertedError`.
 */
export function toFormula(logic: JsonObject, index: Index): Formula {
  const written = listOf(numbered(logic), '');
  let expressionsLeft = MAX_EXPRESSIONS;
  const sets = written.map(({ value }) => {
    const expressions = listOf(numbered(value), '');
    expressionsLeft -= Math.max(expressions.length, 1);
    if (expressionsLeft < 0) throw new NotConvertedError(`it has more than ${MAX_EXPRESSIONS} expressions`);
    const formulas = expressions.map((expression) => ({
      // Qualtrics writes `Conjuction`.
      isOr: isOr(expression.value['Conjuction'] ?? expression.value['Conjunction']),
      formula: convertExpression(expression.value, index),
    }));
    if (formulas.length === 0) throw new NotConvertedError('it has a set without expressions');
    return { isOr: isOr(value['Type']), formula: join(formulas) };
  });
  if (sets.length === 0) throw new NotConvertedError('it has no expressions');
  return join(sets);
}

/**
 * Converts one expression on an answer: `ChoiceLocator` or `LeftOperand`, `Operator`, `RightOperand`. Throws
 * `NotConvertedError`.
 */
export function convertExpression(expression: JsonObject, index: Index): Formula {
  const kind = scalarText(expression['LogicType']) ?? 'Question';
  if (kind !== 'Question') throw new NotConvertedError(`it depends on ${kind}, not on answers`);
  const locator = scalarText(expression['ChoiceLocator']) ?? scalarText(expression['LeftOperand']) ?? '';
  const { question = '', property = '', first, second } = LOCATOR.exec(locator)?.groups ?? {};
  const operator = scalarText(expression['Operator']) ?? scalarText(expression['Condition']) ?? '';
  if (property === 'SelectableChoice' && first !== undefined) {
    if (operator === 'Selected') return whereChosen(index, question, first, second);
    if (operator === 'NotSelected') return not(whereChosen(index, question, first, second));
  }
  const comparison = COMPARISONS.get(operator);
  const names = [question, `${question}_${first}`, `${question}_${first}_TEXT`, `${question}_${first}_${second}`];
  const source = names.map((name) => index.get(name)).find((found) => found !== undefined && isValue(found));
  if (comparison === undefined || source === undefined || !/^Choice\w*EntryValue$/.test(property)) {
    throw new NotConvertedError(`${operator} of ${locator} has no equivalent`);
  }
  const hasValue = comparison !== 'is_answered' && comparison !== 'is_not_answered';
  return hasValue
    ? condition(source.id, comparison, operandOf(expression['RightOperand']))
    : condition(source.id, comparison);
}

function whereChosen(index: Index, question: string, first: string, second: string | undefined): Formula {
  const source = index.get(second === undefined ? question : `${question}_${first}`);
  const key = second ?? first;
  if (source?.type === 'rating') return condition(source.id, 'equals', ratingOf(key));
  const isMultiple = source?.type === 'multiple_choice';
  const option = source?.options.find((one) => one.key === key);
  if (source === undefined || source.rows.length > 0 || option === undefined) {
    throw new NotConvertedError(`no question has the choice ${[question, first, second].filter(Boolean).join('/')}`);
  }
  return condition(source.id, isMultiple ? 'contains' : 'equals', option.id);
}

function ratingOf(key: string): number {
  const value = numberOf(key);
  if (value === undefined) throw new NotConvertedError(`the choice ${key} is not a number`);
  return value;
}

function isValue({ type }: IndexedQuestion): boolean {
  return ['text', 'textarea', 'rating', 'date'].includes(type);
}

function operandOf(value: JsonValue | undefined): JsonValue {
  return value ?? '';
}

function join(parts: readonly { readonly isOr: boolean; readonly formula: Formula }[]): Formula {
  const alternatives: Formula[][] = [];
  for (const { isOr: beginsAlternative, formula } of parts) {
    const last = alternatives.at(-1);
    if (last === undefined || beginsAlternative) alternatives.push([formula]);
    else last.push(formula);
  }
  return any(...alternatives.map((together) => all(...together)));
}

function isOr(conjunction: JsonValue | undefined): boolean {
  return /^(or|else)/i.test(scalarText(conjunction) ?? '');
}

/** The members with numeric names, in order. */
function numbered(owner: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(owner).filter(([name]) => /^\d+$/.test(name)));
}
