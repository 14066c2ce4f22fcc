/** The responses of a survey, summed up. */
export interface Summary {
  /** How many are completed. */
  readonly responses: number;
  /** In order; only days that have any. */
  readonly byDay: readonly { readonly day: string; readonly count: number }[];
  readonly questions: readonly QuestionSummary[];
  readonly dropOff: readonly DropOff[];
}

export interface QuestionSummary extends Counts {
  readonly questionId: string;
  readonly type: string;
  readonly answered: number;
  readonly skipped: number;
}

/** What was counted of the answers to a question, by what there is to count in them. */
export interface Counts {
  readonly options?: readonly OptionSummary[];
  readonly numbers?: NumberSummary;
  readonly rows?: readonly RowSummary[];
}

export interface OptionSummary {
  readonly id: string;
  readonly count: number;
  /** Of those who answered the question, or the row: 0 to 1. */
  readonly share: number;
}

/** What cannot be told is left out: of no numbers, of too many different ones, or beyond what a number can be. */
export interface NumberSummary {
  readonly mean?: number;
  readonly median?: number;
  readonly stddev?: number;
  readonly min?: number;
  readonly max?: number;
}

export interface RowSummary {
  readonly id: string;
  readonly answered: number;
  readonly options: readonly OptionSummary[];
}

/** How many stopped at a question; the empty id stands for those who answered none. */
export interface DropOff {
  readonly questionId: string;
  readonly count: number;
}
