import type { AnswerValue } from '@survey/questionnaire/answers/answer-value';
import type { CountingRule } from '@survey/questionnaire/answers/counting-rule';
import type { CountedQuestion } from '@survey/questionnaire/compiled-definition';
import { createIntCounts, type IntCounts } from './int-counts.ts';
import { createNumberTally, type DistinctBudget, type NumberTally } from './number-tally.ts';
import type { Counts, OptionSummary, PeriodSummary, RowSummary } from './summary.ts';

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

/** Counts answers that are dates or times of day. */
interface PeriodTally {
  readonly counts: IntCounts;
  add(answer: string): void;
  merge(other: Pick<PeriodTally, 'counts'>): void;
  summary(): readonly PeriodSummary[];
}

const DAY_MS = 24 * 60 * 60_000;
/** Above this number of days, dates are summarized by month; above this number of months, by year. */
const MAX_PERIODS = 1_000;
const [DAY, MONTH, YEAR] = ['YYYY-MM-DD'.length, 'YYYY-MM'.length, 'YYYY'.length] as const;

/** Counts dates by day; by month if there are more than 1,000 days; by year if there are more than 1,000 months. */
export function createDateTally(): PeriodTally {
  const counts = createIntCounts();

  function countBy(length: number): ReadonlyMap<string, number> {
    const periods = new Map<string, number>();
    for (const [day, count] of counts.entries()) {
      const period = new Date(day * DAY_MS).toISOString().slice(0, length);
      periods.set(period, (periods.get(period) ?? 0) + count);
    }
    return periods;
  }

  return {
    counts,
    add: (date) => counts.add(Date.parse(date) / DAY_MS),
    merge: (other) => counts.merge(other.counts),
    summary() {
      const months = counts.distinct <= MAX_PERIODS ? undefined : countBy(MONTH);
      const periods = months === undefined ? countBy(DAY) : months.size <= MAX_PERIODS ? months : countBy(YEAR);
      return [...periods]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([period, count]) => ({ period, count }));
    },
  };
}

/** Counts times of day by hour. */
export function createHourTally(): PeriodTally {
  const counts = createIntCounts();
  return {
    counts,
    add: (time) => counts.add(Number(time.slice(0, 'HH'.length))),
    merge: (other) => counts.merge(other.counts),
    summary: () =>
      [...counts.entries()]
        .sort(([one], [other]) => one - other)
        .map(([hour, count]) => ({ period: `${String(hour).padStart(2, '0')}:00`, count })),
  };
}

/** Counts the chosen options of each row. Rows keep the order in which they were added. */
interface RowTally {
  readonly rows: ReadonlyMap<string, RowCount>;
  addUnchosen(ids: readonly string[], options: readonly string[], budget: UnchosenOptionBudget): void;
  add(chosenByRow: readonly (readonly [row: string, chosen: readonly string[]])[]): void;
  merge(other: Pick<RowTally, 'rows'>): void;
  summary(): readonly RowSummary[];
}

interface RowCount {
  readonly answered: number;
  readonly options: Pick<OptionTally, 'counts'>;
}

function createRowTally(): RowTally {
  const rows = new Map<string, { answered: number; readonly options: OptionTally }>();

  function rowOf(id: string) {
    const known = rows.get(id);
    if (known !== undefined) return known;
    const row = { answered: 0, options: createOptionTally() };
    rows.set(id, row);
    return row;
  }

  return {
    rows,

    addUnchosen(ids, options, budget) {
      for (const id of ids) {
        if (budget.left === 0) return;
        rowOf(id).options.addUnchosen(options, budget);
      }
    },

    add(chosenByRow) {
      for (const [id, chosen] of chosenByRow) {
        const row = rowOf(id);
        row.answered += 1;
        row.options.add(chosen);
      }
    },

    merge(other) {
      for (const [id, { answered, options }] of other.rows) {
        const row = rowOf(id);
        row.answered += answered;
        row.options.merge(options);
      }
    },

    summary: () =>
      [...rows].map(([id, { answered, options }]) => ({ id, answered, options: options.summary(answered) })),
  };
}

/** Number of options with a count of 0 that can still be added, shared by all questions and rows. */
export interface UnchosenOptionBudget {
  left: number;
}

/** Counts how often each option was chosen. Options keep the order in which they were added. */
interface OptionTally {
  readonly counts: ReadonlyMap<string, { readonly count: number }>;
  /** Adds options with a count of 0, within the budget. A chosen option is counted even without this. */
  addUnchosen(ids: readonly string[], budget: UnchosenOptionBudget): void;
  add(chosen: readonly string[]): void;
  merge(other: Pick<OptionTally, 'counts'>): void;
  /** @param answered number of answers, the base of the shares */
  summary(answered: number): readonly OptionSummary[];
}

function createOptionTally(): OptionTally {
  const counts = new Map<string, { count: number }>();

  function countOf(id: string): { count: number } {
    const known = counts.get(id);
    if (known !== undefined) return known;
    const option = { count: 0 };
    counts.set(id, option);
    return option;
  }

  return {
    counts,

    addUnchosen(ids, budget) {
      for (const id of ids) {
        if (counts.has(id)) continue;
        if (budget.left === 0) return;
        budget.left -= 1;
        counts.set(id, { count: 0 });
      }
    },

    add(chosen) {
      for (const id of chosen) countOf(id).count += 1;
    },

    merge(other) {
      for (const [id, { count }] of other.counts) countOf(id).count += count;
    },

    summary: (answered) =>
      [...counts].map(([id, { count }]) => ({ id, count, share: answered === 0 ? 0 : count / answered })),
  };
}
