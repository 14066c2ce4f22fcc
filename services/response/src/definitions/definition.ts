import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { CompiledDefinition } from '@survey/questionnaire/compile';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';

export const definitionStatuses = ['draft', 'active', 'closed', 'deleted'] as const;
export type DefinitionStatus = (typeof definitionStatuses)[number];

/** A survey as the survey service told it: its state and its latest definition. */
export interface Snapshot {
  readonly surveyId: string;
  readonly tenantId: TenantId;
  readonly status: DefinitionStatus;
  readonly schemaVersion: string;
  readonly version: number;
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

/** Throws `SURVEY_NOT_FOUND` when respondents may not know of the survey: it is a draft, or deleted. */
export function checkPublic({ status }: Snapshot): void {
  if (status === 'draft' || status === 'deleted') throw new AppError('SURVEY_NOT_FOUND');
}

/** Throws `SURVEY_NOT_FOUND` when the tenant has no such survey, or has deleted it. */
export function checkOwned({ status, tenantId }: Snapshot, asking: TenantId): void {
  if (status === 'deleted' || tenantId !== asking) throw new AppError('SURVEY_NOT_FOUND');
}

/** Throws `SURVEY_NOT_OPEN_YET` or `SURVEY_CLOSED` unless the survey takes responses. */
export function checkOpen({ status }: Snapshot): void {
  if (status === 'closed') throw new AppError('SURVEY_CLOSED');
  if (status !== 'active') throw new AppError('SURVEY_NOT_OPEN_YET');
}

/** Languages that the survey declares, the first is its default. */
export function languagesOf({ definition }: Snapshot): readonly string[] {
  const declared = definition['supported_languages'];
  return Array.isArray(declared) ? declared.filter((language) => typeof language === 'string') : [];
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
