import { OPERATORS, type Operator } from '@survey/questionnaire/logic/operators';
import { type Expression, type ExpressionSyntax, variablesOf } from '../core/logic/expression.ts';
import { all, any, condition, constant, type Formula, not } from '../core/logic/formula.ts';
import { NotConvertedError } from '../core/logic/not-converted.ts';
import { parseExpression } from '../core/logic/parse-expression.ts';
import { whereChosen } from '../core/logic/where-chosen.ts';
import { type Comparison, compareValues, type Value } from './compare-values.ts';
import type { Variable, Variables } from './variables.ts';

/** The part of LimeSurvey's expression language that conditions use. */
const SYNTAX: ExpressionSyntax = {
  variable: /([A-Za-z_]\w*(?:\.[A-Za-z]+)*)/y,
  prefix: { '!': { operator: 'not', precedence: 6 }, '-': { operator: 'minus', precedence: 7 } },
  infix: {
    or: { operator: 'or', precedence: 1 },
    '||': { operator: 'or', precedence: 1 },
    and: { operator: 'and', precedence: 2 },
    '&&': { operator: 'and', precedence: 2 },
    ...comparisons({ '==': 'eq', eq: 'eq', '!=': 'ne', ne: 'ne' }, 3),
    ...comparisons({ '<': 'lt', lt: 'lt', '<=': 'le', le: 'le', '>': 'gt', gt: 'gt', '>=': 'ge', ge: 'ge' }, 4),
  },
  postfix: {},
  constants: {},
  words: 'rejected',
  escapes: true,
};

const OPERATOR_OF: Readonly<Record<Comparison, Operator>> = {
  eq: 'equals',
  ne: 'not_equals',
  lt: 'less_than',
  le: 'less_or_equal',
  gt: 'greater_than',
  ge: 'greater_or_equal',
};
const SWAPPED: Readonly<Record<Comparison, Comparison>> = {
  eq: 'eq',
  ne: 'ne',
  lt: 'gt',
  le: 'ge',
  gt: 'lt',
  ge: 'le',
};

/** Suffixes that mean the value of a question. */
const VALUE_SUFFIX = /\.(NAOK|value|code)$/i;
/** Maximum names without a suffix in an expression. */
const MAX_STRICT = 50;

/**
 * Converts a relevance expression. In LimeSurvey, an expression is false if it uses a hidden question by a name without
 * a suffix such as `.NAOK`. Throws `NotConvertedError`.
 *
 * @param shown the condition under which a variable's question is shown; undefined if unknown
 */
export function toFormula(
  text: string,
  variables: Variables,
  shown: (variable: Variable) => Formula | undefined,
): Formula {
  const expression = parseExpression(withQuestionCodes(text, variables), SYNTAX);
  const formula = convert(expression, variables);
  const plainNames = [...variablesOf(expression)].filter((name) => !VALUE_SUFFIX.test(name));
  if (plainNames.length > MAX_STRICT) throw new NotConvertedError(`it uses more than ${MAX_STRICT} questions`);
  const conditions = plainNames.flatMap((name) => {
    const variable = find(name, variables);
    // A hidden question has no answer. If the formula is false without this answer, it needs no further condition.
    if (withoutAnswer(formula, variable.question.id) === false) return [];
    const shownWhen = shown(variable);
    if (shownWhen === undefined) throw new NotConvertedError(`the conditions of ${name} are unknown`);
    return [shownWhen];
  });
  return conditions.length === 0 ? formula : all(...conditions, formula);
}

/** The value of the formula if a question is not answered; undefined if it depends on other answers. */
function withoutAnswer(formula: Formula, questionId: string): boolean | undefined {
  switch (formula.kind) {
    case 'always':
    case 'never':
      return formula.kind === 'always';
    case 'condition': {
      const { source, operator } = formula.condition;
      return source === questionId ? OPERATORS[operator].whenUnanswered : undefined;
    }
    case 'not': {
      const inner = withoutAnswer(formula.of, questionId);
      return inner === undefined ? undefined : !inner;
    }
    case 'all':
    case 'any': {
      const deciding = formula.kind === 'any';
      const parts = formula.of.map((part) => withoutAnswer(part, questionId));
      if (parts.includes(deciding)) return deciding;
      return parts.includes(undefined) ? undefined : !deciding;
    }
  }
}

