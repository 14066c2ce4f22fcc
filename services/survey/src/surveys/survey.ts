import type { JsonObject } from '@bufbuild/protobuf';
import { createPatternCompiler } from '@survey/questionnaire/answers/patterns/pattern';
import { checkShape } from '@survey/questionnaire/check-shape';
import { compile } from '@survey/questionnaire/compile';
import { lintWith } from '@survey/questionnaire/compiled-definition';
import { completeDefinition } from '@survey/questionnaire/definition/complete-definition';
import { declaredLanguages, lookUpOrder, textIn } from '@survey/questionnaire/labels';
import type { Lint } from '@survey/questionnaire/lint/report';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { SurveySettings } from './survey-settings.ts';

export const surveyStatuses = ['draft', 'active', 'closed'] as const;
export type SurveyStatus = (typeof surveyStatuses)[number];

/** A definition and the version of its format. */
export interface StoredDefinition {
  /** The `survey` member of a payload, with ids for all questions. */
  readonly definition: JsonObject;
  readonly schemaVersion: string;
}

/** A survey with its latest definition and version. */
export interface Survey extends StoredDefinition {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly version: number;
  /** The latest version that is or was published. */
  readonly publishedVersion: number | undefined;
  readonly status: SurveyStatus;
  readonly projectId: string | undefined;
  readonly settings: SurveySettings;
  readonly draft: SurveyDraft | undefined;
  /** Incremented by each change; part of event ids. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly createdBy: string;
  readonly updatedBy: string;
  /** Time of the last publication of a version. */
  readonly publishedAt: Date | undefined;
  readonly deletedAt: Date | undefined;
  readonly deletedBy: string | undefined;
}

