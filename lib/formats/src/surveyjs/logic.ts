import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { Operator } from '@survey/questionnaire/logic/operators';
import {
  type Expression,
  type ExpressionSyntax,
  escapePattern,
  FLIPPED,
  type OperatorSyntax,
  ORDERS,
  parseExpression,
} from '../core/logic/expression.ts';
import {
  all,
  any,
  condition,
  constant,
  type Formula,
  NEVER,
  NotConvertedError,
  not,
  whereChosen,
} from '../core/logic/formula.ts';
import { getOrAdd } from '../core/maps.ts';
import { type SourceOperand, toSourceOperand } from '../core/source-questions.ts';
import { withoutEndZeros } from '../tables/numbers.ts';
import { DATE, TIME } from './document.ts';

type Binary = Extract<Expression, { kind: 'binary' }>;
/** The value of a literal or list in an expression. */
type Literal = JsonValue;

/**
 * Converts a SurveyJS expression exactly, even for missing answers. Throws `NotConvertedError`.
 *
 * @param byName questions by their names in expressions
 */
export function createToFormula(byName: ReadonlyMap<string, JsonObject>): (expression: string) => Formula {
  const convert = createConverter(byName);
  return (expression) => convert(parseExpression(expression, SURVEYJS_SYNTAX), 'true');
}

/**
 * The values that are true for SurveyJS. For the result of a whole expression, these are `true` and 1. For the left
 * operand of `and` and the operand of `not`, these are all truthy values.
 */
type Truth = 'true' | 'truthy';