function convert(expression: Expression, variables: Variables): Formula {
  switch (expression.kind) {
    case 'literal':
      return constant(isTrue(expression.value));
    case 'variable':
      return compare(find(expression.name, variables), 'ne', '');
    case 'unary':
      if (expression.operator === 'not') return not(convert(expression.operand, variables));
      break;
    case 'call':
      if (expression.name === 'is_empty' && expression.args[0]?.kind === 'variable' && expression.args.length === 1) {
        return compare(find(expression.args[0].name, variables), 'eq', '');
      }
      throw new NotConvertedError(`the function ${expression.name}() is not supported`);
    case 'binary':
      return convertBinary(expression, variables);
    default:
  }
  throw new NotConvertedError('it is not a condition');
}

function convertBinary(
  { operator, left, right }: Extract<Expression, { kind: 'binary' }>,
  variables: Variables,
): Formula {
  if (operator === 'and') return all(convert(left, variables), convert(right, variables));
  if (operator === 'or') return any(convert(left, variables), convert(right, variables));
  // The syntax has no other binary operators.
  const comparison = operator as Comparison;
  const [one, other] = [literalOf(left), literalOf(right)];
  if (one !== undefined && other !== undefined) return constant(compareValues(String(one), comparison, other));
  if (left.kind === 'variable' && other !== undefined) return compare(find(left.name, variables), comparison, other);
  if (right.kind === 'variable' && one !== undefined)
    return compare(find(right.name, variables), SWAPPED[comparison], one);
  throw new NotConvertedError('it compares with something that is not a constant');
}

function compare({ question, option }: Variable, comparison: Comparison, value: Value): Formula {
  if (option !== undefined) {
    const [chosen, without] = ['Y', ''].map((state) => compareValues(state, comparison, value));
    if (chosen === without) return constant(chosen === true);
    return condition(question.id, chosen === true ? 'contains' : 'not_contains', option.id);
  }
  if (question.type === 'single_choice') {
    const codes = new Map(question.options.map(({ id, code }) => [id, code]));
    if (question.allowOther) codes.set('other', '-oth-');
    return whereChosen(question.id, [...codes.keys()], (id) =>
      compareValues(id === undefined ? '' : (codes.get(id) ?? ''), comparison, value),
    );
  }
  if (value === '' && comparison === 'eq') return condition(question.id, 'is_not_answered');
  if (value === '' && comparison === 'ne') return condition(question.id, 'is_answered');
  return condition(question.id, OPERATOR_OF[comparison], toComparable(question, comparison, value));
}

function toComparable({ type, format, variable }: Variable['question'], comparison: Comparison, value: Value): Value {
  if (type === 'rating' || format === 'number' || format === 'integer') {
    const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
    if (Number.isNaN(number)) throw new NotConvertedError(`${variable} is a number and is compared with a text`);
    return number;
  }
  const isText = type === 'text' || type === 'textarea';
  if (isText && (comparison === 'eq' || comparison === 'ne')) return String(value);
  if (type === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(String(value))) return value;
  throw new NotConvertedError(`answers to ${variable} cannot be compared with ${value}`);
}

function find(name: string, variables: Variables): Variable {
  const found = variables.find(name.replace(VALUE_SUFFIX, ''));
  if (found === undefined) throw new NotConvertedError(`${name} is not a question that a condition can test`);
  return found;
}

function literalOf(expression: Expression): Value | undefined {
  if (expression.kind === 'unary' && expression.operator === 'minus' && expression.operand.kind === 'literal') {
    return -Number(expression.operand.value);
  }
  if (expression.kind !== 'literal') return undefined;
  return typeof expression.value === 'boolean' ? Number(expression.value) : expression.value;
}

/** Truthiness as in PHP. */
function isTrue(value: string | number | boolean): boolean {
  return value !== '' && value !== '0' && Number(value) !== 0;
}

/** Replaces numeric names such as `282267X2473X22829SQ1` by question codes. */
function withQuestionCodes(text: string, variables: Variables): string {
  return text.replaceAll(/"[^"]*"|'[^']*'|\b\d+X\d+X\w+/g, (found) => {
    if (!/^\d/.test(found)) return found;
    const code = variables.codeOf(found);
    if (code === undefined) throw new NotConvertedError(`there is no question ${found}`);
    return code;
  });
}

function comparisons(names: Readonly<Record<string, Comparison>>, precedence: number) {
  return Object.fromEntries(Object.entries(names).map(([name, operator]) => [name, { operator, precedence }]));
}
