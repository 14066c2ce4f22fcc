import type { AnswerValue } from '@survey/questionnaire/answers/answer-value';
import type { Countable } from '@survey/questionnaire/answers/countable';
import type { CountedQuestion } from '@survey/questionnaire/compile';
import { createNumberTally, type Distinct } from './number-tally.ts';
import { createOptionTally } from './option-tally.ts';
import { createRowTally } from './row-tally.ts';
import type { Counts, QuestionSummary } from './summary.ts';

/** Counts the answers to a question in all versions of the survey that have it. */
export interface QuestionTally {
  /** Takes in what a version has of it: the latest first, and then what earlier ones have more. */
  list(countable: Countable): void;
  /** @param countable of the question in the version that the answer was given to */
  add(answer: AnswerValue, countable: Countable): void;
  /** @param responses how many there are */
  summary(responses: number): QuestionSummary;
}

/** What is counted in the answers of one kind. Those of another kind, from versions before, are none of it. */
interface KindTally {
  list(countable: Countable): void;
  add(answer: AnswerValue, countable: Countable): void;
  counts(answered: number): Counts;
}

/** @param question as the latest version that has it */
export function createQuestionTally({ id, type, countable }: CountedQuestion, distinct: Distinct): QuestionTally {
  const kind = kinds[countable.kind](distinct);
  let answered = 0;
  return {
    list: kind.list,

    add(answer, asked) {
      answered += 1;
      kind.add(answer, asked);
    },

    summary: (responses) => ({
      questionId: id,
      type,
      answered,
      skipped: responses - answered,
      ...kind.counts(answered),
    }),
  };
}

const kinds: Readonly<Record<Countable['kind'], (distinct: Distinct) => KindTally>> = {
  choices() {
    const tally = createOptionTally();
    return {
      list: (countable) => countable.kind === 'choices' && tally.list(countable.options),
      add: (answer, countable) => countable.kind === 'choices' && tally.add(countable.chosen(answer)),
      counts: (answered) => ({ options: tally.summary(answered) }),
    };
  },

  numbers(distinct) {
    const tally = createNumberTally(distinct);
    return {
      list() {},
      add: (answer, countable) => countable.kind === 'numbers' && tally.add(countable.toNumber(answer)),
      counts: () => ({ numbers: tally.summary() }),
    };
  },

  rows() {
    const tally = createRowTally();
    return {
      list: (countable) => countable.kind === 'rows' && tally.list(countable.rows, countable.options),
      add: (answer, countable) => countable.kind === 'rows' && tally.add(countable.chosenByRow(answer)),
      counts: () => ({ rows: tally.summary() }),
    };
  },

  presence: () => ({ list() {}, add() {}, counts: () => ({}) }),
};
