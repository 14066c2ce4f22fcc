import type { JsonObject } from '@bufbuild/protobuf';
import { createPatternCompiler } from '@survey/questionnaire/answers/patterns/pattern';
import { LIMITS } from '@survey/questionnaire/limits';
import {
  compareBySign,
  type Expression,
  type ExpressionSyntax,
  escapePattern,
  FLIPPED,
  ORDERS,
  parseExpression,
} from '../core/logic/expression.ts';
import {
  ALWAYS,
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

/** A text or number, or a date written as `date('2024-01-01')`. */
type Literal = string | number | DateLiteral;
interface DateLiteral {
  readonly kind: 'date';
  /** The argument of the call, which need not be a date. */
  readonly value: string;
}
type Binary = Extract<Expression, { kind: 'binary' }>;
type Call = Extract<Expression, { kind: 'call' }>;

/** Functions that count chosen options, or the characters of a text. */
const COUNT_FUNCTIONS = ['count-selected', 'string-length'];
/** Words for true() and false() in spreadsheets. */
const CONSTANTS: ReadonlyMap<string, string> = new Map([
  ['true', 'true()'],
  ['yes', 'true()'],
  ['false', 'false()'],
  ['no', 'false()'],
]);
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Creates a converter of expressions. Unanswered questions count as empty texts. It throws `NotConvertedError`. */
export function createToFormula(byName: ReadonlyMap<string, JsonObject>): (expression: string) => Formula {
  const convert = createConverter(byName);
  return (expression) => {
    const plain = CONSTANTS.get(expression.trim().toLowerCase()) ?? expression;
    // Undo typographic quotes, as ODK does.
    return convert(parseExpression(plain.replaceAll(/[‘’]/g, "'").replaceAll(/[“”]/g, '"'), XLSFORM_SYNTAX));
  };
}

function createConverter(byName: ReadonlyMap<string, JsonObject>): (expression: Expression) => Formula {
  const operands = new Map<JsonObject, SourceOperand>();

  function operandOf(expression: Expression): SourceOperand | undefined {
    if (expression.kind === 'call' && expression.name === 'string') {
      const [inner] = expression.args;
      return inner?.kind === 'variable' ? operandOf(inner) : undefined;
    }
    if (expression.kind !== 'variable') return undefined;
    const question = byName.get(expression.name);
    if (question === undefined) {
      throw new NotConvertedError(`it uses ${expression.name.slice(0, 100)}, which is not a question of the survey`);
    }
    return getOrAdd(operands, question, () => toSourceOperand(question));
  }

  /** The question whose answer `number` or `int` converts to a number. `int` cuts decimals, so it is for integers only. */
  function numberOperandOf(expression: Expression): SourceOperand | undefined {
    if (expression.kind !== 'call' || !['number', 'int'].includes(expression.name)) return undefined;
    const [inner] = expression.args;
    if (inner?.kind !== 'variable') return undefined;
    const isWhole = byName.get(inner.name)?.['format'] === 'integer';
    return expression.name === 'int' && !isWhole ? undefined : operandOf(inner);
  }

  function firstOperandOf({ name, args }: Call): SourceOperand {
    const [first] = args;
    const source = first === undefined ? undefined : operandOf(first);
    if (source === undefined) throw new NotConvertedError(`${name} is applied to something that is not a question`);
    return source;
  }

  function convert(expression: Expression): Formula {
    if (expression.kind === 'binary') return convertBinary(expression);
    if (expression.kind === 'call') return convertCall(expression);
    if (expression.kind === 'literal') return constant(Boolean(expression.value));
    const source = operandOf(expression);
    if (source === undefined || source.kind === 'number') {
      throw new NotConvertedError('a value is used as a condition');
    }
    return condition(source.id, 'is_answered');
  }

  function convertBinary({ operator, left, right }: Binary): Formula {
    if (operator === 'and') return all(convert(left), convert(right));
    if (operator === 'or') return any(convert(left), convert(right));
    const flipped = FLIPPED[operator];
    if (flipped === undefined) throw new NotConvertedError('it has a calculation');
    const [leftLiteral, rightLiteral] = [literalOf(left), literalOf(right)];
    if (rightLiteral !== undefined) return compareWith(left, operator, rightLiteral);
    if (leftLiteral !== undefined) return compareWith(right, flipped, leftLiteral);
    throw new NotConvertedError(
      unsupportedCallReason(left) ?? unsupportedCallReason(right) ?? 'it compares two questions',
    );
  }

  function compareWith(expression: Expression, operator: string, literal: Literal): Formula {
    if (expression.kind === 'call' && COUNT_FUNCTIONS.includes(expression.name)) {
      const { id, kind, options } = firstOperandOf(expression);
      // `count-selected` counts the words of a text.
      const isOfOptions = expression.name === 'count-selected' && (kind === 'choice' || kind === 'choices');
      const max = isOfOptions ? (kind === 'choice' ? 1 : options.length) : LIMITS.textarea;
      return whereCount(id, operator, { wanted: toNumber(String(plainOf(literal))), max });
    }
    const numberSource = numberOperandOf(expression);
    if (numberSource !== undefined) {
      // A number is compared with the number of a text: `number('05') = '5'`. NaN differs from all numbers.
      const number = toNumber(String(plainOf(literal)));
      return Number.isNaN(number) ? constant(operator === '!=') : compare(numberSource, operator, number);
    }
    const source = operandOf(expression);
    if (source === undefined) throw new NotConvertedError(unsupportedCallReason(expression) ?? 'it has a calculation');
    return compare(source, operator, literal);
  }

  function convertCall(call: Call): Formula {
    const [first, second] = call.args;
    switch (call.name) {
      case 'true':
        return ALWAYS;
      case 'false':
        return NEVER;
      case 'not':
      case 'boolean':
        if (first === undefined) throw new NotConvertedError(`${call.name} has no argument`);
        return call.name === 'not' ? not(convert(first)) : convert(first);
      case 'selected':
        return whereSelected(firstOperandOf(call), textOf(second));
      case 'regex':
        return whereMatches(firstOperandOf(call), `^(?:${textOf(second)})$`);
      case 'contains':
        return whereMatches(firstOperandOf(call), escapePattern(textOf(second)));
      case 'starts-with':
        return whereMatches(firstOperandOf(call), `^${escapePattern(textOf(second))}`);
      case 'ends-with':
        return whereMatches(firstOperandOf(call), `${escapePattern(textOf(second))}$`);
      default:
        throw new NotConvertedError(`it calls ${call.name.slice(0, 100)}`);
    }
  }

  return convert;
}

function unsupportedCallReason(expression: Expression): string | undefined {
  return expression.kind === 'call' ? `it calls ${expression.name.slice(0, 100)}` : undefined;
}

function literalOf(expression: Expression): Literal | undefined {
  if (expression.kind === 'literal' && typeof expression.value !== 'boolean') return expression.value;
  if (expression.kind !== 'call') return undefined;
  const [only] = expression.args;
  if (expression.name === 'date' && only?.kind === 'literal') return { kind: 'date', value: String(only.value) };
  return undefined;
}

/** Throws `NotConvertedError` for a date: only a date question can be compared with a date. */
function plainOf(literal: Literal): string | number {
  if (typeof literal === 'object') throw new NotConvertedError('it compares a date with something else');
  return literal;
}

function textOf(expression: Expression | undefined): string {
  if (expression?.kind === 'literal') return String(expression.value);
  throw new NotConvertedError('it compares with something that is not a text');
}

function compare(source: SourceOperand, operator: string, literal: Literal): Formula {
  if (operator === '!=') return not(compare(source, '=', literal));
  if (operator === '=' && literal === '') return condition(source.id, 'is_not_answered');
  const { id, kind } = source;
  if (kind === 'date') return compareDate(id, operator, literal);
  const plain = plainOf(literal);
  switch (kind) {
    case 'choice':
      return whereValue(source, (value) => compareValue(value, operator, plain));
    case 'choices':
      return compareChoices(source, operator, String(plain));
    case 'number':
      return compareNumber(id, operator, plain);
    case 'text':
      if (operator !== '=') break;
      if (typeof plain === 'string') return condition(id, 'equals', plain);
      return condition(id, 'matches', numberPattern(plain));
    default:
      break;
  }
  throw new NotConvertedError(`${operator} is not supported for questions of type ${kind}`);
}

/** A pattern of the texts that XPath reads as a number: `05.0` is 5. */
function numberPattern(number: number): string {
  const digits = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(number));
  if (digits === null) throw new NotConvertedError(`${number} has too many digits`);
  const [, sign = '', whole = '', fraction] = digits;
  if (fraction === undefined) return `^\\s*${sign}0*${whole}(?:\\.0*)?\\s*$`;
  // A text may leave out the zero before the point.
  return `^\\s*${sign}0*${whole === '0' ? '' : whole}\\.${fraction}0*\\s*$`;
}

