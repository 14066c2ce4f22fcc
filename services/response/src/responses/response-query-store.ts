import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { type TenantFilter, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Walk } from '@survey/runtime/mongo/walk';
import type { Collection } from 'mongodb';
import type { ResponseFilter } from './response-filter.ts';
import type { ResponseDocument } from './response-store.ts';

/** The responses that match a filter, in the order of the index by creation. */
export function toWalk(collection: Collection<ResponseDocument>, tenantId: TenantId, filter: ResponseFilter) {
  const { surveyId, since, until } = filter;
  return {
    collection: tenantCollection(collection, tenantId),
    by: 'created_at',
    within: toCondition({ surveyId, since, until }),
    filter: toCondition(filter),
  } as const satisfies Walk<ResponseDocument>;
}

/** Converts a filter to a query that the indexes serve. */
export function toCondition(filter: ResponseFilter): TenantFilter<ResponseDocument> {
  const { surveyId, surveyVersion, status, linkId, languages, since, until, updatedSince } = filter;
  const { completedSince, completedUntil } = filter;
  const createdAt = { ...(since && { $gte: since }), ...(until && { $lt: until }) };
  const completedAt = {
    ...(completedSince && { $gte: completedSince }),
    ...(completedUntil && { $lt: completedUntil }),
  };
  return {
    survey_id: surveyId,
    ...((since ?? until) && { created_at: createdAt }),
    ...(surveyVersion !== undefined && { survey_version: surveyVersion }),
    ...(status !== undefined && { status }),
    ...(linkId !== undefined && { link_id: linkId }),
    ...(languages && { language: toLanguageCondition(languages) }),
    ...(updatedSince && { updated_at: { $gte: updatedSince } }),
    ...((completedSince ?? completedUntil) && { completed_at: completedAt }),
  };
}

/** A single language is a plain value: cursors contain the condition, and earlier releases also write it so. */
function toLanguageCondition(languages: readonly string[]) {
  const [first = '', ...others] = languages;
  return others.length === 0 ? first : { $in: [first, ...others] };
}
