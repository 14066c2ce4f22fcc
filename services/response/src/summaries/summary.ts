/** Statistics of the responses to a survey. */
export interface Summary {
  /** Number of completed responses. */
  readonly responses: number;
  /** Completed responses by day, in order. Days without responses are omitted. */
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

/** Counts of the answers to a question. The type of the question determines the member. */
export interface Counts {
  readonly options?: readonly OptionSummary[];
  readonly numbers?: NumberSummary;
  readonly rows?: readonly RowSummary[];
}

export interface OptionSummary {
  readonly id: string;
  readonly count: number;
  /** Share of the respondents who answered the question or row: 0 to 1. */
  readonly share: number;
}

/** A statistic is omitted if there are no numbers, too many distinct ones, or if it exceeds the range of numbers. */
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

/** Number of unfinished responses whose last answer is to this question. The id is empty for those without answers. */
export interface DropOff {
  readonly questionId: string;
  readonly count: number;
}
