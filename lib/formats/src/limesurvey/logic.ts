import type { JsonValue } from '@bufbuild/protobuf';
import { OPERATORS, type Operator } from '@survey/questionnaire/logic/operators';
import type { WordedOption } from '../core/columns/choices.ts';
import type { SurveyDraft } from '../core/draft.ts';
import {
  checkLength,
  compareBySign,
  type Expression,
  type ExpressionSyntax,
  FLIPPED,
  ORDERS,
  parseExpression,
  variablesOf,
} from '../core/logic/expression.ts';
import {
  ALWAYS,
  all,
  any,
  condition,
  constant,
  constantOf,
  type Formula,
  leavesOf,
  mapConditions,
  NotConvertedError,
  not,
  whereChosen,
} from '../core/logic/formula.ts';
import type { LssGroup, LssQuestion, LssRow, LssSurvey } from './document.ts';
import { createToColumnName, type IndexedQuestion, indexQuestions, toVariable } from './headers.ts';
import type { Part } from './parts.ts';

/** A LimeSurvey question with the questions of the survey that it becomes. */
export interface ConvertedQuestion {
  readonly group: LssGroup;
  readonly question: LssQuestion;
  readonly parts: readonly ConvertedPart[];
}

export interface ConvertedPart extends Part {
  /** Id of its question in the survey. */
  readonly id: string;
}

/** Expressions that mean "no condition". */
const NO_CONDITION: readonly string[] = ['', '1', '((1))'];

/** Adds all logic: relevance of groups and questions, conditions, and comments of choices. */
export function addLogic(converted: readonly ConvertedQuestion[], survey: LssSurvey, draft: SurveyDraft): void {
  const index = indexQuestions(draft.payload());
  const variables = createVariables(index);
  const byId = new Map(index.map((question) => [question.id, question]));
  const conditions = Map.groupBy(survey.conditions, (row) => row.get('qid'));
  const visibility = createVisibility();

  function addRule(at: string, source: JsonValue, questions: readonly string[], convert: () => Formula): void {
    // The draft calls each `when` once, in the order of the rules. So `visibility` has the rules for earlier questions.
    const when = () => {
      let formula: Formula | undefined;
      try {
        formula = convert();
        return formula;
      } finally {
        visibility.restrict(questions, formula);
      }
    };
    draft.rule({ action: 'show', questions, at, source, when });
  }

  for (const [group, inGroup] of Map.groupBy(converted, (one) => one.group)) {
    const relevance = group.relevance.trim();
    if (!NO_CONDITION.includes(relevance)) {
      const ids = inGroup.flatMap(({ parts }) => parts.map(({ id }) => id));
      const convert = () => toFormula(withQuestionCodes(relevance, variables), variables, visibility);
      addRule(`${group.row.path}/grelevance`, relevance, ids, convert);
    }
    for (const { question, parts } of inGroup) {
      const ids = parts.map(({ id }) => id);
      const { path, source, toText } = relevanceOf(question, conditions.get(question.qid) ?? [], variables);
      if (!NO_CONDITION.includes(source)) addRule(path, source, ids, () => toFormula(toText(), variables, visibility));
      const main = byId.get(ids[0] ?? '');
      for (const { id, choice } of parts) {
        const when = choice === undefined ? undefined : whereChoiceChosen(main, choice);
        if (when !== undefined) addRule(question.row.path, '', [id], () => when);
      }
    }
  }
}

/** Maximum conditions of a question's visibility. Beyond that, the visibility counts as unknown. */
const MAX_VISIBILITY_CONDITIONS = 20;

/** The formulas under which questions are shown, by the rules that are converted so far. */
interface Visibility {
  /** Undefined if it is unknown when the question is shown. */
  of(questionId: string): Formula | undefined;
  /** Adds a further formula that must hold; undefined for a rule without an equivalent. */
  restrict(questionIds: readonly string[], formula: Formula | undefined): void;
}

