import { FunctionFactory, SurveyModel } from 'survey-core';
import type { Operator } from '../../logic/operators.ts';
import { answerOf, type PlainAnswers, type PlainCondition, type PlainRule, type PlainSurvey } from './plain-survey.ts';

/** The custom function for `matches`, which survey-core does not have. */
const MATCHES = 'matchesPattern';

/** Registers `MATCHES` in survey-core while `run` executes. */
export function withMatches<Result>(run: () => Result): Result {
  const { Instance: factory } = FunctionFactory;
  factory.register(MATCHES, ([text, pattern]) => typeof text === 'string' && new RegExp(String(pattern)).test(text));
  try {
    return run();
  } finally {
    factory.unregister(MATCHES);
  }
}

const EXPRESSIONS: Readonly<Record<Operator, (source: string, value: string) => string>> = {
  equals: (source, value) => `${source} = ${value}`,
  not_equals: (source, value) => `${source} <> ${value}`,
  contains: (source, value) => `${source} contains ${value}`,
  not_contains: (source, value) => `${source} notcontains ${value}`,
  in: (source, value) => `${source} anyof ${value}`,
  not_in: (source, value) => `${source} noneof ${value}`,
  greater_than: (source, value) => `${source} > ${value}`,
  greater_or_equal: (source, value) => `${source} >= ${value}`,
  less_than: (source, value) => `${source} < ${value}`,
  less_or_equal: (source, value) => `${source} <= ${value}`,
  is_answered: (source) => `${source} notempty`,
  is_not_answered: (source) => `${source} empty`,
  matches: (source, value) => `${MATCHES}(${source}, ${value})`,
};

/** Converts a condition to an expression of survey-core, such as `{q1} = 'a'`. */
export function toExpression({ source, operator, value }: PlainCondition): string {
  return EXPRESSIONS[operator](`{${source}}`, toLiteral(value));
}

function toLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(', ')}]`;
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function ruleExpression({ conditions, match }: PlainRule): string {
  return `(${conditions.map(toExpression).join(match === 'all' ? ' and ' : ' or ')})`;
}

/** Converts a plain survey to a model of survey-core. */
export function toModel({ questions, rules }: PlainSurvey): SurveyModel {
  const expressions = (id: string, ...actions: readonly PlainRule['action'][]): readonly string[] =>
    rules.filter(({ action, targets }) => actions.includes(action) && targets.includes(id)).map(ruleExpression);

  return new SurveyModel({
    elements: questions.map(({ id, kind, required }) => {
      const show = expressions(id, 'show').join(' or ');
      const visible = [
        ...(show === '' ? [] : [`(${show})`]),
        ...expressions(id, 'hide', 'skip').map((expression) => `!${expression}`),
      ];
      return {
        name: id,
        ...kind.surveyCore,
        visibleIf: visible.join(' and '),
        isRequired: required,
        requiredIf: required ? '' : expressions(id, 'require').join(' or '),
      };
    }),
  });
}

export interface OracleOutcome {
  readonly answered: readonly string[];
  /** The required questions without an answer. */
  readonly missing: readonly string[];
  readonly disqualified: boolean;
}

/**
 * Evaluates answers with survey-core, which also uses answers to hidden questions. So this function removes those until
 * nothing changes.
 */
export function evaluate(survey: PlainSurvey, model: SurveyModel, answers: PlainAnswers): OracleOutcome {
  const disqualifying = survey.rules.filter(({ action }) => action === 'disqualify').map(ruleExpression);
  let visible: ReadonlySet<string> = new Set(survey.questions.map(({ id }) => id));
  for (;;) {
    model.data = toValues(survey, answers, visible);
    const questions = model.getAllQuestions();
    const next = new Set(questions.filter((question) => question.isVisible).map(({ name }) => name));
    if (next.size === visible.size && next.isSubsetOf(visible)) {
      return {
        answered: questions.filter((question) => question.isVisible && !question.isEmpty()).map(({ name }) => name),
        missing: questions
          .filter((question) => question.isVisible && question.isRequired && question.isEmpty())
          .map(({ name }) => name),
        disqualified: disqualifying.some((expression) => model.runCondition(expression)),
      };
    }
    visible = next;
  }
}

function toValues(survey: PlainSurvey, answers: PlainAnswers, visible: ReadonlySet<string>) {
  const values: [string, unknown][] = [];
  for (const question of survey.questions) {
    const answer = visible.has(question.id) ? answerOf(question, answers) : undefined;
    if (answer !== undefined) values.push([question.id, answer.surveyCore]);
    if (answer?.comment !== undefined) values.push([`${question.id}-Comment`, answer.comment]);
  }
  return Object.fromEntries(values);
}
