import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { findPage } from '@survey/runtime/mongo/page';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { Survey, SurveyStatus } from './survey.ts';
import type { SurveyStore } from './survey-service.ts';

export interface SurveyDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  /** As JSON text: BSON has its own ideas about some members (`$ref`), and definitions come back deep-equal. */
  readonly definition: string;
  readonly schema_version: string;
  readonly version: number;
  readonly status: SurveyStatus;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly created_by: string;
  readonly updated_by: string;
  readonly published_at: Date | null;
  readonly deleted_at: Date | null;
  readonly deleted_by: string | null;
  readonly outbox: readonly OutboxEvent[];
}

export const surveyIndexes: IndexSpecs[string] = [
  { name: 'newest_first', key: { tenant_id: 1, deleted_at: 1, created_at: -1, _id: -1 } },
  { name: 'active', key: { tenant_id: 1 }, partialFilterExpression: { status: 'active', deleted_at: null } },
];

interface Dependencies {
  readonly collection: Collection<SurveyDocument>;
  /** Called after a write that left an event. */
  readonly onEvent: () => void;
}

export function createSurveyStore({ collection, onEvent }: Dependencies): SurveyStore & ActiveSurveys {
  return {
    async insert(survey, event) {
      await tenantCollection(collection, survey.tenantId).insertOne({ ...toDocument(survey), outbox: [event] });
      onEvent();
    },

    async find(tenantId, id) {
      const document = await tenantCollection(collection, tenantId).findOne({ _id: id, deleted_at: null });
      return document === null ? undefined : fromDocument(document);
    },

    async list(tenantId, { status, ...page }) {
      const filter = { deleted_at: null, ...(status === undefined ? {} : { status }) };
      const { items, ...rest } = await findPage(tenantCollection(collection, tenantId), filter, page);
      return { items: items.map(fromDocument), ...rest };
    },

    async replace(survey, event) {
      const before = { _id: survey.id, revision: survey.revision - 1, deleted_at: null };
      const update = { $set: toDocument(survey), $push: { outbox: event } };
      const { matchedCount } = await tenantCollection(collection, survey.tenantId).updateOne(before, update);
      onEvent();
      return matchedCount === 1;
    },

    async findAnywhere(id) {
      const document = await systemScope(collection).findOne({ _id: id });
      return document === null ? undefined : fromDocument(document);
    },

    async countActive() {
      const stages = [
        { $match: { status: 'active', deleted_at: null } },
        { $group: { _id: '$tenant_id', count: { $sum: 1 } } },
      ];
      const groups = await systemScope(collection)
        .aggregate<{ _id: TenantId; count: number }>(stages, { maxTimeMS: 2_000 })
        .toArray();
      return groups.map(({ _id, count }) => ({ tenantId: _id, count }));
    },
  };
}

/** Counts for the metrics of the platform's operators. */
export interface ActiveSurveys {
  countActive(): Promise<readonly { readonly tenantId: TenantId; readonly count: number }[]>;
}

function toDocument(survey: Survey): Omit<SurveyDocument, 'tenant_id' | 'outbox'> {
  return {
    _id: survey.id,
    definition: JSON.stringify(survey.definition),
    schema_version: survey.schemaVersion,
    version: survey.version,
    status: survey.status,
    revision: survey.revision,
    created_at: survey.createdAt,
    updated_at: survey.updatedAt,
    created_by: survey.createdBy,
    updated_by: survey.updatedBy,
    published_at: survey.publishedAt ?? null,
    deleted_at: survey.deletedAt ?? null,
    deleted_by: survey.deletedBy ?? null,
  };
}

function fromDocument(document: SurveyDocument): Survey {
  return {
    id: document._id,
    tenantId: document.tenant_id,
    definition: JSON.parse(document.definition),
    schemaVersion: document.schema_version,
    version: document.version,
    status: document.status,
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
