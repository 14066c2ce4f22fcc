import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantFilter } from '@survey/runtime/mongo/tenant-collection';
import { findLanguage, type Snapshot } from '../surveys/definition.ts';
import type { ResponseStatus } from './response.ts';
import type { ResponseDocument } from './response-document-store.ts';

/** Finds the responses with an external id. */
export interface ExternalIdKey {
  /** See `SealedExternalId`. */
  readonly tag: string;
  /** The external id, if the survey has responses of earlier releases with it: they contain it in plain text. */
  readonly text?: string;
}

/** Selects the responses of a survey by stored fields that MongoDB can compare. All given ones must match. */
export interface ResponseFilter {
  readonly surveyId: string;
  readonly surveyVersion?: number | undefined;
  readonly status?: ResponseStatus | undefined;
  readonly linkId?: string | undefined;
  readonly languages?: readonly string[] | undefined;
  /** Stored at this time or later. */
  readonly since?: Date | undefined;
  /** Stored before this time. */
  readonly until?: Date | undefined;
  /** Last changed at this time or later. */
  readonly updatedSince?: Date | undefined;
  /** Completed or disqualified at this time or later. */
  readonly completedSince?: Date | undefined;
  /** Completed or disqualified before this time. */
  readonly completedUntil?: Date | undefined;
  readonly externalId?: ExternalIdKey | undefined;
  /** MongoDB cannot test conditions. Split a `Selection` before reading. */
  readonly where?: undefined;
}

/** Selects the responses of a survey by a filter and conditions. */
export interface Selection extends Omit<ResponseFilter, 'where' | 'externalId'> {
  readonly externalId?: string | undefined;
  /** Conditions in the form of `condition-schema.ts`. */
  readonly where?: JsonObject | undefined;
}

/** Adds the nearest language that the survey declares. Keeps the given language for earlier versions. */
export function withNearestLanguage(filter: ResponseFilter, survey: Snapshot): ResponseFilter {
  const [given] = filter.languages ?? [];
  const nearest = given === undefined ? undefined : findLanguage(survey, given);
  if (given === undefined || nearest === undefined) return filter;
  return { ...filter, languages: [...new Set([given, nearest])] };
}

export function toCondition(filter: ResponseFilter): TenantFilter<ResponseDocument> {
  const { surveyId, surveyVersion, status, linkId, languages, since, until, updatedSince } = filter;
  const { completedSince, completedUntil, externalId } = filter;
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
    ...(externalId && toExternalIdCondition(externalId)),
  };
}

function toExternalIdCondition({ tag, text }: ExternalIdKey): TenantFilter<ResponseDocument> {
  const isSealed = { 'sealed_external_id.tag': tag };
  return text === undefined ? isSealed : { $or: [isSealed, { external_id: text }] };
}

/**
 * Returns a plain value for a single language, as earlier releases do. Cursors contain a digest of the condition, so
 * another condition would make their cursors invalid.
 */
function toLanguageCondition(languages: readonly string[]) {
  const [first = '', ...others] = languages;
  return others.length === 0 ? first : { $in: [first, ...others] };
}