function compareChoices({ id, options }: SourceOperand, operator: string, literal: string): Formula {
  if (operator !== '=') throw new NotConvertedError(`${operator} is not supported for multiple choice`);
  if (/\s/.test(literal)) throw new NotConvertedError('it compares the order of several choices');
  const option = options.find(({ value }) => String(value) === literal);
  return option === undefined ? NEVER : condition(id, 'equals', [option.id]);
}

function compareNumber(id: string, operator: string, literal: string | number): Formula {
  const number = toNumber(String(literal));
  const order = ORDERS[operator];
  // A text that is no number is neither equal to a number, nor less, nor greater.
  if (Number.isNaN(number)) return NEVER;
  return order === undefined ? condition(id, 'equals', number) : condition(id, order, number);
}

/** Converts a comparison with a date. The literal can be a text for equality; for order, it must be `date('…')`. */
function compareDate(id: string, operator: string, literal: Literal): Formula {
  const isDate = typeof literal === 'object';
  const date = isDate ? literal.value : String(literal);
  const order = ORDERS[operator];
  if (!DATE.test(date) || (!isDate && order !== undefined)) {
    throw new NotConvertedError('it compares a date with something else');
  }
  return order === undefined ? condition(id, 'equals', date) : condition(id, order, date);
}

function whereSelected(source: SourceOperand, wanted: string): Formula {
  const { id, kind, options } = source;
  if (kind === 'choice') return whereValue(source, (value) => value === wanted.trim());
  if (kind === 'choices') {
    const option = options.find(({ value }) => String(value) === wanted.trim());
    return option === undefined ? NEVER : condition(id, 'contains', option.id);
  }
  if (kind !== 'text') throw new NotConvertedError(`selected is not supported for questions of type ${kind}`);
  return condition(id, 'matches', `(?:^|\\s)${escapePattern(wanted.trim())}(?:$|\\s)`);
}

