import fc from 'fast-check';
import type { Operator } from '../../logic/operators.ts';
import { QUESTION_KINDS, type QuestionKind } from './question-kinds.ts';

/**
 * Random surveys, from which tests make a definition of this platform and a survey of survey-core. Both must judge the
 * same answers alike.
 */
export interface PlainSurvey {
  readonly questions: readonly PlainQuestion[];
  readonly rules: readonly PlainRule[];
}

export interface PlainQuestion {
  readonly id: string;
  readonly kind: QuestionKind;
  readonly required: boolean;
}

export interface PlainCondition {
  readonly source: string;
  readonly operator: Operator;
  readonly value: unknown;
}

/** A rule, independent of the form in which a definition has it. */
export interface PlainRule {
  readonly action: 'show' | 'hide' | 'require' | 'disqualify' | 'skip';
  readonly match: 'all' | 'any';
  readonly conditions: readonly PlainCondition[];
  /** The affected questions; for a skip, the skipped ones. */
  readonly targets: readonly string[];
  /** The form of the logic entry in our definition. */
  readonly form: 'long' | 'short';
}

/** By question id, an index into the answers of the question's kind. */
export type PlainAnswers = ReadonlyMap<string, number>;

const COUNT = 6;
const ids = Array.from({ length: COUNT }, (_, index) => `q${index}`);

const questions = fc.tuple(
  ...ids.map((id) =>
    fc.record({ id: fc.constant(id), kind: fc.constantFrom(...Object.values(QUESTION_KINDS)), required: fc.boolean() }),
  ),
);

function conditionOn({ id, kind }: PlainQuestion): fc.Arbitrary<PlainCondition> {
  return fc
    .constantFrom(...kind.operators)
    .chain(([operator, values]) => fc.constantFrom(...values).map((value) => ({ source: id, operator, value })));
}

/** A rule whose sources all precede its targets in `order`, so rules make no cycle. */
function ruleOf(survey: readonly PlainQuestion[], order: readonly number[]): fc.Arbitrary<PlainRule> {
  return fc
    .record({
      action: fc.constantFrom('show', 'show', 'hide', 'require', 'disqualify', 'skip'),
      match: fc.constantFrom('all', 'any'),
      form: fc.constantFrom('long', 'short'),
      cut: fc.integer({ min: 1, max: COUNT - 1 }),
    })
    .chain(({ action, match, form, cut }) => {
      const earlier = order.slice(0, cut).flatMap((position) => survey.slice(position, position + 1));
      const conditions = fc.array(
        fc.constantFrom(...earlier).chain((question) => conditionOn(question)),
        { minLength: 1, maxLength: 3 },
      );
      return fc
        .record({ conditions, targets: targetsOf(action, order.slice(cut)) })
        .map(({ conditions, targets }): PlainRule => ({ action, match, form, conditions, targets }));
    });
}

function targetsOf(action: PlainRule['action'], later: readonly number[]): fc.Arbitrary<readonly string[]> {
  if (action === 'disqualify') return fc.constant([]);
  const singleTarget = fc.constantFrom(...later).map((position) => [`q${position}`]);
  if (action !== 'skip')
    return fc.oneof(
      singleTarget,
      fc.shuffledSubarray(
        later.map((position) => `q${position}`),
        { minLength: 1 },
      ),
    );
  // A skip hides consecutive questions between two others.
  return fc.constantFrom(...later, -1).map((first) => {
    const skipped: string[] = [];
    for (let position = first; position > 0 && position < COUNT - 1 && later.includes(position); position++) {
      skipped.push(`q${position}`);
    }
    return skipped;
  });
}

export const plainSurvey: fc.Arbitrary<PlainSurvey> = fc
  .tuple(questions, fc.shuffledSubarray([...ids.keys()], { minLength: COUNT }))
  .chain(([survey, order]) =>
    fc.array(ruleOf(survey, order), { maxLength: 8 }).map((rules) => ({
      questions: survey,
      rules: rules.filter(({ action, targets }) => action === 'disqualify' || targets.length > 0),
    })),
  );

export const plainAnswers: fc.Arbitrary<PlainAnswers> = fc
  .subarray(ids)
  .chain((answered) =>
    fc
      .array(fc.nat(11), { minLength: answered.length, maxLength: answered.length })
      .map((choices) => new Map(answered.map((id, index) => [id, choices[index] ?? 0]))),
  );

export function answerOf({ id, kind }: PlainQuestion, answers: PlainAnswers) {
  const choice = answers.get(id);
  return choice === undefined ? undefined : kind.answers[choice % kind.answers.length];
}
