import { limits } from '@survey/client';

export const SURVEY_STATUSES = ['draft', 'active', 'closed'] as const;

/** Filters of the list of surveys, as in the address of the page. */
export interface SurveyListSearch {
  readonly q?: string;
  readonly status?: (typeof SURVEY_STATUSES)[number];
  readonly project_id?: string;
  /** Only deleted surveys. */
  readonly deleted?: true;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The longest search that the platform accepts. */
export const MAX_SEARCH_LENGTH = limits.ListSurveysQuery.q.maxLength;

/** Reads the filters. Invalid values are dropped: anybody can edit an address. */
export function readSurveyListSearch(search: Record<string, unknown>): SurveyListSearch {
  // The router reads a search such as 2024 as a number.
  const q = typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q) : '';
  const status = SURVEY_STATUSES.find((known) => known === search.status);
  const projectId =
    typeof search.project_id === 'string' && UUID.test(search.project_id) ? search.project_id : undefined;
  return {
    ...(q.length > 0 && q.length <= MAX_SEARCH_LENGTH ? { q } : {}),
    ...(status === undefined ? {} : { status }),
    ...(projectId === undefined ? {} : { project_id: projectId }),
    ...(search.deleted === true || search.deleted === 'true' ? { deleted: true } : {}),
  };
}
