import type { MetadataField } from '@survey/questionnaire/metadata/metadata-fields';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { parseOwnObject } from '@survey/runtime/json/parse-json';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { PublicSurvey, Survey, SurveyDraft, SurveyStatus } from './survey.ts';
import { titlePrefixes } from './survey-list.ts';
import type { SurveySettings } from './survey-settings.ts';

export interface SurveyDocument extends QueryFields {
  readonly _id: string;
  readonly tenant_id: TenantId;
  /** As JSON text, because BSON changes some members such as `$ref`. */
  readonly definition: string;
  readonly schema_version: string;
  readonly version: number;
  /** `Survey.publishedVersion`, under its name in earlier releases. */
  readonly live_version: number | null;
  readonly status: SurveyStatus;
  readonly project_id: string | null;
  readonly settings: SettingsDocument;
  readonly draft: DraftDocument | null;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly created_by: string;
  readonly updated_by: string;
  readonly published_at: Date | null;
  readonly deleted_at: Date | null;
  readonly deleted_by: string | null;
  /** Events that are not published to Kafka yet. They are stored with the change that they report. */
  readonly outbox: readonly OutboxEvent[];
}

interface SettingsDocument {
  readonly opens_at: Date | null;
  readonly closes_at: Date | null;
  readonly response_limit: number | null;
  readonly access: SurveySettings['access'];
  readonly languages: readonly string[];
  readonly retention_days: number | null;
  /** Absent in surveys of earlier releases, which have the default `true`. */
  readonly resume_across_devices?: boolean;
  /** Absent in surveys of earlier releases. */
  readonly metadata_fields?: readonly MetadataField[];
}

interface DraftDocument {
  readonly definition: string;
  readonly schema_version: string;
  /** The version that the draft changes. */
  readonly based_on: number;
  readonly updated_at: Date;
  readonly updated_by: string;
}

/** The fields that requests of respondents need. */
const PUBLIC_FIELDS = [
  'tenant_id',
  'status',
  'schema_version',
  'version',
  'live_version',
  'settings',
  'created_at',
  'deleted_at',
] as const;

export type PublicSurveyDocument = Pick<SurveyDocument, '_id' | (typeof PUBLIC_FIELDS)[number]> &
  Partial<Pick<SurveyDocument, 'definition'>>;

export function toDocument(survey: Survey): Omit<SurveyDocument, 'tenant_id' | 'outbox'> {
  return {
    _id: survey.id,
    definition: JSON.stringify(survey.definition),
    schema_version: survey.schemaVersion,
    version: survey.version,
    live_version: survey.publishedVersion ?? null,
    status: survey.status,
    project_id: survey.projectId ?? null,
    settings: toSettingsDocument(survey.settings),
    draft: survey.draft === undefined ? null : toDraftDocument(survey.draft),
    revision: survey.revision,
    created_at: survey.createdAt,
    updated_at: survey.updatedAt,
    created_by: survey.createdBy,
    updated_by: survey.updatedBy,
    published_at: survey.publishedAt ?? null,
    deleted_at: survey.deletedAt ?? null,
    deleted_by: survey.deletedBy ?? null,
    ...toQueryFields(survey),
  };
}

export function fromDocument(document: SurveyDocument): Survey {
  return {
    id: document._id,
    tenantId: document.tenant_id,
    definition: parseOwnObject(document.definition),
    schemaVersion: document.schema_version,
    version: document.version,
    publishedVersion: document.live_version ?? undefined,
    status: document.status,
    projectId: document.project_id ?? undefined,
    settings: fromSettingsDocument(document.settings),
    draft: document.draft === null ? undefined : fromDraftDocument(document.draft),
    revision: document.revision,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
    createdBy: document.created_by,
    updatedBy: document.updated_by,
    publishedAt: document.published_at ?? undefined,
    deletedAt: document.deleted_at ?? undefined,
    deletedBy: document.deleted_by ?? undefined,
  };
}

/** The projection for respondents. Omits the definition if the latest version is `knownVersion`. */
export function toPublicProjection(knownVersion: number | undefined) {
  const isKnown = { $eq: ['$version', knownVersion ?? null] };
  return {
    ...Object.fromEntries(PUBLIC_FIELDS.map((field) => [field, 1])),
    definition: { $cond: [isKnown, '$$REMOVE', '$definition'] },
  };
}

export function fromPublicDocument(document: PublicSurveyDocument): PublicSurvey {
  return {
    tenantId: document.tenant_id,
    status: document.status,
    schemaVersion: document.schema_version,
    version: document.version,
    publishedVersion: document.live_version ?? undefined,
    settings: fromSettingsDocument(document.settings),
    createdAt: document.created_at,
    deletedAt: document.deleted_at ?? undefined,
    definition: document.definition === undefined ? undefined : parseOwnObject(document.definition),
  };
}

function toSettingsDocument(settings: SurveySettings): SettingsDocument {
  return {
    opens_at: settings.opensAt ?? null,
    closes_at: settings.closesAt ?? null,
    response_limit: settings.responseLimit ?? null,
    access: settings.access,
    languages: settings.languages,
    retention_days: settings.retentionDays ?? null,
    resume_across_devices: settings.resumeAcrossDevices,
    metadata_fields: settings.metadataFields,
  };
}

function fromSettingsDocument(settings: SettingsDocument): SurveySettings {
  return {
    opensAt: settings.opens_at ?? undefined,
    closesAt: settings.closes_at ?? undefined,
    responseLimit: settings.response_limit ?? undefined,
    access: settings.access,
    languages: settings.languages,
    retentionDays: settings.retention_days ?? undefined,
    resumeAcrossDevices: settings.resume_across_devices ?? true,
    metadataFields: settings.metadata_fields ?? [],
  };
}

function toDraftDocument({ definition, schemaVersion, basedOn, updatedAt, updatedBy }: SurveyDraft): DraftDocument {
  return {
    definition: JSON.stringify(definition),
    schema_version: schemaVersion,
    based_on: basedOn,
    updated_at: updatedAt,
    updated_by: updatedBy,
  };
}

function fromDraftDocument(draft: DraftDocument): SurveyDraft {
  return {
    definition: parseOwnObject(draft.definition),
    schemaVersion: draft.schema_version,
    basedOn: draft.based_on,
    updatedAt: draft.updated_at,
    updatedBy: draft.updated_by,
  };
}

/** Fields that only queries use. */
interface QueryFields {
  /** The status or `deleted` in one field, for indexes. */
  readonly list_state: SurveyStatus | 'deleted';
  /** Prefixes of the words of the title, see `titlePrefixes`. */
  readonly title_prefixes: readonly string[];
}

function toQueryFields({ definition, status, deletedAt }: Survey): QueryFields {
  return {
    list_state: deletedAt === undefined ? status : 'deleted',
    title_prefixes: titlePrefixes(definition['title']),
  };
}
