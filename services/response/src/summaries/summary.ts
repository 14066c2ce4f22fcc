import type { Grouping } from '../crosstabs/grouping.ts';
import type { IndependenceTest, MeanInterval } from '../crosstabs/statistics.ts';

/** Statistics of the responses to a survey, with the texts of a language. */
export interface Summary {
  /** The latest version of the survey that the summary knows. */
  readonly surveyVersion: number;
  /** Number of completed responses, or of responses with the status of the filter. */
  readonly responses: number;
  /** Completed responses by day, in order. Omits days without responses. */
  readonly byDay: readonly { readonly day: string; readonly count: number }[];
  /** Undefined unless an interval is requested. */
  readonly timeline: readonly TimeBucket[] | undefined;
  /** The current version and the versions of the summarized responses, latest first. */
  readonly versions: readonly number[];
  readonly questions: readonly (QuestionSummary & QuestionTexts)[];
  readonly dropOff: readonly DropOff[];
  readonly pages: readonly PageSummary[];
  readonly completion: Completion;
  /**
   * Responses that match the filter, and whose version lacks a question of the conditions. Undefined without conditions.
   */
  readonly lackingQuestion: number | undefined;
  /** Undefined unless the request names groups. */
  readonly groups: Groups | undefined;
}

/** The part of a summary that does not depend on time zone and language. */
export interface SurveyCountsSummary {
  readonly responses: number;
  readonly versions: readonly number[];
  readonly questions: readonly QuestionSummary[];
  readonly dropOff: readonly DropOff[];
  /** Responses that passed a page without seeing it, because logic hid all its questions. By page, from 1. */
  readonly hiddenPages: ReadonlyMap<number, number>;
  readonly statuses: StatusCounts;
  readonly lackingQuestion: number;
  /** Undefined unless the request names groups. */
  readonly groups: Groups | undefined;
}

/** The groups into which a summary divides the responses. */
export interface Groups {
  readonly grouping: Grouping;
  readonly groups: readonly Group[];
  /** Whether a response can be in several groups, because it can choose several options. */
  readonly isOverlapping: boolean;
  /** Whether there are values that were not counted, because too many others came first. */
  readonly hasUncounted: boolean;
}

export interface Group {
  readonly kind: 'value' | 'none' | 'other';
  /** The option, number, link, language or text. Empty for groups of another kind. */
  readonly value: string;
  /** Undefined if hidden. */
  readonly responses: number | undefined;
}

/** A question or row by group: the columns of the table of the question. */
export interface CrosstabTable {
  /** In the order of the groups. */
  readonly groups: readonly TableColumn[];
  /** Undefined if the question is no choice. */
  readonly test?: IndependenceTest | NoTest;
}

/** The reason why a table is not tested. */
export type NoTest = 'same_question' | 'multiple_choice' | 'too_few_cells' | 'low_expected_count' | 'hidden_cells';

/** The answers of one group. Hidden counts are undefined. */
export interface TableColumn {
  readonly answered: number | undefined;
  /** Responses that were shown the question and have no answer. Undefined for rows, and if small cells are hidden. */
  readonly unanswered?: number | undefined;
  /** As `unanswered`, for responses that were not shown the question. */
  readonly notShown?: number | undefined;
  /** The counts of the options, numbers or periods of the question or row, in their order. */
  readonly cells: readonly (number | undefined)[];
  readonly numbers?: GroupNumbers | undefined;
  readonly files?: number | undefined;
}

export interface GroupNumbers {
  readonly mean?: number | undefined;
  readonly interval?: MeanInterval | undefined;
  readonly median?: number | undefined;
  readonly nps?: NetPromoterScore | undefined;
}

export interface StatusCounts {
  readonly completed: number;
  readonly disqualified: number;
  readonly inProgress: number;
  readonly abandoned: number;
}

export interface Completion extends StatusCounts {
  /** Number of all responses. */
  readonly started: number;
  /** Median duration of completed responses with a known start, accurate to 1 %. */
  readonly medianSeconds: number | undefined;
}

export interface TimeBucket {
  /** Local start: YYYY-MM-DD, or YYYY-MM-DDTHH:MM+HH:MM for hours. */
  readonly start: string;
  readonly started: number;
  readonly completed: number;
  readonly disqualified: number;
}

export interface PageSummary {
  /** Position of the page in the latest version, from 1. */
  readonly page: number;
  readonly title: string | undefined;
  /** Responses that did not end before this page. */
  readonly reached: number;
  /** Responses in progress or abandoned whose last answer is on this page. Responses without answers are on page 1. */
  readonly stopped: number;
}

export interface QuestionSummary extends KindSummary {
  readonly questionId: string;
  readonly type: string;
  /** Position of the page, from 1, in the latest version that contains the question. */
  readonly page: number;
  /** Versions that contain the question with this type, latest first. */
  readonly versions: readonly number[];
  /** Versions that contain the question with another type. */
  readonly otherVersions: readonly number[];
  readonly answered: number;
  /** Responses without an answer, even if they were not shown the question. The API has this name. */
  readonly skipped: number;
  readonly shown: number;
  /** Undefined without groups, and for a question that has no place in the tables. */
  readonly crosstab?: CrosstabTable;
}

/** The texts of a question. Unknown texts are undefined. */
export interface QuestionTexts {
  readonly title: string | undefined;
  /** Texts by id. The choices of the rows of a likert question are in `options`. */
  readonly texts: Readonly<Record<'options' | 'rows' | 'columns', ReadonlyMap<string, string | undefined>>>;
}

/** Statistics of the answers to a question. The kind of the question determines which field is present. */
export interface KindSummary {
  readonly options?: readonly OptionSummary[];
  readonly numbers?: NumberSummary;
  readonly rows?: readonly RowSummary[];
  readonly periods?: readonly PeriodSummary[];
  /** Number of files in all answers. */
  readonly files?: number;
}

export interface OptionSummary {
  readonly id: string;
  readonly count: number;
  /** Share of the responses with an answer to the question or row: 0 to 1. */
  readonly share: number;
}

/** A statistic is omitted if there are no numbers or too many distinct numbers, or if the statistic is not finite. */
export interface NumberSummary {
  readonly mean?: number;
  readonly median?: number;
  readonly stddev?: number;
  readonly min?: number;
  readonly max?: number;
  readonly histogram?: readonly HistogramBin[];
  /** Only for a scale from 0 to 10. */
  readonly nps?: NetPromoterScore;
}

/** Counts the numbers from `from` to below `to`. If both edges are equal, counts this one number. */
export interface HistogramBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface NetPromoterScore {
  /** Answers of 9 and 10. */
  readonly promoters: number;
  /** Answers of 7 and 8. */
  readonly passives: number;
  /** Answers of 0 to 6. */
  readonly detractors: number;
  /** Percentage of promoters minus percentage of detractors: -100 to 100. */
  readonly score: number;
}

/** A year, month or day, or an hour of the day: `2026`, `2026-05`, `2026-05-01`, `14:00`. */
export interface PeriodSummary {
  readonly period: string;
  readonly count: number;
}

interface RowSummary {
  readonly id: string;
  readonly answered: number;
  readonly options: readonly OptionSummary[];
  readonly crosstab?: CrosstabTable;
}

/** Responses that stopped after the answer to this question. The id is empty for responses without answers. */
export interface DropOff {
  readonly questionId: string;
  /** Responses in progress or abandoned. */
  readonly count: number;
  /** Number of abandoned responses in `count`. */
  readonly abandoned: number;
  /** Disqualified responses whose last answer is to this question. */
  readonly disqualified: number;
}
