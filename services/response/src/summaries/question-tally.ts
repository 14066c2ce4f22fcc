import type { AnswerValue } from '@survey/questionnaire/answers/answer-value';
import type { Countable } from '@survey/questionnaire/answers/countable';
import type { CountedQuestion } from '@survey/questionnaire/compile';
import { createNumberTally, type Distinct, type NumberTally } from './number-tally.ts';
import { createOptionTally, type OptionTally, type Unchosen } from './option-tally.ts';
import { createRowTally, type RowTally } from './row-tally.ts';
import type { Counts, QuestionSummary } from './summary.ts';

/** Counts the answers to a question in all versions of the survey that have it. */
export interface QuestionTally {
  readonly answered: number;
  readonly counted: KindTally;
  /** Memory that it takes, in entries of maps. */
  readonly size: number;
  /** Takes in what a version has of it: the latest first, and then what earlier ones have more. */
  list(countable: Countable, unchosen: Unchosen): void;
  /** @param countable of the question in the version that the answer was given to */
  add(answer: AnswerValue, countable: Countable): void;
  /** Adds what another one counted of the same question. */
  absorb(other: QuestionTally): void;
  /** @param responses how many there are */
  summary(responses: number): QuestionSummary;
}

/** What it takes without any entry. */
const OWN_SIZE = 15;

/** What is counted in the answers of one kind. Those of another kind, from versions before, are none of it. */
type KindTally =
  | { readonly kind: 'choices'; readonly tally: OptionTally }
  | { readonly kind: 'numbers'; readonly tally: NumberTally }
  | { readonly kind: 'rows'; readonly tally: RowTally }
  | { readonly kind: 'presence' };

/** @param question as the latest version that has it */
export function createQuestionTally({ id, type, countable }: CountedQuestion, distinct: Distinct): QuestionTally {
  const counted = kinds[countable.kind](distinct);
  let answered = 0;

  return {
    get answered() {
      return answered;
    },
    counted,
    get size() {
      return OWN_SIZE + entriesOf(counted);
    },

    list(asked, unchosen) {
      if (counted.kind === 'choices' && asked.kind === 'choices') counted.tally.list(asked.options, unchosen);
      if (counted.kind === 'rows' && asked.kind === 'rows') counted.tally.list(asked.rows, asked.options, unchosen);
    },

    add(answer, asked) {
      answered += 1;
      if (counted.kind === 'choices' && asked.kind === 'choices') counted.tally.add(asked.chosen(answer));
      if (counted.kind === 'numbers' && asked.kind === 'numbers') counted.tally.add(asked.toNumber(answer));
      if (counted.kind === 'rows' && asked.kind === 'rows') counted.tally.add(asked.chosenByRow(answer));
    },

    absorb(other) {
      answered += other.answered;
      if (counted.kind === 'choices' && other.counted.kind === 'choices') counted.tally.absorb(other.counted.tally);
      if (counted.kind === 'numbers' && other.counted.kind === 'numbers') counted.tally.absorb(other.counted.tally);
      if (counted.kind === 'rows' && other.counted.kind === 'rows') counted.tally.absorb(other.counted.tally);
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

const kinds: Readonly<Record<Countable['kind'], (distinct: Distinct) => KindTally>> = {
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
  if (counted.kind === 'numbers') return counted.tally.counted.times?.size ?? 0;
  if (counted.kind === 'rows')
    return counted.tally.rows.values().reduce((sum, { options }) => sum + options.counts.size, 0);
  return 0;
}
