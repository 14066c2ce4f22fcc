import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import type { CompiledDefinition } from '@survey/questionnaire/compiled-definition';
import {
  declaredLanguages,
  type Labels,
  findLanguage as nearestLanguage,
  readLabels,
} from '@survey/questionnaire/labels';
import type { MetadataField } from '@survey/questionnaire/metadata/metadata-fields';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';

export const surveyStatuses = ['draft', 'active', 'closed', 'deleted'] as const;
export type SurveyStatus = (typeof surveyStatuses)[number];

/** The settings of a survey that this service needs. */
export interface SurveySettings {
  readonly opensAt: Date | undefined;
  readonly closesAt: Date | undefined;
  readonly responseLimit: number | undefined;
  readonly access: 'open' | 'links_only';
  /** The languages in which the survey is offered. Empty means all declared languages. */
  readonly languages: readonly string[];
  readonly retentionDays: number | undefined;
  /** Whether the token of a single-use link gives access to the response in progress on every device. */
  readonly resumeAcrossDevices: boolean;
  readonly metadataFields: readonly MetadataField[];
}

/** The part of a survey that does not depend on its version. */
export interface SurveyState {
  readonly status: SurveyStatus;
  readonly settings: SurveySettings;
}

/** The state of a survey with one version of its definition, as read from the survey service. */
export interface Snapshot extends SurveyState {
  readonly surveyId: string;
  readonly tenantId: TenantId;
  /** Creation of the survey. Undefined in snapshots of earlier releases. */
  readonly createdAt?: Date | undefined;
  readonly schemaVersion: string;
  readonly version: number;
  /** Whether the version is or was published. */
  readonly wasPublished: boolean;
  /** The `survey` member of a definition document. */
  readonly definition: JsonObject;
}

/** A snapshot that can compile its definition. */
export interface CompiledSurvey extends Snapshot {
  /** Length of the definition, in characters of JSON. */
  readonly size: number;
  /** Compiles the definition on the first call. */
  compiled(): CompiledDefinition;
}

/** @param known a previous result. It is reused if it has the same definition object */
export function toCompiledSurvey(snapshot: Snapshot, known?: CompiledSurvey): CompiledSurvey {
  const { schemaVersion, version, definition } = snapshot;
  if (known?.definition === definition) return { ...snapshot, size: known.size, compiled: known.compiled };
  let compiled: ReturnType<typeof compile> | undefined;
  return {
    ...snapshot,
    size: JSON.stringify(definition).length,
    compiled() {
      compiled ??= compile({ schema_version: schemaVersion, version, survey: definition });
      return compiled;
    },
  };
}

/** Throws `SURVEY_NOT_FOUND` if the survey is hidden from respondents: a draft or deleted. */
export function checkPublic({ status }: SurveyState): void {
  if (status === 'draft' || status === 'deleted') throw new AppError('SURVEY_NOT_FOUND');
}

/** Throws `SURVEY_NOT_FOUND` if the survey belongs to another tenant or is deleted. */
export function checkOwned({ status, tenantId }: Snapshot, callerTenant: TenantId): void {
  if (status === 'deleted' || tenantId !== callerTenant) throw new AppError('SURVEY_NOT_FOUND');
}

/** Throws `SURVEY_NOT_OPEN_YET` or `SURVEY_CLOSED` unless the survey is open at the given time. */
export function checkOpen(survey: SurveyState, time: Date): void {
  const rejection = rejectionOf(survey, time);
  if (rejection !== undefined) throw new AppError(rejection);
}

export function isOpen(survey: SurveyState, time: Date): boolean {
  return rejectionOf(survey, time) === undefined;
}

function rejectionOf({ status, settings }: SurveyState, time: Date) {
  if (status === 'closed') return 'SURVEY_CLOSED';
  // This is a draft, because callers do not find deleted surveys.
  if (status !== 'active') return 'SURVEY_NOT_OPEN_YET';
  const { opensAt, closesAt } = settings;
  // Check the times too. The survey service closes surveys, but it may be late or unavailable.
  if (closesAt !== undefined && closesAt <= time) return 'SURVEY_CLOSED';
  if (opensAt !== undefined && opensAt > time) return 'SURVEY_NOT_OPEN_YET';
  return undefined;
}

/** Throws `LINKS_ONLY` unless respondents can answer at the survey's own address. */
export function checkOwnAddress(survey: SurveyState): void {
  if (!allowsOwnAddress(survey)) throw new AppError('LINKS_ONLY');
}

export function allowsOwnAddress({ settings }: SurveyState): boolean {
  return settings.access === 'open';
}

/** Returns the offered languages, default first. Returns all declared languages if the settings name none of them. */
export function languagesOf({ definition, settings }: Pick<Snapshot, 'definition' | 'settings'>): readonly string[] {
  const declared = declaredLanguages(definition);
  const offered = declared.filter((language) => settings.languages.includes(language));
  return offered.length > 0 ? offered : declared;
}

/** The fields of the metadata that requests without a token can set. */
export function publicFieldsOf({ settings }: SurveyState): readonly Pick<MetadataField, 'name' | 'type'>[] {
  const fields = settings.metadataFields.filter(({ from }) => from.includes('url'));
  return fields.map(({ name, type }) => ({ name, type }));
}

/** Finds the declared language that is nearest to a language tag. */
export function findLanguage({ definition }: Pick<Snapshot, 'definition'>, tag: string): string | undefined {
  return nearestLanguage(declaredLanguages(definition), [tag]);
}

/**
 * Makes the entity tag of all that the message of a public survey contains. The tag is weak, because releases can
 * serialize a survey differently.
 *
 * @param slug slug of the link through which the survey is read
 * @param response the response in progress that is returned with the survey
 */
export function etagOf(
  snapshot: Snapshot,
  slug?: string,
  response?: { readonly id: string; readonly revision: number },
): string {
  const { surveyId, version } = snapshot;
  const content = JSON.stringify([
    surveyId,
    version,
    languagesOf(snapshot),
    publicFieldsOf(snapshot),
    slug,
    ...(response === undefined ? [] : [response.id, response.revision]),
  ]);
  return `W/"${createHash('sha256').update(content).digest('base64url')}"`;
}

/** Removes `source_data`, which imports add at all levels of a definition. */
export function publicDefinitionOf({ definition }: Snapshot): JsonObject {
  return withoutSourceData(definition) as JsonObject;
}

function withoutSourceData(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutSourceData);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'source_data');
  return Object.fromEntries(members.map(([name, member]) => [name, withoutSourceData(member)]));
}

/** @param language a language tag. Default: the first declared language */
export function labelsOf(
  { schemaVersion, version, definition }: Pick<Snapshot, 'schemaVersion' | 'version' | 'definition'>,
  language?: string,
): Labels {
  return readLabels({ schema_version: schemaVersion, version, survey: definition }, language);
}
