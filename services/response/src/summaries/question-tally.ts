import type { AnswerValue } from '@survey/questionnaire/answers/answer-value';
import type { CountingRule } from '@survey/questionnaire/answers/counting-rule';
import type { CountedQuestion } from '@survey/questionnaire/compiled-definition';
import { createIntCounts, type IntCounts, type PackedCounts, sizeOfPacked, toPacked } from './int-counts.ts';
import { createNumberTally, type DistinctBudget, type NumberCounts } from './number-tally.ts';
import type { KindSummary, OptionSummary, PeriodSummary } from './summary.ts';

/** Counts of the answers to a question. They can be stored, and merged into a tally. */
export interface QuestionCounts {
  readonly answered: number;
  /** Number of responses that were not shown the question although their version contains it. */
  readonly notShown: number;
  readonly kindCounts: KindCounts;
  /** Memory, in map entries. */
  readonly size: number;
}

/** Count of each option, in the order in which the options were added. */
type OptionCounts = ReadonlyMap<string, number>;

export type KindCounts =
  | { readonly kind: 'choices'; readonly options: OptionCounts }
  | { readonly kind: 'numbers'; readonly counted: NumberCounts }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly [id: string, answered: number, OptionCounts])[] }
  | { readonly kind: 'dates' | 'times'; readonly counts: PackedCounts }
  | { readonly kind: 'files'; readonly count: number }
  | { readonly kind: 'presence' };

/** Counts the answers to one kind of question. Other versions can have another kind, whose answers are ignored. */
interface KindTally {
  /** Adds the options, rows and numbers of a version, each with a count of 0. */
  addUnchosen?(rule: CountingRule, budget: UnchosenOptionBudget): void;
  add(answer: AnswerValue, rule: CountingRule): void;
  merge(other: KindCounts): void;
  counts(): KindCounts;
  /** @param answered number of answers, from which the shares are computed */
  summary(answered: number): KindSummary;
}

/** Memory of the counts of a question without their entries, in map entries. */
const BASE_SIZE = 15;

export function toQuestionCounts(counts: Omit<QuestionCounts, 'size'>): QuestionCounts {
  return { ...counts, size: BASE_SIZE + entryCountOf(counts.kindCounts) };
}

function entryCountOf(counts: KindCounts): number {
  switch (counts.kind) {
    case 'choices':
      return counts.options.size;
    case 'numbers':
      return counts.counted.frequencies?.size ?? 0;
    case 'rows':
      return counts.rows.reduce((sum, [, , options]) => sum + options.size, 0);
    case 'dates':
    case 'times':
      return sizeOfPacked(counts.counts);
    default:
      return 0;
  }
}

export type QuestionTally = ReturnType<typeof createQuestionTally>;

/**
 * Counts the answers to a question in all versions that contain it. If a version has another kind of question than the
 * latest one, its answers raise only `answered`.
 *
 * @param countingRule rule of the question in the latest version that contains it
 */
export function createQuestionTally({ countingRule }: CountedQuestion, distinct: DistinctBudget) {
  const kindTally = kinds[countingRule.kind](distinct);
  let [answered, notShown] = [0, 0];

  return {
    /** Adds the options, rows and numbers of a version. Call it for the latest version first. */
    addUnchosen: (rule: CountingRule, budget: UnchosenOptionBudget) => kindTally.addUnchosen?.(rule, budget),

    /** @param rule rule of the question in the version that was answered */
    add(answer: AnswerValue, rule: CountingRule): void {
      answered += 1;
      kindTally.add(answer, rule);
    },

    addNotShown(): void {
      notShown += 1;
    },

    merge(other: QuestionCounts): void {
      answered += other.answered;
      notShown += other.notShown;
      kindTally.merge(other.kindCounts);
    },

    /** Returns the counts. They share the maps of the tally, so add and merge nothing after this call. */
    counts: (): QuestionCounts => toQuestionCounts({ answered, notShown, kindCounts: kindTally.counts() }),

    summary: () => ({ answered, notShown, ...kindTally.summary(answered) }),
  };
}

