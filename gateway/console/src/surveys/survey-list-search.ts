export const SURVEY_STATUSES = ['draft', 'active', 'closed'] as const;

/** Filters of the list of surveys, as in the address of the page. */
export interface SurveyListSearch {
  readonly q?: string;
  readonly status?: (typeof SURVEY_STATUSES)[number];
}

/** Reads the filters. Invalid values are dropped: anybody can edit an address. */
export function readSurveyListSearch(search: Record<string, unknown>): SurveyListSearch {
  const q = typeof search.q === 'string' ? search.q : undefined;
  const status = SURVEY_STATUSES.find((known) => known === search.status);
  return { ...(q ? { q } : {}), ...(status === undefined ? {} : { status }) };
}