function whereMatches(source: SourceOperand, pattern: string): Formula {
  const test = createPatternCompiler()(pattern, 1_000);
  if (typeof test !== 'function') throw new NotConvertedError(`the pattern is not supported: ${test.fault}`);
  if (source.kind === 'choice') return whereValue(source, test);
  if (source.kind !== 'text')
    throw new NotConvertedError(`a pattern is not supported for questions of type ${source.kind}`);
  const matches = condition(source.id, 'matches', pattern);
  return test('') ? any(matches, condition(source.id, 'is_not_answered')) : matches;
}

function whereValue({ id, options }: SourceOperand, test: (value: string) => boolean): Formula {
  const values = new Map(options.map((option) => [option.id, String(option.value)]));
  return whereChosen(id, [...values.keys()], (option) => test(option === undefined ? '' : (values.get(option) ?? '')));
}

/**
 * Converts the comparison of a count. The count is 0 without an answer, and from 1 to `max` with one. Throws if the
 * result is not the same for all counts from 1.
 */
function whereCount(id: string, operator: string, { wanted, max }: { wanted: number; max: number }): Formula {
  // The result can only change at the wanted count, so testing the ends and this count is enough.
  const counts = [1, max, wanted].filter((count) => Number.isInteger(count) && count >= 1 && count <= max);
  const [whenAnswered = false, ...others] = new Set(counts.map((count) => compareBySign(count, operator, wanted)));
  if (others.length > 0) throw new NotConvertedError('it counts choices or characters');
  const whenUnanswered = compareBySign(0, operator, wanted);
  if (whenAnswered === whenUnanswered) return constant(whenAnswered);
  return condition(id, whenAnswered ? 'is_answered' : 'is_not_answered');
}

/** XPath 1.0 as in forms (https://docs.getodk.org/form-operators-functions), with `${name}` for questions. */
const XLSFORM_SYNTAX: ExpressionSyntax = {
  variable: /\$\{([^{}]+)\}/y,
  prefix: {},
  infix: {
    or: { operator: 'or', precedence: 1 },
    and: { operator: 'and', precedence: 2 },
    '=': { operator: '=', precedence: 3 },
    '==': { operator: '=', precedence: 3 },
    '!=': { operator: '!=', precedence: 3 },
    '<': { operator: '<', precedence: 4 },
    '<=': { operator: '<=', precedence: 4 },
    '>': { operator: '>', precedence: 4 },
    '>=': { operator: '>=', precedence: 4 },
    '+': { operator: '+', precedence: 5 },
    '-': { operator: '-', precedence: 5 },
    '*': { operator: '*', precedence: 6 },
    div: { operator: 'div', precedence: 6 },
    mod: { operator: 'mod', precedence: 6 },
  },
  postfix: {},
  constants: {},
  words: 'rejected',
  escapes: false,
};

/**
 * Compares the value of a choice with a literal. XPath compares as texts if one operand is a text, otherwise as
 * numbers. Order always compares numbers.
 */
function compareValue(value: string, operator: string, literal: string | number): boolean {
  if (operator === '=') return typeof literal === 'string' ? value === literal : toNumber(value) === literal;
  return compareBySign(toNumber(value), operator, toNumber(String(literal)));
}

/** An empty text is no number, as in XPath. */
export function toNumber(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}
