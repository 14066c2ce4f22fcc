import type { AnswerValue } from '@survey/questionnaire/answers/answer-value';
import type { Countable } from '@survey/questionnaire/answers/countable';
import type { CountedQuestion } from '@survey/questionnaire/compiled-definition';
import { createNumberTally, type DistinctBudget, type NumberTally } from './number-tally.ts';
import { createOptionTally, type OptionTally, type UnchosenOptionBudget } from './option-tally.ts';
import { createRowTally, type RowTally } from './row-tally.ts';
import type { Counts, QuestionSummary } from './summary.ts';

/** Counts the answers to a question, in all versions of the survey that contain it. */
export interface QuestionTally {
  readonly answered: number;
  readonly kindTally: KindTally;
  /** Memory, in map entries. */
  readonly size: number;
  /** Adds the options and rows of a version with a count of 0. Call it for the latest version first. */
  addUnchosen(countable: Countable, budget: UnchosenOptionBudget): void;
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
  const kindTally = kinds[countable.kind](distinct);
  let answered = 0;

  return {
    get answered() {
      return answered;
    },
    kindTally,
    get size() {
      return BASE_SIZE + entriesOf(kindTally);
    },

    addUnchosen(inVersion, budget) {
      if (kindTally.kind === 'choices' && inVersion.kind === 'choices')
        kindTally.tally.addUnchosen(inVersion.options, budget);
      if (kindTally.kind === 'rows' && inVersion.kind === 'rows')
        kindTally.tally.addUnchosen(inVersion.rows, inVersion.options, budget);
    },

    add(answer, inVersion) {
      answered += 1;
      if (kindTally.kind === 'choices' && inVersion.kind === 'choices') kindTally.tally.add(inVersion.chosen(answer));
      if (kindTally.kind === 'numbers' && inVersion.kind === 'numbers') kindTally.tally.add(inVersion.toNumber(answer));
      if (kindTally.kind === 'rows' && inVersion.kind === 'rows') kindTally.tally.add(inVersion.chosenByRow(answer));
    },

    merge(other) {
      answered += other.answered;
      if (kindTally.kind === 'choices' && other.kindTally.kind === 'choices')
        kindTally.tally.merge(other.kindTally.tally);
      if (kindTally.kind === 'numbers' && other.kindTally.kind === 'numbers')
        kindTally.tally.merge(other.kindTally.tally);
      if (kindTally.kind === 'rows' && other.kindTally.kind === 'rows') kindTally.tally.merge(other.kindTally.tally);
    },

    summary: (responses) => ({
      questionId: id,
      type,
      answered,
      skipped: responses - answered,
      ...countsOf(kindTally, answered),
    }),
  };
}

const kinds: Readonly<Record<Countable['kind'], (distinct: DistinctBudget) => KindTally>> = {
  choices: () => ({ kind: 'choices', tally: createOptionTally() }),
  numbers: (distinct) => ({ kind: 'numbers', tally: createNumberTally(distinct) }),
  rows: () => ({ kind: 'rows', tally: createRowTally() }),
  presence: () => ({ kind: 'presence' }),
};

function countsOf(kindTally: KindTally, answered: number): Counts {
  if (kindTally.kind === 'choices') return { options: kindTally.tally.summary(answered) };
  if (kindTally.kind === 'numbers') return { numbers: kindTally.tally.summary() };
  if (kindTally.kind === 'rows') return { rows: kindTally.tally.summary() };
  return {};
}

function entriesOf(kindTally: KindTally): number {
  if (kindTally.kind === 'choices') return kindTally.tally.counts.size;
  if (kindTally.kind === 'numbers') return kindTally.tally.counted.frequencies?.size ?? 0;
  if (kindTally.kind === 'rows')
    return kindTally.tally.rows.values().reduce((sum, { options }) => sum + options.counts.size, 0);
  return 0;
}