function createVisibility(): Visibility {
  const formulas = new Map<string, Formula | undefined>();
  const of = (id: string) => (formulas.has(id) ? formulas.get(id) : ALWAYS);
  return {
    of,
    restrict(ids, formula) {
      for (const id of ids) {
        const before = of(id);
        const both = before && formula && all(before, formula);
        const isKnown = both !== undefined && leavesOf(both).length <= MAX_VISIBILITY_CONDITIONS;
        formulas.set(id, isKnown ? both : undefined);
      }
    },
  };
}

interface Relevance {
  readonly path: string;
  /** The expression with the names of the file, except those of choices. */
  readonly source: string;
  /** The expression with question codes. Throws `NotConvertedError`. */
  toText(): string;
}

function relevanceOf({ row }: LssQuestion, conditions: readonly LssRow[], variables: Variables): Relevance {
  const relevance = row.get('relevance').trim();
  const [first] = conditions;
  if (!NO_CONDITION.includes(relevance) || first === undefined) {
    const toText = () => withQuestionCodes(relevance, variables);
    return { path: `${row.path}/relevance`, source: relevance, toText };
  }
  return {
    path: first.path,
    source: toExpression(conditions, variables, (field) => field),
    toText: () => toExpression(conditions, variables, (field) => variables.codeOf(field)),
  };
}

/** The condition for showing the comment on a choice: the choice is chosen. Undefined if the choice is unknown. */
function whereChoiceChosen(question: IndexedQuestion | undefined, choice: string): Formula | undefined {
  if (question === undefined) return undefined;
  const id =
    choice === 'other' && question.allowOther ? choice : question.options.find(({ code }) => code === choice)?.id;
  return id === undefined ? undefined : condition(question.id, 'contains', id);
}

/**
 * Converts the conditions of older surveys to an expression. In a scenario, conditions on the same question are
 * alternatives; conditions on different questions must all hold. Scenarios are alternatives.
 */
function toExpression(conditions: readonly LssRow[], variables: Variables, nameOf: NameOf): string {
  const scenarios = [...Map.groupBy(conditions, (row) => row.get('scenario')).values()].map((inScenario) =>
    [...Map.groupBy(inScenario, (row) => row.get('cfieldname')).values()]
      .map((onQuestion) => `(${onQuestion.map((row) => toComparison(row, variables, nameOf)).join(' or ')})`)
      .join(' and '),
  );
  return scenarios.map((scenario) => `(${scenario})`).join(' or ');
}

/** The name of a database column in an expression. */
type NameOf = (field: string) => string;