/** A definition that is saved for later. It becomes the next version when it is published. */
export interface SurveyDraft extends StoredDefinition {
  readonly basedOn: number;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

/** A version of a survey. It never changes, except that its first publication sets `publishedAt` and `publishedBy`. */
export interface SurveyVersion extends StoredDefinition {
  readonly surveyId: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly createdBy: string;
  /** Time of the first publication. */
  readonly publishedAt: Date | undefined;
  /** User who published it first. Also undefined if an earlier release published the version. */
  readonly publishedBy: string | undefined;
}

/** A version without its definition, which can be large. */
export type SurveyVersionSummary = Omit<SurveyVersion, 'definition'>;

/** The data of a survey for respondents. */
export interface PublicSurvey
  extends Pick<
    Survey,
    'tenantId' | 'status' | 'schemaVersion' | 'version' | 'publishedVersion' | 'settings' | 'createdAt' | 'deletedAt'
  > {
  /** Undefined if the caller already has this version. */
  readonly definition: JsonObject | undefined;
}

/** Builds the payload to validate. Paths of problems refer to this payload. */
export function toPayload({ schemaVersion, version, definition }: StoredDefinition & { readonly version: number }) {
  return { schema_version: schemaVersion, version, survey: definition };
}

/** Maximum length of a title in events, in characters. */
const MAX_TITLE_LENGTH = 1_000;

/** The title in the default language, or else in the first declared language that has one. */
export function titleOf({ definition }: Pick<Survey, 'definition'>): string {
  const text = textIn(lookUpOrder(declaredLanguages(definition)), definition['title']) ?? '';
  return Array.from(text).slice(0, MAX_TITLE_LENGTH).join('');
}

/** The user and time of a change. */
export interface Stamp {
  readonly actor: string;
  readonly time: Date;
}

/** The largest `int32`, the type of versions in the contract. */
const MAX_VERSION = 2 ** 31 - 1;

export function updateSettings(
  survey: Survey,
  { projectId, settings }: { readonly projectId: string | undefined; readonly settings: SurveySettings },
  stamp: Stamp,
): Survey {
  return { ...changed(survey, stamp), projectId, settings };
}

export function replaceDefinition(
  survey: Survey,
  { definition, schemaVersion }: StoredDefinition,
  stamp: Stamp,
): Survey {
  if (survey.version === MAX_VERSION)
    throw new AppError('STATE_CONFLICT', { detail: `The survey has the maximum version ${MAX_VERSION}` });
  const next = { ...changed(survey, stamp), definition, schemaVersion, version: survey.version + 1 };
  return next.status === 'active' ? { ...next, publishedVersion: next.version, publishedAt: stamp.time } : next;
}

/** Stores a definition to be published later, and replaces an existing draft. */
export function saveDraft(survey: Survey, { definition, schemaVersion }: StoredDefinition, stamp: Stamp): Survey {
  const draft: SurveyDraft = {
    definition,
    schemaVersion,
    basedOn: survey.version,
    updatedAt: stamp.time,
    updatedBy: stamp.actor,
  };
  return { ...changed(survey, stamp), draft };
}

/** Removes the draft. Throws `DRAFT_NOT_FOUND` if there is none. */
export function discardDraft(survey: Survey, stamp: Stamp): Survey {
  if (survey.draft === undefined) throw new AppError('DRAFT_NOT_FOUND');
  return { ...changed(survey, stamp), draft: undefined };
}

/**
 * Publishes a survey, or reopens a closed one. Its draft, if any, becomes the next version. Throws `STATE_CONFLICT` if
 * the survey is active without a draft, or past `closesAt`. Throws `VERSION_CONFLICT` if the draft is based on an older
 * version.
 */
export function publish(survey: Survey, stamp: Stamp): Survey {
  const { status, draft, settings, version } = survey;
  if (status === 'active' && draft === undefined)
    throw new AppError('STATE_CONFLICT', { detail: 'The survey is already active and has no draft' });
  if (isPastClosing(settings, stamp.time))
    throw new AppError('STATE_CONFLICT', { detail: 'closes_at has passed; change it before you publish the survey' });
  if (draft !== undefined && draft.basedOn !== version)
    throw new AppError('VERSION_CONFLICT', {
      detail: `The draft is based on version ${draft.basedOn}, the latest is ${version}`,
    });
  const next = draft === undefined ? changed(survey, stamp) : replaceDefinition(survey, draft, stamp);
  return { ...next, draft: undefined, status: 'active', publishedVersion: next.version, publishedAt: stamp.time };
}

/** Closes a survey. Throws `STATE_CONFLICT` unless it is active. */
export function close(survey: Survey, stamp: Stamp): Survey {
  if (survey.status !== 'active')
    throw new AppError('STATE_CONFLICT', { detail: `The survey is ${survey.status}, not active` });
  return { ...changed(survey, stamp), status: 'closed' };
}

export function isPastClosing({ closesAt }: SurveySettings, time: Date): boolean {
  return closesAt !== undefined && closesAt <= time;
}

/** Deletes a survey that is not deleted yet. */
export function remove(survey: Survey, stamp: Stamp): Survey {
  return { ...changed(survey, stamp), deletedAt: stamp.time, deletedBy: stamp.actor };
}

/** Restores a deleted survey, and closes it if it was active. Throws `STATE_CONFLICT` if it is not deleted. */
export function restore(survey: Survey, stamp: Stamp): Survey {
  if (survey.deletedAt === undefined) throw new AppError('STATE_CONFLICT', { detail: 'The survey is not deleted' });
  const status = survey.status === 'active' ? 'closed' : survey.status;
  return { ...changed(survey, stamp), status, deletedAt: undefined, deletedBy: undefined };
}

function changed(survey: Survey, { actor, time }: Stamp): Survey {
  return { ...survey, revision: survey.revision + 1, updatedAt: time, updatedBy: actor };
}

type VersionedDefinition = StoredDefinition & { readonly version: number };

/** Checks the shape and adds missing question ids. Throws `INVALID_DEFINITION`. */
export function toStorable(survey: VersionedDefinition, newQuestionId: () => string): StoredDefinition {
  const payload = toPayload(survey);
  const errors = checkShape(payload);
  if (errors.length > 0) throw new AppError('INVALID_DEFINITION', { errors });
  // The cast is safe: `toPayload` made the payload with the object `survey`.
  const definition = completeDefinition(payload, newQuestionId)['survey'] as JsonObject;
  return { definition, schemaVersion: survey.schemaVersion };
}

/** Throws `INVALID_DEFINITION` if lint errors block publishing. */
export function checkPublishable(definition: VersionedDefinition): void {
  const { errors } = compile(toPayload(definition)).lint;
  if (errors.length > 0) throw new AppError('INVALID_DEFINITION', { errors });
}

export function toAnswerSchema(definition: VersionedDefinition): JsonObject {
  // A JSON Schema is JSON.
  return compile(toPayload(definition)).answersJsonSchema() as JsonObject;
}

/** Returns all errors that block storing or publishing, and warnings. */
export function checkPayload(payload: unknown): Lint {
  return lintWith(createPatternCompiler(), payload);
}
