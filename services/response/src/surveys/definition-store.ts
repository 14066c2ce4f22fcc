import type { MetadataField } from '@survey/questionnaire/metadata/metadata-fields';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { parseOwnObject } from '@survey/runtime/json/parse-json';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { Snapshot, SurveySettings, SurveyStatus } from './definition.ts';

/** A snapshot of a survey at a version. Only the highest version has the current status and settings. */
export interface DefinitionDocument {
  /** `<survey id>:<version>` */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly survey_id: string;
  readonly version: number;
  readonly schema_version: string;
  /** JSON text, which keeps the order of members and the exact values. */
  readonly definition: string;
  readonly was_live: boolean;
  readonly status: SurveyStatus;
  readonly settings: SettingsDocument;
  /** Absent in snapshots of earlier releases. */
  readonly created_at?: Date;
  /** Start of the request to the survey service. */
  readonly observed_at: Date;
}

interface SettingsDocument {
  readonly opens_at: Date | null;
  readonly closes_at: Date | null;
  readonly response_limit: number | null;
  readonly access: SurveySettings['access'];
  readonly languages: readonly string[];
  readonly retention_days: number | null;
  /** Absent in snapshots of earlier releases. */
  readonly resume_across_devices?: boolean;
  /** Absent in snapshots of earlier releases. */
  readonly metadata_fields?: readonly MetadataField[];
}

export const BY_SURVEY = 'latest';

/** The first index does not start with the tenant, because respondents send only the id of the survey. */
export const definitionIndexes: IndexSpecs[string] = [
  { name: BY_SURVEY, key: { survey_id: 1, version: -1 } },
  { name: 'tenant', key: { tenant_id: 1 } },
];

export type DefinitionStore = ReturnType<typeof createDefinitionStore>;

export function createDefinitionStore(collection: Collection<DefinitionDocument>) {
  return {
    async findLatest(surveyId: string): Promise<Snapshot | undefined> {
      const latest = { sort: { version: -1 }, maxTimeMS: 5_000 } as const;
      const document = await systemScope(collection).findOne({ survey_id: surveyId }, latest);
      return document === null ? undefined : fromDocument(document);
    },

    async findVersion(tenantId: TenantId, surveyId: string, version: number): Promise<Snapshot | undefined> {
      const document = await tenantCollection(collection, tenantId).findOne({ _id: toId(surveyId, version) });
      return document === null ? undefined : fromDocument(document);
    },

    /** See `SnapshotStore`. */
    async save(snapshot: Snapshot, observedAt: Date): Promise<void> {
      const { surveyId, tenantId, version, status } = snapshot;
      const documents = tenantCollection(collection, tenantId);
      const notLater = { observed_at: { $lte: observedAt } };
      if (status === 'deleted') {
        // Mark all stored versions: `findLatest` reads the highest of them, which can be lower than `version`.
        await documents.updateMany({ survey_id: surveyId, ...notLater }, { $set: { status, observed_at: observedAt } });
        return;
      }
      try {
        await documents.updateOne(
          { _id: toId(surveyId, version), ...notLater },
          { $set: toFields(snapshot, observedAt), $setOnInsert: { survey_id: surveyId, version } },
          { upsert: true },
        );
      } catch (error) {
        // The stored snapshot is newer.
        if (!isDuplicateKey(error)) throw error;
      }
    },
  };
}

function toId(surveyId: string, version: number): string {
  return `${surveyId}:${version}`;
}

function toFields(snapshot: Snapshot, observedAt: Date) {
  const { schemaVersion, definition, wasPublished, status, settings, createdAt } = snapshot;
  return {
    ...(createdAt && { created_at: createdAt }),
    schema_version: schemaVersion,
    definition: JSON.stringify(definition),
    was_live: wasPublished,
    status,
    settings: toSettingsDocument(settings),
    observed_at: observedAt,
  };
}

function fromDocument(document: DefinitionDocument): Snapshot {
  return {
    surveyId: document.survey_id,
    tenantId: document.tenant_id,
    status: document.status,
    settings: fromSettingsDocument(document.settings),
    createdAt: document.created_at,
    schemaVersion: document.schema_version,
    version: document.version,
    wasPublished: document.was_live,
    definition: parseOwnObject(document.definition),
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

function fromSettingsDocument(document: SettingsDocument): SurveySettings {
  return {
    opensAt: document.opens_at ?? undefined,
    closesAt: document.closes_at ?? undefined,
    responseLimit: document.response_limit ?? undefined,
    access: document.access,
    languages: document.languages,
    retentionDays: document.retention_days ?? undefined,
    resumeAcrossDevices: document.resume_across_devices ?? true,
    metadataFields: document.metadata_fields ?? [],
  };
}