function toComparison(row: LssRow, variables: Variables, nameOf: NameOf): string {
  const method = row.get('method').trim() || '==';
  const field = row.get('cfieldname').replace(/^\+/, '');
  const written = row.get('value');
  const choice = variables.choiceOf(field, written);
  if (choice !== undefined) return `${choice}.NAOK ${method} "Y"`;
  const name = nameOf(field);
  // An empty value means "no answer".
  if (written.trim() === '' && method === '==') return `is_empty(${name}.NAOK)`;
  if (written.trim() === '' && method === '!=') return `!is_empty(${name}.NAOK)`;
  const value = written.replaceAll(/["\\]/g, '\\$&');
  // A value such as @1X2X3@ refers to another answer. `toFormula` rejects this, with the expression in the warning.
  return /^@.*@$/.test(value)
    ? `${name}.NAOK ${method} ${nameOf(value.slice(1, -1))}.NAOK`
    : `${name}.NAOK ${method} "${value}"`;
}

/** The part of LimeSurvey's expression language that conditions use. */
const SYNTAX: ExpressionSyntax = {
  variable: /([A-Za-z_]\w*(?:\.[A-Za-z]+)*)/y,
  prefix: { '!': { operator: 'not', precedence: 6 }, '-': { operator: 'minus', precedence: 7 } },
  infix: {
    or: { operator: 'or', precedence: 1 },
    '||': { operator: 'or', precedence: 1 },
    and: { operator: 'and', precedence: 2 },
    '&&': { operator: 'and', precedence: 2 },
    ...comparisons({ '==': '=', eq: '=', '!=': '!=', ne: '!=' }, 3),
    ...comparisons({ '<': '<', lt: '<', '<=': '<=', le: '<=', '>': '>', gt: '>', '>=': '>=', ge: '>=' }, 4),
  },
  postfix: {},
  constants: {},
  words: 'rejected',
  escapes: true,
};

/** Operators of conditions by the sign of a comparison. */
const OPERATORS_BY_SIGN: Readonly<Record<string, Operator>> = { '=': 'equals', '!=': 'not_equals', ...ORDERS };

/** Suffixes that mean the value of a question. */
const VALUE_SUFFIX = /\.(NAOK|value|code)$/i;
/** Maximum characters of a name in a message. */
const MAX_NAME = 200;
/** Maximum names without a suffix in an expression. */
const MAX_PLAIN = 50;

/**
 * Converts a relevance expression with question codes. In LimeSurvey, an expression is false if it uses a hidden
 * question by a name without a suffix such as `.NAOK`. Throws `NotConvertedError`.
 */
function toFormula(text: string, variables: Variables, visibility: Visibility): Formula {
  const expression = parseExpression(text, SYNTAX);
  const formula = convert(expression, variables);
  const plainNames = [...variablesOf(expression)].filter((name) => !VALUE_SUFFIX.test(name));
  if (plainNames.length > MAX_PLAIN) throw new NotConvertedError(`it uses more than ${MAX_PLAIN} questions`);
  const conditions = plainNames.flatMap((name) => {
    const { question } = find(name, variables);
    // A hidden question has no answer. If the formula is false without this answer, it needs no further condition.
    if (withoutAnswer(formula, question.id) === false) return [];
    const shown = visibility.of(question.id);
    if (shown === undefined) throw new NotConvertedError(`the conditions of ${name} are unknown`);
    return [shown];
  });
  return conditions.length === 0 ? formula : all(...conditions, formula);
}

/** The value of the formula if a question is not answered; undefined if it depends on other answers. */
function withoutAnswer(formula: Formula, questionId: string): boolean | undefined {
  const unanswered = mapConditions(formula, (one) =>
    one.source === questionId
      ? constant(OPERATORS[one.operator].whenUnanswered)
      : { kind: 'condition', condition: one },
  );
  return constantOf(unanswered);
}

function convert(expression: Expression, variables: Variables): Formula {
  switch (expression.kind) {
    case 'literal':
      return constant(isTrue(expression.value));
    case 'variable':
      return compare(find(expression.name, variables), '!=', '');
    case 'unary':
      if (expression.operator === 'not') return not(convert(expression.operand, variables));
      break;
    case 'call':
      if (expression.name === 'is_empty' && expression.args[0]?.kind === 'variable' && expression.args.length === 1) {
        return compare(find(expression.args[0].name, variables), '=', '');
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
  // All other binary operators of the syntax are comparisons.
  const [one, other] = [literalOf(left), literalOf(right)];
  if (one !== undefined && other !== undefined) return constant(compareValues(String(one), operator, other));
  if (left.kind === 'variable' && other !== undefined) return compare(find(left.name, variables), operator, other);
  if (right.kind === 'variable' && one !== undefined)
    return compare(find(right.name, variables), FLIPPED[operator] ?? operator, one);
  throw new NotConvertedError('it compares with something that is not a constant');
}

function compare({ question, option }: Variable, sign: string, value: Value): Formula {
  if (option !== undefined) {
    const [chosen, without] = ['Y', ''].map((state) => compareValues(state, sign, value));
    if (chosen === without) return constant(chosen === true);
    return condition(question.id, chosen === true ? 'contains' : 'not_contains', option.id);
  }
  if (question.type === 'single_choice') {
    const codes = new Map(question.options.map(({ id, code }) => [id, code]));
    if (question.allowOther) codes.set('other', '-oth-');
    return whereChosen(question.id, [...codes.keys()], (id) =>
      compareValues(id === undefined ? '' : (codes.get(id) ?? ''), sign, value),
    );
  }
  if (value === '' && sign === '=') return condition(question.id, 'is_not_answered');
  if (value === '' && sign === '!=') return condition(question.id, 'is_answered');
  return condition(question.id, OPERATORS_BY_SIGN[sign] ?? 'equals', toComparable(question, sign, value));
}

function toComparable({ type, format, variable }: Variable['question'], sign: string, value: Value): Value {
  if (type === 'rating' || format === 'number' || format === 'integer') {
    const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
    if (Number.isNaN(number)) throw new NotConvertedError(`${variable} is a number and is compared with a text`);
    return number;
  }
  const isText = type === 'text' || type === 'textarea';
  if (isText && (sign === '=' || sign === '!=')) return String(value);
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
    const { value } = expression.operand;
    const number = typeof value === 'boolean' ? Number(value) : numberOf(value);
    return number === undefined ? undefined : -number;
  }
  if (expression.kind !== 'literal') return undefined;
  return typeof expression.value === 'boolean' ? Number(expression.value) : expression.value;
}

/** Truthiness as in PHP, where `'0.0'` is true. */
function isTrue(value: string | number | boolean): boolean {
  return value !== '0' && Boolean(value);
}

/** Replaces numeric names such as `282267X2473X22829SQ1` by question codes. Throws `NotConvertedError`. */
function withQuestionCodes(text: string, variables: Variables): string {
  checkLength(text);
  // A text without its end goes to the end of the expression, so that it is searched once. It cannot be converted.
  return text.replaceAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|'(?:[^'\\]|\\.)*(?:'|\\?$)|\b\d+X\d+X\w+/gs, (found) =>
    /^\d/.test(found) ? variables.codeOf(found) : found,
  );
}

function comparisons(names: Readonly<Record<string, string>>, precedence: number) {
  return Object.fromEntries(Object.entries(names).map(([name, operator]) => [name, { operator, precedence }]));
}

/** A variable of expressions: the answer to a question, or whether an option is chosen. */
interface Variable {
  readonly question: IndexedQuestion;
  readonly option: WordedOption | undefined;
}

interface Variables {
  /** The variable with a name; undefined if no condition can test it, such as a row of a table. */
  find(name: string): Variable | undefined;
  /**
   * The name of the variable for a database column, such as `12X3X45SQ1` or `Q45_S67`. Throws `NotConvertedError` if
   * there is no such question.
   */
  codeOf(field: string): string;
  /** The name of the variable for an option of a multiple choice, by the database column of the question. */
  choiceOf(field: string, option: string): string | undefined;
}

function createVariables(index: readonly IndexedQuestion[]): Variables {
  const variables = new Map<string, Variable>();
  for (const question of index) {
    const isList = question.type === 'multiple_choice';
    if (!isList && question.rows.length === 0) variables.set(question.variable, { question, option: undefined });
    for (const option of isList ? question.options : []) {
      variables.set(`${question.variable}_${option.code}`, { question, option });
    }
  }
  const toColumnName = createToColumnName(index);
  const nameOf = (field: string) => {
    const name = toColumnName(field);
    return name === field ? undefined : toVariable(name);
  };
  return {
    find: (name) => variables.get(name),
    codeOf(field) {
      const name = nameOf(field);
      if (name === undefined) throw new NotConvertedError(`there is no question ${field.slice(0, MAX_NAME)}`);
      return name;
    },
    choiceOf(field, option) {
      const question = nameOf(field);
      const name = `${question}_${option}`;
      return question === undefined || variables.get(name)?.option === undefined ? undefined : name;
    },
  };
}

type Value = string | number;

/**
 * Compares like LimeSurvey: as numbers if both are numbers, otherwise as texts. An empty answer is neither less nor
 * greater.
 */
function compareValues(answer: string, sign: string, value: Value): boolean {
  const [one, other] = [numberOf(answer), numberOf(value)];
  if (one !== undefined && other !== undefined) return compareBySign(one, sign, other);
  const text = String(value);
  const isOrder = sign !== '=' && sign !== '!=';
  return isOrder && (answer === '') !== (text === '') ? false : compareBySign(answer, sign, text);
}

function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  return /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)\s*$/.test(value) ? Number(value) : undefined;
}
