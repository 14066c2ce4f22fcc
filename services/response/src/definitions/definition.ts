import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { type CompiledDefinition, compile } from '@survey/questionnaire/compile';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';

export const surveyStatuses = ['draft', 'active', 'closed', 'deleted'] as const;
export type SurveyStatus = (typeof surveyStatuses)[number];

/** Narrows who may answer an active survey, and when. */
export interface SurveySettings {
  readonly opensAt: Date | undefined;
  readonly closesAt: Date | undefined;
  readonly responseLimit: number | undefined;
  readonly access: 'open' | 'links_only';
  /** The declared languages that the survey is offered in; all of them when there are none here. */
  readonly languages: readonly string[];
  readonly retentionDays: number | undefined;
}

/** What of a survey changes: its state, and who may answer when. */
export interface SurveyState {
  readonly status: SurveyStatus;
  readonly settings: SurveySettings;
}

/** A survey as the survey service told it: its state, and one version of its definition. */
export interface Snapshot extends SurveyState {
  readonly surveyId: string;
  readonly tenantId: TenantId;
  readonly schemaVersion: string;
  readonly version: number;
  /** Whether the version is live or was: responses may name it. Once it is, it stays so. */
  readonly wasLive: boolean;
  /** The `survey` member of the creation payload. */
  readonly definition: JsonObject;
}

/** A snapshot ready for use. */
export interface Definition extends Snapshot {
  /** Length of the definition as JSON text. */
  readonly size: number;
  /** Compiled at the first call, then kept. */
  compiled(): CompiledDefinition;
}

/**
 * A snapshot ready for use.
 *
 * @param known what it was compiled as before, which serves on where the definition is the same one
 */
export function toDefinition(snapshot: Snapshot, known?: Definition): Definition {
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

/** Throws `SURVEY_NOT_FOUND` when respondents may not know of the survey: it is a draft, or deleted. */
export function checkPublic({ status }: SurveyState): void {
  if (status === 'draft' || status === 'deleted') throw new AppError('SURVEY_NOT_FOUND');
}

/** Throws `SURVEY_NOT_FOUND` when the tenant has no such survey, or has deleted it. */
export function checkOwned({ status, tenantId }: Snapshot, asking: TenantId): void {
  if (status === 'deleted' || tenantId !== asking) throw new AppError('SURVEY_NOT_FOUND');
}

/** Throws `SURVEY_NOT_OPEN_YET` or `SURVEY_CLOSED` unless the survey takes responses at a time. */
export function checkOpen(survey: SurveyState, time: Date): void {
  const refusal = refusalOf(survey, time);
  if (refusal !== undefined) throw new AppError(refusal);
}

/** Whether the survey takes responses at a time. */
export function isOpen(survey: SurveyState, time: Date): boolean {
  return refusalOf(survey, time) === undefined;
}

function refusalOf({ status, settings }: SurveyState, time: Date) {
  if (status === 'closed') return 'SURVEY_CLOSED';
  if (status !== 'active') return 'SURVEY_NOT_OPEN_YET';
  const { opensAt, closesAt } = settings;
  // The times are the tenant's word: the survey service, which closes what is due, may be away or late.
  if (closesAt !== undefined && closesAt <= time) return 'SURVEY_CLOSED';
  if (opensAt !== undefined && opensAt > time) return 'SURVEY_NOT_OPEN_YET';
  return undefined;
}

/** Throws `LINKS_ONLY` unless whoever knows the survey's id may answer. */
export function checkAccess(survey: SurveyState): void {
  if (!isAccessible(survey)) throw new AppError('LINKS_ONLY');
}

/** Whether whoever knows the survey's id may answer. */
export function isAccessible({ settings }: SurveyState): boolean {
  return settings.access === 'open';
}

/**
 * Languages that the survey is offered in, the first is its default: the declared ones, narrowed by its settings. When
 * the settings name none that is still declared, they narrow nothing.
 */
export function languagesOf({ definition, settings }: Pick<Snapshot, 'definition' | 'settings'>): readonly string[] {
  const declared = declaredLanguagesOf(definition);
  const offered = declared.filter((language) => settings.languages.includes(language));
  return offered.length > 0 ? offered : declared;
}

/** The declared language that is meant, whichever way its letters are written; undefined when it is none of them. */
export function findLanguage({ definition }: Pick<Snapshot, 'definition'>, given: string): string | undefined {
  const folded = given.toLowerCase();
  return declaredLanguagesOf(definition).find((language) => language.toLowerCase() === folded);
}

function declaredLanguagesOf({ supported_languages: given }: JsonObject): readonly string[] {
  return Array.isArray(given) ? given.filter((language) => typeof language === 'string') : [];
}

/** Entity tag of what respondents see. A weak one: how it is written may differ between releases. */
export function etagOf(definition: Snapshot): string {
  const { surveyId, version } = definition;
  const seen = JSON.stringify([surveyId, version, languagesOf(definition)]);
  return `W/"${createHash('sha256').update(seen).digest('base64url')}"`;
}

/** The definition as respondents may see it: without what an import kept of its source, at any level. */
export function publicDefinitionOf({ definition }: Snapshot): JsonObject {
  return withoutSourceData(definition) as JsonObject; // an object stays one
}

function withoutSourceData(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutSourceData);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'source_data');
  return Object.fromEntries(members.map(([name, member]) => [name, withoutSourceData(member)]));
}
