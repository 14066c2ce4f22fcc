import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { findPageBy, type Page } from '@survey/runtime/mongo/page';
import type { TenantCollection, TenantFilter } from '@survey/runtime/mongo/tenant-collection';
import { type SurveyStatus, surveyStatuses } from './survey.ts';
import type { SurveyDocument } from './survey-document.ts';
import type { SurveyListQuery, TimeRange } from './survey-list.ts';

/**
 * A list names every state that it is to show: each is a stretch of an index in the order of the list, and MongoDB merges
 * them, so that one index serves a filter with a state and without.
 */
export const surveyListIndexes: IndexSpecs[string] = [
  { name: 'list', key: { tenant_id: 1, list_state: 1, created_at: -1, _id: -1 } },
  { name: 'list_by_change', key: { tenant_id: 1, list_state: 1, updated_at: -1, _id: -1 } },
  { name: 'list_of_project', key: { tenant_id: 1, project_id: 1, list_state: 1, created_at: -1, _id: -1 } },
  // Without the state: there is an entry for every beginning of a word, and a change of state would write them all anew.
  { name: 'list_by_title', key: { tenant_id: 1, title_prefixes: 1, created_at: -1, _id: -1 } },
];

/** What is counted of a word's surveys, and of how many words, to find the rarest. */
const MAX_COUNTED = { surveys: 2_000, words: 8 };

/** A page of surveys, newest first, or changed last first where the query asks for the time of changes. */
export async function findSurveyPage(
  surveys: TenantCollection<SurveyDocument>,
  query: SurveyListQuery,
): Promise<Page<SurveyDocument>> {
  const { updatedAt, titleWords } = query;
  const isByChange = updatedAt.since !== undefined || updatedAt.until !== undefined;
  const filter = toFilter({ ...query, titleWords: await rarestFirst(surveys, titleWords) });
  return findPageBy(isByChange ? 'updated_at' : 'created_at', surveys, filter, query);
}

/** Of several words MongoDB looks only the first one up in the index, and reads all that has it. */
async function rarestFirst(
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

/** A deleted survey keeps the status that it had. */
function toStateFilter(status: SurveyStatus | undefined, deleted: boolean) {
  if (deleted) return { list_state: 'deleted', ...(status === undefined ? {} : { status }) } as const;
  return { list_state: { $in: status === undefined ? surveyStatuses : [status] } };
}

function toTimeFilter(name: 'created_at' | 'updated_at', { since, until }: TimeRange) {
  const range = { ...(since === undefined ? {} : { $gte: since }), ...(until === undefined ? {} : { $lt: until }) };
  return Object.keys(range).length === 0 ? {} : { [name]: range };
}
