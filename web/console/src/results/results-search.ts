import type { GetSummaryRequest } from '@survey/client';
import { readResponseSearch } from '../responses/response-search.ts';
import { readChoice, readText, removeUndefined } from '../ui/search-values.ts';

export const INTERVALS = ['hour', 'day', 'week'] as const;
type Interval = (typeof INTERVALS)[number];

/** Filters and conditions that select the responses of a summary. */
export type ResultFilter = Omit<GetSummaryRequest, 'tz' | 'interval' | 'display_language' | 'at_least_version'>;

/** State of the results of a survey, as in the address of the page. */
export interface ResultsSearch extends Omit<ResultFilter, 'where'> {
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
  });
}

/** The filters among the state of the page. */
export function toResultFilter({ interval, display_language, ...filter }: ResultsSearch): Omit<ResultFilter, 'where'> {
  return filter;
}