function createConverter(byName: ReadonlyMap<string, JsonObject>): (expression: Expression, truth: Truth) => Formula {
  const byFoldedName = new Map([...byName].map(([name, question]) => [name.toLowerCase(), question]));
  const operands = new Map<JsonObject, SourceOperand>();
  const cachedResults = new WeakMap<Expression, boolean>();

  function operandOf(expression: Expression): SourceOperand | undefined {
    if (expression.kind !== 'variable') return undefined;
    const name = expression.name.replace(/^#/, '');
    const question = byName.get(name) ?? byFoldedName.get(name.toLowerCase());
    if (question === undefined)
      throw new NotConvertedError(`it uses ${name.slice(0, 100)}, which is not a question of the survey`);
    return getOrAdd(operands, question, () => toSourceOperand(question));
  }

  /** Whether an expression always gives a Boolean. */
  function givesBoolean(expression: Expression): boolean {
    if (expression.kind !== 'binary') return expression.kind === 'unary';
    const { operator, left, right } = expression;
    if (operator !== 'and' && operator !== 'or') return true;
    // Cached, because each outer expression checks its parts again.
    return getOrAdd(cachedResults, expression, () => givesBoolean(left) && givesBoolean(right));
  }

  function convert(expression: Expression, truth: Truth): Formula {
    switch (expression.kind) {
      case 'literal':
        return constant(isTrue(toOperandValue(expression.value), truth));
      case 'variable':
        return whereTrue(operandOf(expression), truth);
      case 'unary':
        return convertUnary(expression);
      case 'binary':
        return convertBinary(expression, truth);
      case 'call':
        throw new NotConvertedError(`it calls ${expression.name.slice(0, 100)}`);
      case 'list':
        throw new NotConvertedError('a list is used as a condition');
    }
  }

  function convertUnary({ operator, operand }: Extract<Expression, { kind: 'unary' }>): Formula {
    if (operator === 'not') return not(convert(operand, 'truthy'));
    const source = operandOf(operand);
    if (source === undefined) throw new NotConvertedError(`${operator} is applied to something that is not a question`);
    return condition(source.id, operator === 'empty' ? 'is_not_answered' : 'is_answered');
  }

  function convertBinary(expression: Binary, truth: Truth): Formula {
    const { operator, left, right } = expression;
    if (operator === 'and') return all(convert(left, 'truthy'), convert(right, truth));
    if (operator === 'or') {
      if (truth === 'truthy' || givesBoolean(left)) return any(convert(left, truth), convert(right, truth));
      // `or` returns the first truthy operand, so the right one counts only if the left one is not truthy.
      return any(convert(left, truth), all(not(convert(left, 'truthy')), convert(right, truth)));
    }
    if (/^[-+*/%^]$/.test(operator)) throw new NotConvertedError('it has a calculation');
    const [source, other] = [operandOf(left), operandOf(right)];
    if (source !== undefined && other !== undefined) throw new NotConvertedError('it compares two questions');
    if (source !== undefined) return compare(source, operator, literalOf(right));
    const flipped = FLIPPED[operator];
    if (other !== undefined && flipped !== undefined) return compare(other, flipped, literalOf(left));
    const called = [left, right].find((side) => side.kind === 'call');
    if (called !== undefined) return convert(called, truth);
    const result = convertComparisonWithBoolean(expression);
    if (result !== undefined) return result;
    throw new NotConvertedError(`${operator} is applied to something that is not a question`);
  }

  /** Converts a comparison with a Boolean: `({a} empty) = true`. */
  function convertComparisonWithBoolean({ operator, left, right }: Binary): Formula | undefined {
    const wanted = right.kind === 'literal' ? toOperandValue(right.value) : undefined;
    if (typeof wanted !== 'boolean') return undefined;
    if (operator !== '=' && operator !== '<>') return undefined;
    if (!givesBoolean(left)) return undefined;
    return wanted === (operator === '=') ? convert(left, 'true') : not(convert(left, 'true'));
  }

  return convert;
}

function literalOf(expression: Expression): Literal {
  if (expression.kind === 'literal') return expression.value;
  if (expression.kind === 'list') return expression.items.map(literalOf);
  throw new NotConvertedError('it compares with something that is not a value');
}

function isTrue(value: JsonValue, truth: Truth): boolean {
  return truth === 'truthy' ? Boolean(value) : value === true || (value !== '' && Number(value) === 1);
}

/** Converts a question that is used as a condition. */
function whereTrue(source: SourceOperand | undefined, truth: Truth): Formula {
  if (source === undefined) return NEVER;
  const { id, kind } = source;
  switch (kind) {
    case 'choice':
      return whereValue(source, (value) => isTrue(toOperandValue(value), truth));
    case 'number':
      return truth === 'true'
        ? condition(id, 'equals', 1)
        : all(condition(id, 'is_answered'), condition(id, 'not_equals', 0));
    case 'text':
    case 'json':
      // Texts such as `true` and `01.0`; for `truthy`, all but texts such as `false` and `-0`.
      if (truth === 'true') return condition(id, 'matches', '^(?i:true)$|^\\s*0*1(?:[.,]0*)?\\s*$');
      return all(condition(id, 'is_answered'), not(condition(id, 'matches', '^(?i:false)$|^\\s*-?0?[.,]?0*\\s*$')));
    case 'choices':
      throw new NotConvertedError('a multiple choice is used as a condition');
    default:
      return truth === 'true' ? NEVER : condition(id, 'is_answered');
  }
}

function compare(source: SourceOperand, operator: string, literal: Literal): Formula {
  if (operator === '<>') return not(compare(source, '=', literal));
  if (operator === 'noneof') return not(compare(source, 'anyof', literal));
  if (operator === 'notcontains') return not(compare(source, 'contains', literal));
  if (operator === '=' && (literal === '' || isEmptyList(literal))) return whereNothing(source, literal);
  if (literal === '' || isEmptyList(literal)) throw new NotConvertedError('it compares with an empty value');
  switch (source.kind) {
    case 'choice':
      return whereValue(source, (value) => holds(operator, value, literal));
    case 'choices':
      return compareChoices(source, operator, literal);
    case 'number':
      return compareNumber(source, operator, literal);
    case 'date':
    case 'time':
      return compareDateOrTime(source, operator, literal);
    case 'text':
      return whereText(source.id, operator, literal);
    case 'json':
      if (operator === '=' && !Array.isArray(literal)) return whereText(source.id, operator, literal);
      throw new NotConvertedError(`answers to ${source.id} can only be tested for equality`);
    case 'presence':
      throw new NotConvertedError(`answers to ${source.id} can only be tested for being present`);
  }
}

/** An unanswered multiple choice is an empty list; other unanswered questions equal an empty text. */
function whereNothing({ id, kind }: SourceOperand, literal: Literal): Formula {
  if ((kind === 'choices') === isEmptyList(literal)) return condition(id, 'is_not_answered');
  if (kind === 'choices') return NEVER;
  throw new NotConvertedError('it compares with an empty list');
}

/** Evaluates an operator on a value that is not a list. */
function holds(operator: string, value: JsonValue, literal: Literal): boolean {
  const left = toOperandValue(value);
  const wanted = Array.isArray(literal) ? literal : [literal];
  switch (operator) {
    case '=':
      return !Array.isArray(literal) && isSameValue(left, literal);
    case 'contains':
      return !Array.isArray(literal) && isPartOf(literal, left);
    case 'anyof':
      return Array.isArray(literal) ? wanted.some((item) => isSameValue(item, left)) : isPartOf(left, literal);
    case 'allof':
      return wanted.every((item) => isPartOf(item, left));
    default:
      return isInOrder(operator, left, literal);
  }
}

function isInOrder(operator: string, left: JsonValue, right: Literal): boolean {
  if (left === null || right === null || typeof left === 'object' || typeof right === 'object') return false;
  if (operator.endsWith('=') && isSameValue(left, right)) return true;
  return operator.startsWith('<') ? left < right : left > right;
}

function compareChoices(source: SourceOperand, operator: string, literal: Literal): Formula {
  const { id, options } = source;
  const wanted = Array.isArray(literal) ? literal : [literal];
  const found = wanted.map((item) => options.find(({ value }) => isSameValue(toOperandValue(value), item))?.id);
  const known = found.filter((option) => option !== undefined);
  switch (operator) {
    case '=':
      if (!Array.isArray(literal) || known.length < wanted.length) return NEVER;
      return condition(id, 'equals', known);
    case 'contains':
    case 'allof':
      return known.length < wanted.length ? NEVER : all(...known.map((option) => condition(id, 'contains', option)));
    case 'anyof':
      return known.length === 0 ? NEVER : condition(id, 'in', known);
    default:
      throw new NotConvertedError(`${operator} is not supported for multiple choice`);
  }
}

function orderOf(operator: string): Operator {
  const order = ORDERS[operator];
  if (order === undefined) throw new NotConvertedError(`${operator} is not supported for numbers, dates and times`);
  return order;
}

function compareNumber({ id }: SourceOperand, operator: string, literal: Literal): Formula {
  const numbers = (Array.isArray(literal) ? literal : [literal]).filter((item) => isNumeric(item)).map(Number);
  if (operator === 'anyof' && Array.isArray(literal))
    return numbers.length === 0 ? NEVER : condition(id, 'in', numbers);
  const [number] = numbers;
  if (Array.isArray(literal) || number === undefined) {
    if (operator === '=') return NEVER;
    throw new NotConvertedError('it compares a number with something else');
  }
  return operator === '=' ? condition(id, 'equals', number) : condition(id, orderOf(operator), number);
}

function compareDateOrTime({ id, kind }: SourceOperand, operator: string, literal: Literal): Formula {
  const form = kind === 'date' ? DATE : TIME;
  const values = (Array.isArray(literal) ? literal : [literal]).filter((item) => typeof item === 'string');
  const [value] = values;
  if (value === undefined || !values.every((item) => form.test(item))) {
    throw new NotConvertedError(`it compares a ${kind} with something else`);
  }
  if (operator === 'anyof' && Array.isArray(literal)) return condition(id, 'in', values);
  if (Array.isArray(literal)) throw new NotConvertedError('it compares with a list');
  return operator === '=' ? condition(id, 'equals', value) : condition(id, orderOf(operator), value);
}

function isNumeric(value: JsonValue): value is string | number {
  return (
    typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
  );
}

function isEmptyList(literal: Literal): boolean {
  return Array.isArray(literal) && literal.length === 0;
}

/** The formula for a predicate on the value of the chosen option. Without an answer, it does not hold. */
function whereValue({ id, options }: SourceOperand, test: (value: JsonValue) => boolean): Formula {
  const values = new Map(options.map((option) => [option.id, option.value]));
  return whereChosen(id, [...values.keys()], (option) => {
    const value = option === undefined ? undefined : values.get(option);
    return value !== undefined && test(value);
  });
}

const comparison = (operator: string): OperatorSyntax => ({ operator, precedence: 3 });
const calculate = (operator: string, precedence: number): OperatorSyntax => ({ operator, precedence });

/** Expressions of SurveyJS (https://surveyjs.io/form-library/documentation/design-survey/conditional-logic). */
const SURVEYJS_SYNTAX: ExpressionSyntax = {
  variable: /\{([^{}]+)\}/y,
  prefix: { '!': { operator: 'not', precedence: 9 } },
  infix: {
    or: { operator: 'or', precedence: 1 },
    '||': { operator: 'or', precedence: 1 },
    and: { operator: 'and', precedence: 2 },
    '&&': { operator: 'and', precedence: 2 },
    '=': comparison('='),
    '==': comparison('='),
    equal: comparison('='),
    '!=': comparison('<>'),
    '<>': comparison('<>'),
    notequal: comparison('<>'),
    '<': comparison('<'),
    less: comparison('<'),
    '>': comparison('>'),
    greater: comparison('>'),
    '<=': comparison('<='),
    lessorequal: comparison('<='),
    '>=': comparison('>='),
    greaterorequal: comparison('>='),
    contains: comparison('contains'),
    contain: comparison('contains'),
    '*=': comparison('contains'),
    notcontains: comparison('notcontains'),
    notcontain: comparison('notcontains'),
    anyof: comparison('anyof'),
    noneof: comparison('noneof'),
    allof: comparison('allof'),
    '+': calculate('+', 4),
    '-': calculate('-', 4),
    '*': calculate('*', 5),
    '/': calculate('/', 5),
    '%': calculate('%', 5),
    '^': calculate('^', 6),
    power: calculate('^', 6),
  },
  postfix: { empty: 'empty', notempty: 'notempty' },
  constants: { true: true, false: false, undefined: '', null: '' },
  words: 'texts',
  escapes: true,
};

/** The value that expressions compare: texts that look like numbers are numbers. */
function toOperandValue(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  // A leading zero makes it a text, except for 0 and 0.5.
  if (/^0./.test(value) && !/^0[.,]\d/.test(value)) return value;
  return /^\s*-?(?:\d+(?:[.,]\d+)?|[.,]\d+)\s*$/.test(value) && value.trim().length <= 15
    ? Number(value.replace(',', '.'))
    : value;
}

/**
 * Whether two values are equal in SurveyJS expressions. Case and surrounding spaces do not matter, and a text with a
 * number equals the number.
 */
export function isSameValue(one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true;
  if (typeof one === 'string' && typeof other === 'string') return foldText(one) === foldText(other);
  if (typeof one === 'boolean' || typeof other === 'boolean') {
    if (typeof one === 'number' || typeof other === 'number') return Number(one) === Number(other);
    return isPlain(one) && isPlain(other) && String(one).toLowerCase() === String(other).toLowerCase();
  }
  return isNumberLike(one) && isNumberLike(other) && Number(one) === Number(other);
}

/** Whether the text of `whole` contains the text of `part`, ignoring case. False for empty parts, 0, false and lists. */
function isPartOf(part: JsonValue, whole: JsonValue): boolean {
  if (!isPlain(whole) || !isPlain(part) || part === '' || part === 0 || part === false) return false;
  return String(whole).toLowerCase().includes(String(part).toLowerCase());
}

function isPlain(value: JsonValue): value is string | number | boolean {
  return value !== null && typeof value !== 'object';
}

export function isNumberLike(value: JsonValue): boolean {
  if (typeof value === 'number') return true;
  return typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value));
}

