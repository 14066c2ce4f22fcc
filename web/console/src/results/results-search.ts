import { type GetSummaryRequest, limits } from '@survey/client';
import { readResponseSearch } from '../responses/response-search.ts';
import { readChoice, readText, removeUndefined } from '../ui/search-values.ts';

export const INTERVALS = ['hour', 'day', 'week'] as const;
type Interval = (typeof INTERVALS)[number];

/** Filters and conditions that select the responses of a summary. */
export type ResultFilter = Omit<
  GetSummaryRequest,
  'tz' | 'interval' | 'display_language' | 'at_least_version' | keyof Comparison
>;

/** The groups to compare. */
export type Comparison = Pick<GetSummaryRequest, 'by' | 'by_question' | 'min_cell'>;

/** State of the results of a survey, as in the address of the page. */
export interface ResultsSearch extends Omit<ResultFilter, 'where'>, Comparison {
  /** Interval of the timeline. Default: a day. */
  readonly interval?: Interval;
  /** Language of titles and texts. Default: the one that suits the viewer. */
  readonly display_language?: string;
}

/** Reads the state of the results. Invalid values are dropped: anybody can edit an address. */
export function readResultsSearch(search: Record<string, unknown>): ResultsSearch {
  const { order, sample, draw, columns, exported, updated_since, ...filter } = readResponseSearch(search);
  return removeUndefined({
    ...filter,
    interval: readChoice(search.interval, INTERVALS),
    display_language: readText(search.display_language),
    ...readComparison(search),
  });
}

const GROUPING = /^(?:link|language|metadata\..+)$/su;

/** A summary has groups of one kind. Small counts are hidden only in groups. */
function readComparison({ by, by_question, min_cell }: Record<string, unknown>): Comparison {
  const part = readText(by);
  const question = readText(by_question);
  const { min, max } = limits.GetSummaryRequest.min_cell;
  const isSmallest = Number.isSafeInteger(min_cell) && Number(min_cell) >= min && Number(min_cell) <= max;
  const hidden = isSmallest ? { min_cell: Number(min_cell) } : {};
  if (question !== undefined) return { by_question: question, ...hidden };
  return part !== undefined && GROUPING.test(part) ? { by: part, ...hidden } : {};
}

/** The groups to compare, from the state of the page. */
export function toComparison({ by, by_question, min_cell }: ResultsSearch): Comparison {
  return removeUndefined({ by, by_question, min_cell });
}

/** The filters among the state of the page. */
export function toResultFilter({
  interval,
  display_language,
  by,
  by_question,
  min_cell,
  ...filter
}: ResultsSearch): Omit<ResultFilter, 'where'> {
  return filter;
}