const kinds: Readonly<Record<CountingRule['kind'], (distinct: DistinctBudget) => KindTally>> = {
  choices: createChoiceTally,
  numbers: createNumberAnswerTally,
  rows: createRowTally,
  dates: ({ maxDays }) => createPeriodsTally('dates', createDateTally(), maxDays),
  times: () => createPeriodsTally('times', createHourTally()),
  files: createFileTally,
  presence: () => ({
    add() {},
    merge() {},
    counts: () => ({ kind: 'presence' }),
    summary: () => ({}),
  }),
};

/** Number of options with a count of 0 that all questions and rows together can still add. */
export interface UnchosenOptionBudget {
  left: number;
}

function addOptions(counts: Map<string, number>, ids: readonly string[], budget: UnchosenOptionBudget): void {
  for (const id of ids) {
    if (counts.has(id)) continue;
    if (budget.left === 0) return;
    budget.left -= 1;
    counts.set(id, 0);
  }
}

function addChosen(counts: Map<string, number>, id: string, count = 1): void {
  counts.set(id, (counts.get(id) ?? 0) + count);
}

function toOptions(counts: OptionCounts, answered: number): readonly OptionSummary[] {
  return [...counts].map(([id, count]) => ({ id, count, share: answered === 0 ? 0 : count / answered }));
}

function createChoiceTally(): KindTally {
  const options = new Map<string, number>();
  return {
    addUnchosen(rule, budget) {
      if (rule.kind === 'choices') addOptions(options, rule.options, budget);
    },
    add(answer, rule) {
      if (rule.kind === 'choices') for (const id of rule.chosen(answer)) addChosen(options, id);
    },
    merge(other) {
      if (other.kind === 'choices') for (const [id, count] of other.options) addChosen(options, id, count);
    },
    counts: () => ({ kind: 'choices', options }),
    summary: (answered) => ({ options: toOptions(options, answered) }),
  };
}

/** Counts the chosen options of each row, in the order in which the rows were added. */
function createRowTally(): KindTally {
  const rows = new Map<string, { answered: number; readonly options: Map<string, number> }>();

  function rowOf(id: string) {
    const row = rows.get(id) ?? { answered: 0, options: new Map<string, number>() };
    rows.set(id, row);
    return row;
  }

  return {
    addUnchosen(rule, budget) {
      if (rule.kind !== 'rows') return;
      for (const id of rule.rows) {
        if (budget.left === 0) return;
        addOptions(rowOf(id).options, rule.options, budget);
      }
    },
    add(answer, rule) {
      if (rule.kind !== 'rows') return;
      for (const [id, chosen] of rule.chosenByRow(answer)) {
        const row = rowOf(id);
        row.answered += 1;
        for (const option of chosen) addChosen(row.options, option);
      }
    },
    merge(other) {
      if (other.kind !== 'rows') return;
      for (const [id, answered, options] of other.rows) {
        const row = rowOf(id);
        row.answered += answered;
        for (const [option, count] of options) addChosen(row.options, option, count);
      }
    },
    counts: () => ({ kind: 'rows', rows: [...rows].map(([id, { answered, options }]) => [id, answered, options]) }),
    summary: () => ({
      rows: [...rows].map(([id, { answered, options }]) => ({ id, answered, options: toOptions(options, answered) })),
    }),
  };
}

function createNumberAnswerTally(distinct: DistinctBudget): KindTally {
  const tally = createNumberTally(distinct);
  return {
    addUnchosen(rule) {
      // A scale has few numbers, so it needs no budget.
      if (rule.kind === 'numbers') tally.addScale(rule.scale);
    },
    add(answer, rule) {
      if (rule.kind === 'numbers') tally.add(rule.toNumber(answer));
    },
    merge(other) {
      if (other.kind === 'numbers') tally.merge(other);
    },
    counts: () => ({ kind: 'numbers', counted: tally.counted }),
    summary: () => ({ numbers: tally.summary() }),
  };
}

