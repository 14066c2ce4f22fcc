import type { AnswerValue } from '@survey/questionnaire/answers/answer-value';
import type { CountingRule } from '@survey/questionnaire/answers/counting-rule';
import type { CountedQuestion } from '@survey/questionnaire/compiled-definition';
import { createNumberTally, type DistinctBudget, type NumberTally } from './number-tally.ts';
import { createOptionTally, type OptionTally, type UnchosenOptionBudget } from './option-tally.ts';
import { createDateTally, createHourTally, type PeriodTally } from './period-tally.ts';
import { createRowTally, type RowTally } from './row-tally.ts';
import type { Counts } from './summary.ts';

/** Counts of the answers to a question, which can be merged into a tally. */
export interface QuestionCounts {
  readonly answered: number;
  /** Number of responses that were not shown the question, although their version contains it. */
  readonly hidden: number;
  readonly kindCounts: KindCounts;
  /** Memory, in map entries. */
  readonly size: number;
}

/** Counts the answers to a question, in all versions of the survey that contain it. */
export interface QuestionTally extends QuestionCounts {
  /** Adds the options, rows and numbers of a version, each with a count of 0. Call it for the latest version first. */
  addUnchosen(countingRule: CountingRule, budget: UnchosenOptionBudget): void;
  /** @param countingRule rule of the question in the version that was answered */
  add(answer: AnswerValue, countingRule: CountingRule): void;
  addHidden(): void;
  merge(other: QuestionCounts): void;
  /** Saves memory. Call it after the last addition. */
  pack(): void;
  counts(): Counts;
}

/** Size of a tally without entries. */
const BASE_SIZE = 15;

/** The counts for a kind of question. Answers of another kind, from earlier versions, are only counted as answered. */
type KindTally =
  | { readonly kind: 'choices'; readonly tally: OptionTally }
  | { readonly kind: 'numbers'; readonly tally: NumberTally }
  | { readonly kind: 'rows'; readonly tally: RowTally }
  | { readonly kind: 'dates' | 'times'; readonly tally: PeriodTally }
  | { readonly kind: 'files'; readonly tally: { count: number } }
  | { readonly kind: 'presence' };

/** The part of a `KindTally` that is merged. */
export type KindCounts =
  | { readonly kind: 'choices'; readonly tally: Pick<OptionTally, 'counts'> }
  | { readonly kind: 'numbers'; readonly tally: Pick<NumberTally, 'counted'> }
  | { readonly kind: 'rows'; readonly tally: Pick<RowTally, 'rows'> }
  | { readonly kind: 'dates' | 'times'; readonly tally: Pick<PeriodTally, 'counts'> }
  | { readonly kind: 'files'; readonly tally: { readonly count: number } }
  | { readonly kind: 'presence' };

/** Adds the size to stored counts. */
export function toQuestionCounts(counts: Omit<QuestionCounts, 'size'>): QuestionCounts {
  return { ...counts, size: BASE_SIZE + entriesOf(counts.kindCounts) };
}

/** @param countingRule in the latest version that contains the question */
export function createQuestionTally({ countingRule }: CountedQuestion, distinct: DistinctBudget): QuestionTally {
  const kindTally = kinds[countingRule.kind](distinct);
  let [answered, hidden] = [0, 0];

  return {
    get answered() {
      return answered;
    },
    get hidden() {
      return hidden;
    },
    kindCounts: kindTally,
    get size() {
      return BASE_SIZE + entriesOf(kindTally);
    },

    addUnchosen(inVersion, budget) {
      if (kindTally.kind === 'choices' && inVersion.kind === 'choices')
        kindTally.tally.addUnchosen(inVersion.options, budget);
      if (kindTally.kind === 'rows' && inVersion.kind === 'rows')
        kindTally.tally.addUnchosen(inVersion.rows, inVersion.options, budget);
      if (kindTally.kind === 'numbers' && inVersion.kind === 'numbers') kindTally.tally.addScale(inVersion.scale);
    },

    add(answer, inVersion) {
      answered += 1;
      addTo(kindTally, answer, inVersion);
    },

    addHidden() {
      hidden += 1;
    },

    merge(other) {
      answered += other.answered;
      hidden += other.hidden;
      mergeInto(kindTally, other.kindCounts);
    },

    pack() {
      if (kindTally.kind === 'dates' || kindTally.kind === 'times') kindTally.tally.counts.pack();
    },

    counts: () => countsOf(kindTally, answered),
  };
}

const kinds: Readonly<Record<CountingRule['kind'], (distinct: DistinctBudget) => KindTally>> = {
  choices: () => ({ kind: 'choices', tally: createOptionTally() }),
  numbers: (distinct) => ({ kind: 'numbers', tally: createNumberTally(distinct) }),
  rows: () => ({ kind: 'rows', tally: createRowTally() }),
  dates: () => ({ kind: 'dates', tally: createDateTally() }),
  times: () => ({ kind: 'times', tally: createHourTally() }),
  files: () => ({ kind: 'files', tally: { count: 0 } }),
  presence: () => ({ kind: 'presence' }),
};

function addTo(kindTally: KindTally, answer: AnswerValue, countingRule: CountingRule): void {
  if (kindTally.kind === 'choices' && countingRule.kind === 'choices') kindTally.tally.add(countingRule.chosen(answer));
  if (kindTally.kind === 'numbers' && countingRule.kind === 'numbers')
    kindTally.tally.add(countingRule.toNumber(answer));
  if (kindTally.kind === 'rows' && countingRule.kind === 'rows') kindTally.tally.add(countingRule.chosenByRow(answer));
  if (kindTally.kind === 'dates' && countingRule.kind === 'dates') kindTally.tally.add(String(answer));
  if (kindTally.kind === 'times' && countingRule.kind === 'times') kindTally.tally.add(String(answer));
  if (kindTally.kind === 'files' && countingRule.kind === 'files')
    kindTally.tally.count += countingRule.fileCount(answer);
}

function mergeInto(total: KindTally, other: KindCounts): void {
  if (total.kind === 'choices' && other.kind === 'choices') total.tally.merge(other.tally);
  if (total.kind === 'numbers' && other.kind === 'numbers') total.tally.merge(other.tally);
  if (total.kind === 'rows' && other.kind === 'rows') total.tally.merge(other.tally);
  if (total.kind === 'dates' && other.kind === 'dates') total.tally.merge(other.tally);
  if (total.kind === 'times' && other.kind === 'times') total.tally.merge(other.tally);
  if (total.kind === 'files' && other.kind === 'files') total.tally.count += other.tally.count;
}

function countsOf(kindTally: KindTally, answered: number): Counts {
  if (kindTally.kind === 'choices') return { options: kindTally.tally.summary(answered) };
  if (kindTally.kind === 'numbers') return { numbers: kindTally.tally.summary() };
  if (kindTally.kind === 'rows') return { rows: kindTally.tally.summary() };
  if (kindTally.kind === 'dates' || kindTally.kind === 'times') return { periods: kindTally.tally.summary() };
  if (kindTally.kind === 'files') return { files: kindTally.tally.count };
  return {};
}

function entriesOf(kindCounts: KindCounts): number {
  if (kindCounts.kind === 'choices') return kindCounts.tally.counts.size;
  if (kindCounts.kind === 'numbers') return kindCounts.tally.counted.frequencies?.size ?? 0;
  if (kindCounts.kind === 'rows')
    return kindCounts.tally.rows.values().reduce((sum, { options }) => sum + options.counts.size, 0);
  if (kindCounts.kind === 'dates' || kindCounts.kind === 'times') return kindCounts.tally.counts.size;
  return 0;
}
