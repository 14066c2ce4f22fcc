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
import type { WarnOnce } from '../files/report.ts';
import { OTHER_CODE } from './answers.ts';
import type { LssGroup, LssQuestion, LssRow, LssSurvey } from './document.ts';
import { createToColumnName, type IndexedQuestion, indexQuestions, OTHER_COLUMN, toVariable } from './headers.ts';
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

/**
 * Adds all logic: relevance of groups and questions, conditions, and comments of choices.
 *
 * Logic names answers in four ways:
 * - field, a database column: `12X3X45SQ1`, or `Q45_S67` since LimeSurvey 7. Conditions of older surveys have fields.
 * - column, in an export of responses: `Q1[SQ1]`. A field is first converted to a column.
 * - variable, in an expression: `Q1_SQ1`.
 * - variable with a suffix, in an expression: `Q1_SQ1.NAOK`. The suffix says what is meant, such as the value.
 */
export function addLogic(
  converted: readonly ConvertedQuestion[],
  survey: LssSurvey,
  draft: SurveyDraft,
  warnOnce: WarnOnce,
): void {
  const index = indexQuestions(draft.payload());
  const variables = createVariables(index, survey.settings?.get('assessments') === 'Y');
  const byId = new Map(index.map((question) => [question.id, question]));
  const conditions = Map.groupBy(survey.conditions, (row) => row.get('qid'));
  const visibility = createVisibility();

  function addRule(at: string, source: JsonValue, questions: readonly string[], convert: () => Formula): void {
    if (questions.length === 0) return;
    // The draft calls each `when` once, in the order of the rules. So `visibility` has the rules for earlier questions.
    // If the conditions of the survey are too long, the draft calls neither this `when` nor a later one.
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

  /** Warns that texts have logic. A text is part of the description of its page, so it has no condition of its own. */
  function warnOfTexts(at: string, questions: readonly ConvertedQuestion[]): void {
    if (!questions.some(({ question }) => question.type === 'X')) return;
    const detail = 'Logic of texts is not converted; they are always shown';
    warnOnce('logic of texts', { path: at, code: 'LOGIC_NOT_CONVERTED', detail });
  }

  for (const [group, inGroup] of Map.groupBy(converted, (one) => one.group)) {
    const relevance = group.relevance.trim();
    if (!NO_CONDITION.includes(relevance)) {
      const ids = inGroup.flatMap(({ parts }) => parts.map(({ id }) => id));
      const convert = () => toFormula(withVariables(relevance, variables), variables, visibility);
      const path = `${group.row.path}/grelevance`;
      if (ids.length === 0) warnOfTexts(path, inGroup);
      addRule(path, relevance, ids, convert);
    }
    for (const one of inGroup) {
      const { question, parts } = one;
      const ids = parts.map(({ id }) => id);
      const { path, source, toText } = relevanceOf(question, conditions.get(question.qid) ?? [], variables);
      if (!NO_CONDITION.includes(source)) {
        warnOfTexts(path, [one]);
        addRule(path, source, ids, () => toFormula(toText(), variables, visibility));
      }
      const choiceQuestion = byId.get(ids[0] ?? '');
      for (const { id, choice } of parts) {
        const when = choice === undefined ? undefined : whereChoiceChosen(choiceQuestion, choice);
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
  /** The expression as in the file. If conditions became this expression, it has their fields. */
  readonly source: string;
  /** The expression with variables in place of fields. Throws `NotConvertedError`. */
  toText(): string;
}

function relevanceOf({ row }: LssQuestion, conditions: readonly LssRow[], variables: Variables): Relevance {
  const relevance = row.get('relevance').trim();
  const [first] = conditions;
  if (!NO_CONDITION.includes(relevance) || first === undefined) {
    const toText = () => withVariables(relevance, variables);
    return { path: `${row.path}/relevance`, source: relevance, toText };
  }
  return {
    path: first.path,
    source: toExpression(conditions, variables, (field) => field),
    toText: () => toExpression(conditions, variables, (field) => variables.ofField(field)),
  };
}

/** The condition for showing the comment on a choice: the choice is chosen. Undefined if the choice is unknown. */
function whereChoiceChosen(question: IndexedQuestion | undefined, choice: string): Formula | undefined {
  if (question === undefined) return undefined;
  if (isOnlyOther(question)) return condition(question.id, 'is_answered');
  const id =
    choice === 'other' && question.allowOther ? choice : question.options.find(({ code }) => code === choice)?.id;
  return id === undefined ? undefined : condition(question.id, 'contains', id);
}

/**
 * Converts the conditions of older surveys to an expression. In a scenario, conditions on the same question are
 * alternatives; conditions on different questions must all hold. Scenarios are alternatives.
 */
function toExpression(conditions: readonly LssRow[], variables: Variables, nameField: NameField): string {
  const scenarios = [...Map.groupBy(conditions, (row) => row.get('scenario')).values()].map((inScenario) =>
    [...Map.groupBy(inScenario, (row) => row.get('cfieldname')).values()]
      .map((onQuestion) => `(${onQuestion.map((row) => toComparison(row, variables, nameField)).join(' or ')})`)
      .join(' and '),
  );
  return scenarios.map((scenario) => `(${scenario})`).join(' or ');
}

/** The name of a field in an expression. */
type NameField = (field: string) => string;

function toComparison(row: LssRow, variables: Variables, nameField: NameField): string {
  const method = row.get('method').trim() || '==';
  const field = row.get('cfieldname').replace(/^\+/, '');
  const written = row.get('value');
  const choice = variables.ofChoice(field, written);
  if (choice !== undefined) return `${choice}.NAOK ${method} "Y"`;
  const name = nameField(field);
  // An empty value means "no answer".
  if (written.trim() === '' && method === '==') return `is_empty(${name}.NAOK)`;
  if (written.trim() === '' && method === '!=') return `!is_empty(${name}.NAOK)`;
  const inside = written.slice(1, -1);
  // A value such as @1X2X3@ refers to another answer. `toFormula` rejects this, with the expression in the warning.
  if (/^@.*@$/.test(written)) return `${name}.NAOK ${method} ${nameField(inside)}.NAOK`;
  // A value in braces, such as {TOKEN:FIRSTNAME}, is an expression.
  if (/^\{.+\}$/.test(written)) return `${name}.NAOK ${method} ${inside}`;
  return `${name}.NAOK ${method} "${written.replaceAll(/["\\]/g, '\\$&')}"`;
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
const VALUE_SUFFIX = /\.(NAOK|valueNAOK|value|code)$/i;
/** Suffixes that allow a hidden question, which has an empty value then. */
const NAOK_SUFFIX = /\.(?:value)?NAOK$/i;
/** Maximum characters of a name in a message. */
const MAX_NAME = 200;
/** Maximum names in an expression that need a shown question. */
const MAX_STRICT = 50;

/**
 * Converts a relevance expression with variables. In LimeSurvey, an expression is false if it uses a hidden question,
 * unless its name ends with `.NAOK`. Throws `NotConvertedError`.
 */
function toFormula(text: string, variables: Variables, visibility: Visibility): Formula {
  const expression = parseExpression(text, SYNTAX);
  const formula = convert(expression, variables);
  const strictNames = [...variablesOf(expression)].filter((name) => !NAOK_SUFFIX.test(name));
  if (strictNames.length > MAX_STRICT) throw new NotConvertedError(`it uses more than ${MAX_STRICT} questions`);
  const conditions = strictNames.flatMap((name) => {
    const { question } = variableOf(name, variables);
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
      return whereTrue(variableOf(expression.name, variables));
    case 'unary':
      if (expression.operator === 'not') return not(convert(expression.operand, variables));
      break;
    case 'call':
      if (expression.name === 'is_empty' && expression.args[0]?.kind === 'variable' && expression.args.length === 1) {
        return toComparisonFormula(variableOf(expression.args[0].name, variables), '=', '');
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
  if (left.kind === 'variable' && other !== undefined) {
    return toComparisonFormula(variableOf(left.name, variables), operator, other);
  }
  if (right.kind === 'variable' && one !== undefined) {
    return toComparisonFormula(variableOf(right.name, variables), FLIPPED[operator] ?? operator, one);
  }
  throw new NotConvertedError('it compares with something that is not a constant');
}

/** The formula for a variable as a condition of its own: its value is true. */
function whereTrue(variable: Variable): Formula {
  const { question } = variable;
  const answered = condition(question.id, 'is_answered');
  const differsFrom = (value: Value) => all(answered, condition(question.id, 'not_equals', value));
  const ofCodes = whereCode(variable, isTrue);
  if (ofCodes !== undefined) return ofCodes;
  if (isNumber(question)) return differsFrom(0);
  return isText(question) ? differsFrom('0') : answered;
}

function toComparisonFormula(variable: Variable, sign: string, value: Value): Formula {
  const ofCodes = whereCode(variable, (code) => compareValues(code, sign, value));
  if (ofCodes !== undefined) return ofCodes;
  const { question } = variable;
  if (value === '' && sign === '=') return condition(question.id, 'is_not_answered');
  if (value === '' && sign === '!=') return condition(question.id, 'is_answered');
  return condition(question.id, OPERATORS_BY_SIGN[sign] ?? 'equals', toComparable(question, sign, value));
}

/** The formula for a predicate on the code of a choice, which is empty without an answer; undefined for others. */
function whereCode({ question, kind, option }: Variable, holds: (code: string) => boolean): Formula | undefined {
  const whereEither = (code: string, chosen: Formula, notChosen: Formula) => {
    if (holds(code) === holds('')) return constant(holds(code));
    return holds(code) ? chosen : notChosen;
  };
  if (kind === 'option') {
    return whereEither(
      'Y',
      condition(question.id, 'contains', option.id),
      condition(question.id, 'not_contains', option.id),
    );
  }
  if (kind === 'other_code') {
    return whereEither(OTHER_CODE, condition(question.id, 'is_answered'), condition(question.id, 'is_not_answered'));
  }
  if (question.type !== 'single_choice') return undefined;
  const codes = new Map(question.options.map(({ id, code }) => [id, code]));
  if (question.allowOther) codes.set('other', OTHER_CODE);
  return whereChosen(question.id, [...codes.keys()], (id) => holds(id === undefined ? '' : (codes.get(id) ?? '')));
}

function toComparable(question: IndexedQuestion, sign: string, value: Value): Value {
  const { type, variable } = question;
  if (isNumber(question)) {
    const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
    if (Number.isNaN(number)) throw new NotConvertedError(`${variable} is a number and is compared with a text`);
    return number;
  }
  if (isText(question) && (sign === '=' || sign === '!=')) return String(value);
  if (type === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(String(value))) return value;
  throw new NotConvertedError(`answers to ${variable} cannot be compared with ${value}`);
}

function isNumber({ type, format }: IndexedQuestion): boolean {
  return type === 'rating' || format === 'number' || format === 'integer';
}

function isText({ type }: IndexedQuestion): boolean {
  return type === 'text' || type === 'textarea';
}

function variableOf(name: string, variables: Variables): Variable {
  const found = variables.find(name.replace(VALUE_SUFFIX, ''));
  if (found === undefined) throw new NotConvertedError(`${name} is not a question that a condition can test`);
  if (variables.haveAssessments && /\.value(?:NAOK)?$/i.test(name) && found.question.type === 'single_choice') {
    throw new NotConvertedError(`${name} is an assessment value`);
  }
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

/** Replaces fields such as `282267X2473X22829SQ1` by variables. Throws `NotConvertedError`. */
function withVariables(text: string, variables: Variables): string {
  checkLength(text);
  // A text without a closing quote takes the rest of the expression, so each character is searched once. The parser
  // rejects such an expression.
  return text.replaceAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|'(?:[^'\\]|\\.)*(?:'|\\?$)|\b\d+X\d+X\w+/gs, (found) =>
    /^\d/.test(found) ? variables.ofField(found) : found,
  );
}

function comparisons(names: Readonly<Record<string, string>>, precedence: number) {
  return Object.fromEntries(Object.entries(names).map(([name, operator]) => [name, { operator, precedence }]));
}

/**
 * A variable of expressions:
 * - `answer`: the answer to a question
 * - `option`: `Y` if an option of a multiple choice is chosen
 * - `other_code`: `-oth-` if a choice whose only option is `other` is answered. It is converted to a text question.
 */
type Variable =
  | { readonly kind: 'answer' | 'other_code'; readonly question: IndexedQuestion; readonly option?: undefined }
  | { readonly kind: 'option'; readonly question: IndexedQuestion; readonly option: WordedOption };

interface Variables {
  /** The variable with a name; undefined if no condition can test it, such as a row of a table. */
  find(name: string): Variable | undefined;
  /** The name of the variable of a field. Throws `NotConvertedError` if there is no such question. */
  ofField(field: string): string;
  /** The name of the variable of an option, by the field of its multiple choice; undefined if there is none. */
  ofChoice(field: string, option: string): string | undefined;
  /** Whether `.value` means the assessment value of a choice. */
  readonly haveAssessments: boolean;
}

function createVariables(index: readonly IndexedQuestion[], haveAssessments: boolean): Variables {
  const variables = new Map<string, Variable>();
  for (const question of index) {
    const { type, variable, sourceId, rows, options } = question;
    if (type === 'multiple_choice') {
      for (const option of options) variables.set(`${variable}_${option.code}`, { kind: 'option', question, option });
    } else if (isOnlyOther(question)) {
      variables.set(toVariable(sourceId), { kind: 'answer', question });
      if (!MULTIPLE_TYPES.includes(question.letter)) variables.set(variable, { kind: 'other_code', question });
    } else if (rows.length === 0) variables.set(variable, { kind: 'answer', question });
  }
  const toColumnName = createToColumnName(index);
  const findName = (field: string) => {
    const column = toColumnName(field);
    return column === field ? undefined : toVariable(column);
  };
  return {
    haveAssessments,
    find: (name) => variables.get(name),
    ofField(field) {
      const name = findName(field);
      if (name === undefined) throw new NotConvertedError(`there is no question ${field.slice(0, MAX_NAME)}`);
      return name;
    },
    ofChoice(field, option) {
      const question = findName(field);
      const name = `${question}_${option}`;
      return question === undefined || variables.get(name)?.kind !== 'option' ? undefined : name;
    },
  };
}

/** Question types with several choices. They have a variable for each choice, but none for the question. */
const MULTIPLE_TYPES: readonly string[] = ['M', 'P'];

/** Whether a question is made of a choice whose only option is `other`. */
function isOnlyOther({ sourceId }: IndexedQuestion): boolean {
  return sourceId.endsWith(OTHER_COLUMN);
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
