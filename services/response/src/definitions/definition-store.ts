import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { DefinitionStatus, Snapshot } from './definition.ts';
import type { DefinitionStore } from './definition-service.ts';

/** One version of a survey's definition. That of the highest version has the state of the survey. */
export interface DefinitionDocument {
  /** `<survey id>:<version>` */
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly survey_id: string;
  readonly version: number;
  readonly schema_version: string;
  /** As JSON text: it goes out as it came in. */
  readonly definition: string;
  readonly status: DefinitionStatus;
  /** When the survey service was asked. */
  readonly observed_at: Date;
}

/** Respondents name the survey alone, so this one cannot start with the tenant. */
export const definitionIndexes: IndexSpecs[string] = [{ name: 'latest', key: { survey_id: 1, version: -1 } }];

export function createDefinitionStore(collection: Collection<DefinitionDocument>): DefinitionStore {
  return {
    async findLatest(surveyId) {
      const latest = { sort: { version: -1 }, maxTimeMS: 5_000 } as const;
      const document = await systemScope(collection).findOne({ survey_id: surveyId }, latest);
      return document === null ? undefined : fromDocument(document);
    },

    async save({ surveyId, tenantId, status, schemaVersion, version, definition }, observedAt) {
      const constant = {
        survey_id: surveyId,
        version,
        schema_version: schemaVersion,
        definition: JSON.stringify(definition),
      };
      try {
        await tenantCollection(collection, tenantId).updateOne(
          { _id: `${surveyId}:${version}`, observed_at: { $lte: observedAt } },
          { $set: { status, observed_at: observedAt }, $setOnInsert: constant },
          { upsert: true },
        );
      } catch (error) {
        // It is there, and another process asked later than this one.
        if (!isDuplicateKey(error)) throw error;
      }
    },
  };
}

function fromDocument(document: DefinitionDocument): Snapshot {
  return {
    surveyId: document.survey_id,
    tenantId: document.tenant_id,
    status: document.status,
    schemaVersion: document.schema_version,
    version: document.version,
    definition: JSON.parse(document.definition),
  };
}