/** A text for comparisons, which ignore case and surrounding spaces. */
export function foldText(text: string): string {
  return text.trim().toLowerCase();
}

/** Converts an operator on a text. SurveyJS ignores case, and the notation of numbers. */
function whereText(id: string, operator: string, literal: JsonValue): Formula {
  if (operator === '=') return Array.isArray(literal) ? NEVER : condition(id, 'matches', patternOf(literal));
  if (operator === 'anyof' && Array.isArray(literal)) {
    return any(...literal.map((item) => condition(id, 'matches', patternOf(item))));
  }
  if (operator === 'contains' && !Array.isArray(literal)) {
    return literal === 0 || literal === false ? NEVER : condition(id, 'contains', String(literal));
  }
  throw new NotConvertedError(`${operator} is not supported for texts`);
}

function patternOf(literal: JsonValue): string {
  if (literal === null || typeof literal === 'object') throw new NotConvertedError('it compares a text with an object');
  const value = toOperandValue(literal);
  if (typeof value === 'boolean') return `^(?i:${value})$`;
  const text = String(literal).trim();
  const number = /^(-?)(\d+(?:\.\d*)?)$/.exec(text);
  if (number === null) return `^\\s*(?i:${escapePattern(text)})\\s*$`;
  const [, sign = '', digits = ''] = number;
  const [whole = '', fraction = ''] = withoutEndZeros(digits)
    .replace(/^0+(?=\d)/, '')
    .split('.');
  // A text with a leading zero counts as a number only if compared with a number.
  const zeros = typeof literal === 'number' ? '0*' : '';
  const numberPattern = `${sign}${zeros}${whole}${fraction === '' ? '(?:[.,]0*)?' : `[.,]${fraction}0*`}`;
  return `^\\s*(?:${numberPattern}|${escapePattern(text)})\\s*$`;
}
