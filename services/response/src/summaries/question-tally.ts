import type { AnswerValue } from '@survey/questionnaire/answers/answer-value';
import type { Countable } from '@survey/questionnaire/answers/countable';
import type { CountedQuestion } from '@survey/questionnaire/compile';
import { createNumberTally, type DistinctBudget, type NumberTally } from './number-tally.ts';
import { createOptionTally, type OptionTally, type UnchosenBudget } from './option-tally.ts';
import { createRowTally, type RowTally } from './row-tally.ts';
import type { Counts, QuestionSummary } from './summary.ts';

/** Counts the answers to a question, in all versions of the survey that contain it. */
export interface QuestionTally {
  readonly answered: number;
  readonly counted: KindTally;
  /** Memory, in map entries. */
  readonly size: number;
  /** Lists the options and rows of a version. Call it for the latest version first. */
  list(countable: Countable, budget: UnchosenBudget): void;
  /** @param countable the question in the version that was answered */
  add(answer: AnswerValue, countable: Countable): void;
  merge(other: QuestionTally): void;
  /** @param responses number of completed responses */
  summary(responses: number): QuestionSummary;
}

/** Size of a tally without entries. */
const BASE_SIZE = 15;

/** The counts for a kind of question. Answers of another kind, from earlier versions, are only counted as answered. */
type KindTally =
  | { readonly kind: 'choices'; readonly tally: OptionTally }
  | { readonly kind: 'numbers'; readonly tally: NumberTally }
  | { readonly kind: 'rows'; readonly tally: RowTally }
  | { readonly kind: 'presence' };

/** @param question in the latest version that contains it */
export function createQuestionTally({ id, type, countable }: CountedQuestion, distinct: DistinctBudget): QuestionTally {
  const counted = kinds[countable.kind](distinct);
  let answered = 0;

  return {
    get answered() {
      return answered;
    },
    counted,
    get size() {
      return BASE_SIZE + entriesOf(counted);
    },

    list(asked, budget) {
      if (counted.kind === 'choices' && asked.kind === 'choices') counted.tally.list(asked.options, budget);
      if (counted.kind === 'rows' && asked.kind === 'rows') counted.tally.list(asked.rows, asked.options, budget);
    },

    add(answer, asked) {
      answered += 1;
      if (counted.kind === 'choices' && asked.kind === 'choices') counted.tally.add(asked.chosen(answer));
      if (counted.kind === 'numbers' && asked.kind === 'numbers') counted.tally.add(asked.toNumber(answer));
      if (counted.kind === 'rows' && asked.kind === 'rows') counted.tally.add(asked.chosenByRow(answer));
    },

    merge(other) {
      answered += other.answered;
      if (counted.kind === 'choices' && other.counted.kind === 'choices') counted.tally.merge(other.counted.tally);
      if (counted.kind === 'numbers' && other.counted.kind === 'numbers') counted.tally.merge(other.counted.tally);
      if (counted.kind === 'rows' && other.counted.kind === 'rows') counted.tally.merge(other.counted.tally);
    },

    summary: (responses) => ({
      questionId: id,
      type,
      answered,
      skipped: responses - answered,
      ...countsOf(counted, answered),
    }),
  };
}

const kinds: Readonly<Record<Countable['kind'], (distinct: DistinctBudget) => KindTally>> = {
  choices: () => ({ kind: 'choices', tally: createOptionTally() }),
  numbers: (distinct) => ({ kind: 'numbers', tally: createNumberTally(distinct) }),
  rows: () => ({ kind: 'rows', tally: createRowTally() }),
  presence: () => ({ kind: 'presence' }),
};

function countsOf(counted: KindTally, answered: number): Counts {
  if (counted.kind === 'choices') return { options: counted.tally.summary(answered) };
  if (counted.kind === 'numbers') return { numbers: counted.tally.summary() };
  if (counted.kind === 'rows') return { rows: counted.tally.summary() };
  return {};
}

function entriesOf(counted: KindTally): number {
  if (counted.kind === 'choices') return counted.tally.counts.size;
  if (counted.kind === 'numbers') return counted.tally.counted.frequencies?.size ?? 0;
  if (counted.kind === 'rows')
    return counted.tally.rows.values().reduce((sum, { options }) => sum + options.counts.size, 0);
  return 0;
}