function createFileTally(): KindTally {
  let count = 0;
  return {
    add(answer, rule) {
      if (rule.kind === 'files') count += rule.fileCount(answer);
    },
    merge(other) {
      if (other.kind === 'files') count += other.count;
    },
    counts: () => ({ kind: 'files', count }),
    summary: () => ({ files: count }),
  };
}

/** @param max maximum number of distinct days or hours. Above, it counts none, as if only presence was counted */
function createPeriodsTally(kind: 'dates' | 'times', given: PeriodTally, max = Number.POSITIVE_INFINITY): KindTally {
  let tally: PeriodTally | undefined = given;

  function limit(): void {
    if (tally !== undefined && tally.counts.distinct > max) tally = undefined;
  }

  return {
    add(answer, rule) {
      if (rule.kind === kind) tally?.add(String(answer));
      limit();
    },
    merge(other) {
      if (other.kind === kind) tally?.merge({ counts: createIntCounts(other.counts) });
      else if (other.kind === 'presence') tally = undefined;
      limit();
    },
    counts: () => (tally === undefined ? { kind: 'presence' } : { kind, counts: toPacked(tally.counts) }),
    summary: () => (tally === undefined ? {} : { periods: tally.summary() }),
  };
}

interface PeriodTally {
  readonly counts: IntCounts;
  add(answer: string): void;
  merge(other: Pick<PeriodTally, 'counts'>): void;
  summary(): readonly PeriodSummary[];
}

const DAY_MS = 24 * 60 * 60_000;
const MAX_PERIODS = 1_000;
/** Lengths of prefixes of an ISO date. */
const [DAY_LENGTH, MONTH_LENGTH, YEAR_LENGTH] = ['YYYY-MM-DD'.length, 'YYYY-MM'.length, 'YYYY'.length] as const;

/** Counts days by the prefix of their ISO date: by day, month or year. */
function countDays(days: IntCounts, length: number): ReadonlyMap<string, number> {
  const periods = new Map<string, number>();
  for (const [day, count] of days.entries()) {
    const period = new Date(day * DAY_MS).toISOString().slice(0, length);
    periods.set(period, (periods.get(period) ?? 0) + count);
  }
  return periods;
}

/** Counts dates or hours in the periods of another summary, which includes them. */
export function countInPeriods(
  periods: readonly PeriodSummary[],
  counted: (KindCounts & { readonly kind: 'dates' | 'times' }) | undefined,
): readonly number[] {
  const [first] = periods;
  if (counted === undefined || first === undefined) return periods.map(() => 0);
  const counts = createIntCounts(counted.counts);
  const byPeriod =
    counted.kind === 'dates'
      ? countDays(counts, first.period.length)
      : new Map([...counts.entries()].map(([hour, count]) => [toHour(hour), count]));
  return periods.map(({ period }) => byPeriod.get(period) ?? 0);
}

function toHour(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** Counts dates by day. Above 1,000 days, summarizes them by month. Above 1,000 months, summarizes them by year. */
export function createDateTally(): PeriodTally {
  const counts = createIntCounts();

  return {
    counts,
    add: (date) => counts.add(Date.parse(date) / DAY_MS),
    merge: (other) => counts.merge(other.counts),
    summary() {
      const months = counts.distinct <= MAX_PERIODS ? undefined : countDays(counts, MONTH_LENGTH);
      const periods =
        months === undefined
          ? countDays(counts, DAY_LENGTH)
          : months.size <= MAX_PERIODS
            ? months
            : countDays(counts, YEAR_LENGTH);
      return [...periods]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([period, count]) => ({ period, count }));
    },
  };
}

export function createHourTally(): PeriodTally {
  const counts = createIntCounts();
  return {
    counts,
    add: (time) => counts.add(Number(time.slice(0, 'HH'.length))),
    merge: (other) => counts.merge(other.counts),
    summary: () =>
      [...counts.entries()]
        .sort(([one], [other]) => one - other)
        .map(([hour, count]) => ({ period: toHour(hour), count })),
  };
}
