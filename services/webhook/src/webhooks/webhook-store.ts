import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { entomb } from '@survey/runtime/kafka/entomb';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { insertOnce } from '@survey/runtime/mongo/insert-once';
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
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly outbox: readonly OutboxEvent[];
}

export const webhookIndexes: IndexSpecs[string] = [
  { name: 'newest_first', key: { tenant_id: 1, created_at: -1, _id: -1 } },
  { name: 'subscribed', key: { tenant_id: 1, event_types: 1 } },
];

interface Dependencies {
  readonly collection: Collection<WebhookDocument>;
  /** Called after a write that left an event. */
  readonly onEvent: () => void;
}

export function createWebhookStore({ collection, onEvent }: Dependencies): WebhookStore {
  return {
    async insert(webhook, event) {
      const document = { _id: webhook.id, ...toFields(webhook), outbox: [event] };
      const stored = await insertOnce(tenantCollection(collection, webhook.tenantId), document);
      onEvent();
      return fromDocument(stored);
    },

    async find(tenantId, id) {
      const document = await tenantCollection(collection, tenantId).findOne({ _id: id });
      return document === null ? undefined : fromDocument(document);
    },

    async list(tenantId, query) {
      const { items, ...rest } = await findPage(tenantCollection(collection, tenantId), {}, query);
      return { items: items.map(fromDocument), ...rest };
    },

    async findSubscribed(tenantId, patterns) {
      const isOn = { $or: [{ active: true }, { disabled_reason: { $ne: null } }] };
      const filter = { event_types: { $in: [...patterns] }, ...isOn };
      return (await tenantCollection(collection, tenantId).find(filter).toArray()).map(fromDocument);
    },

    async replace(webhook, event) {
      const before = { _id: webhook.id, revision: webhook.revision - 1 };
      const update = { $set: toFields(webhook), $push: { outbox: event } };
      await tenantCollection(collection, webhook.tenantId).updateOne(before, update);
      onEvent();
    },

    async remove({ tenantId, id, revision }, event) {
      const isRemoved = await entomb(collection, tenantId, { _id: id, revision }, [event]);
      onEvent();
      return isRemoved;
    },
  };
}

function toFields(webhook: Webhook): Omit<WebhookDocument, '_id' | 'tenant_id' | 'outbox'> {
  return {
    url: webhook.url,
    event_types: webhook.eventTypes,
    active: webhook.active,
    disabled_reason: webhook.disabledReason ?? null,
    description: webhook.description,
    secret: webhook.secret,
    revision: webhook.revision,
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
    revision: document.revision,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}
