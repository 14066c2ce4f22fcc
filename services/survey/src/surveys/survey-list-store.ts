import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { findPageBy, type Page } from '@survey/runtime/mongo/page';
import type { TenantCollection, TenantFilter } from '@survey/runtime/mongo/tenant-collection';
import { type SurveyStatus, surveyStatuses } from './survey.ts';
import type { SurveyDocument } from './survey-document.ts';
import type { SurveyListQuery, TimeRange } from './survey-list.ts';

/**
 * A query names every state that it includes (`$in`). In the index, the surveys of one state are in list order, and
 * MongoDB merges these ranges. So one index serves queries with and without a state.
 */
export const surveyListIndexes: IndexSpecs[string] = [
  { name: 'list', key: { tenant_id: 1, list_state: 1, created_at: -1, _id: -1 } },
  { name: 'list_by_change', key: { tenant_id: 1, list_state: 1, updated_at: -1, _id: -1 } },
  { name: 'list_of_project', key: { tenant_id: 1, project_id: 1, list_state: 1, created_at: -1, _id: -1 } },
  // Without the state, because a change of state would rewrite the entries of all prefixes.
  { name: 'list_by_title', key: { tenant_id: 1, title_prefixes: 1, created_at: -1, _id: -1 } },
];

/** Limits of counting surveys to find the rarest word. */
const MAX_COUNTED = { surveys: 2_000, words: 8 };

/** A page of surveys, sorted by creation time, or by change time if the query filters by it. Newest first. */
export async function findSurveyPage(
  surveys: TenantCollection<SurveyDocument>,
  query: SurveyListQuery,
): Promise<Page<SurveyDocument>> {
  const { updatedAt, titleWords } = query;
  const isByChange = updatedAt.since !== undefined || updatedAt.until !== undefined;
  const filter = toFilter({ ...query, titleWords: await sortByRarity(surveys, titleWords) });
  return findPageBy(isByChange ? 'updated_at' : 'created_at', surveys, filter, query);
}

/** MongoDB uses the index only for the first of several words, so put the rarest first. */
async function sortByRarity(
  surveys: TenantCollection<SurveyDocument>,
  words: readonly string[],
): Promise<readonly string[]> {
  if (words.length < 2) return words;
  const counted = await Promise.all(
    words.slice(0, MAX_COUNTED.words).map(async (word) => {
      const count = await surveys.countDocuments({ title_prefixes: word }, { limit: MAX_COUNTED.surveys });
      return { word, count };
    }),
  );
  const sorted = counted.toSorted((one, other) => one.count - other.count).map(({ word }) => word);
  return [...sorted, ...words.slice(MAX_COUNTED.words)];
}

function toFilter(query: SurveyListQuery): TenantFilter<SurveyDocument> {
  const { status, projectId, titleWords, createdAt, updatedAt, deleted } = query;
  return {
    ...toStateFilter(status, deleted),
    ...(projectId === undefined ? {} : { project_id: projectId }),
    ...(titleWords.length === 0 ? {} : { title_prefixes: { $all: [...titleWords] } }),
    ...toTimeFilter('created_at', createdAt),
    ...toTimeFilter('updated_at', updatedAt),
  };
}

/** Deleted surveys keep their status. */
function toStateFilter(status: SurveyStatus | undefined, deleted: boolean) {
  if (deleted) return { list_state: 'deleted', ...(status === undefined ? {} : { status }) } as const;
  return { list_state: { $in: status === undefined ? surveyStatuses : [status] } };
}

function toTimeFilter(name: 'created_at' | 'updated_at', { since, until }: TimeRange) {
  const range = { ...(since === undefined ? {} : { $gte: since }), ...(until === undefined ? {} : { $lt: until }) };
  return Object.keys(range).length === 0 ? {} : { [name]: range };
}
