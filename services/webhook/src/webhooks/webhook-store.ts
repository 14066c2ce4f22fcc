import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { findPage } from '@survey/runtime/mongo/page';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { DisabledReason, Webhook } from './webhook.ts';
import type { WebhookStore } from './webhook-service.ts';

export interface WebhookDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly url: string;
  readonly event_types: readonly string[];
  readonly active: boolean;
  readonly disabled_reason: DisabledReason | null;
  readonly description: string;
  readonly secret: EncryptedRecord;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const webhookIndexes: IndexSpecs[string] = [
  { name: 'newest_first', key: { tenant_id: 1, created_at: -1, _id: -1 } },
  { name: 'subscribed', key: { tenant_id: 1, event_types: 1 } },
];

export function createWebhookStore(collection: Collection<WebhookDocument>): WebhookStore {
  return {
    async insert(webhook) {
      await tenantCollection(collection, webhook.tenantId).insertOne(toDocument(webhook));
    },

    async find(tenantId, id) {
      const document = await tenantCollection(collection, tenantId).findOne({ _id: id });
      return document === null ? undefined : fromDocument(document);
    },

    async list(tenantId, query) {
      const { items, ...rest } = await findPage(tenantCollection(collection, tenantId), {}, query);
      return { items: items.map(fromDocument), ...rest };
    },

    async remove(tenantId, id) {
      const { deletedCount } = await tenantCollection(collection, tenantId).deleteOne({ _id: id });
      return deletedCount === 1;
    },

    async findSubscribed(tenantId, patterns) {
      const isOn = { $or: [{ active: true }, { disabled_reason: { $ne: null } }] };
      const filter = { event_types: { $in: [...patterns] }, ...isOn };
      return (await tenantCollection(collection, tenantId).find(filter).toArray()).map(fromDocument);
    },

    async disable(tenantId, id, reason, time) {
      const update = { $set: { active: false, disabled_reason: reason, updated_at: time } };
      await tenantCollection(collection, tenantId).updateOne({ _id: id, active: true }, update);
    },
  };
}

function toDocument(webhook: Webhook): Omit<WebhookDocument, 'tenant_id'> {
  return {
    _id: webhook.id,
    url: webhook.url,
    event_types: webhook.eventTypes,
    active: webhook.active,
    disabled_reason: webhook.disabledReason ?? null,
    description: webhook.description,
    secret: webhook.secret,
    created_at: webhook.createdAt,
    updated_at: webhook.updatedAt,
  };
}

function fromDocument(document: WebhookDocument): Webhook {
  return {
    id: document._id,
    tenantId: document.tenant_id,
    url: document.url,
    eventTypes: document.event_types,
    active: document.active,
    disabledReason: document.disabled_reason ?? undefined,
    description: document.description,
    secret: document.secret,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}
