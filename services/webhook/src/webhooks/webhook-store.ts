import { randomInt } from 'node:crypto';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { entomb } from '@survey/runtime/kafka/entomb';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { insertOnce } from '@survey/runtime/mongo/insert-once';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { findPage } from '@survey/runtime/mongo/page';
import { type TenantCollection, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { DisabledReason, PreviousSecret, Webhook, WebhookHeader } from './webhook.ts';
import type { WebhookStore } from './webhook-service.ts';

export interface WebhookDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly url: string;
  readonly event_types: readonly string[];
  readonly survey_ids: readonly string[];
  readonly include_answers: boolean;
  readonly has_included_answers?: boolean;
  readonly active: boolean;
  readonly disabled_reason: DisabledReason | null;
  readonly description: string;
  readonly headers: readonly WebhookHeader[];
  readonly secret: EncryptedRecord;
  readonly rotation_id: string | null;
  readonly previous_secret: PreviousSecretDocument | null;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly outbox: readonly OutboxEvent[];
  /** From 0 to one less than a tenant may have webhooks; two webhooks of a tenant never have the same. */
  readonly slot: number;
  /** Not part of the webhook, these two: they come and go without a revision. */
  readonly breaker?: StoredBreaker;
  readonly failing?: StoredFailing;
}

interface PreviousSecretDocument {
  readonly secret: EncryptedRecord;
  readonly rotation_id: string | null;
  readonly expires_at: Date;
}

/** A breaker that is open, for one revision of the webhook. */
export interface StoredBreaker {
  readonly until: Date;
  /** Differs for each probe: whose it is tells who may send it. */
  readonly probe?: string;
  readonly pause_ms: number;
  readonly revision: number;
}

/** Since when all deliveries that ended have failed, at one revision of the webhook. */
interface StoredFailing {
  readonly since: Date;
  readonly revision: number;
}

export const webhookIndexes: IndexSpecs[string] = [
  { name: 'newest_first', key: { tenant_id: 1, created_at: -1, _id: -1 } },
  { name: 'subscribed', key: { tenant_id: 1, event_types: 1 } },
  // Keeps a tenant from having more webhooks than it may, however many are made at the same time. Tombstones have none.
  {
    name: 'slot',
    key: { tenant_id: 1, slot: 1 },
    unique: true,
    partialFilterExpression: { slot: { $exists: true } },
  },
];

interface Dependencies {
  readonly collection: Collection<WebhookDocument>;
  /** Called after a write that left an event. */
  readonly onEvent: () => void;
}

export function createWebhookStore({ collection, onEvent }: Dependencies): WebhookStore {
  return {
    async insert(webhook, event, max) {
      const webhooks = tenantCollection(collection, webhook.tenantId);
      const document = { _id: webhook.id, ...toFields(webhook), outbox: [event] };
      for (;;) {
        const slot = await findFreeSlot(webhooks, webhook.id, max);
        if (slot === undefined) return undefined;
        try {
          const stored = await insertOnce(webhooks, { ...document, slot });
          onEvent();
          return fromDocument(stored);
        } catch (error) {
          // Another webhook took the slot: fewer are free now, so this ends.
          if (!isDuplicateKey(error, 'slot')) throw error;
        }
      }
    },

    async find(tenantId, id) {
      const document = await tenantCollection(collection, tenantId).findOne({ _id: id });
      return document === null ? undefined : fromDocument(document);
    },

    async list(tenantId, query) {
      const { items, ...rest } = await findPage(tenantCollection(collection, tenantId), {}, query);
      return { items: items.map(fromDocument), ...rest };
    },

    async replace(webhook, event) {
      const before = { _id: webhook.id, revision: webhook.revision - 1 };
      const update = { $set: toFields(webhook), $push: { outbox: event } };
      const { matchedCount } = await tenantCollection(collection, webhook.tenantId).updateOne(before, update);
      onEvent();
      return matchedCount === 1;
    },

    async disable(webhook, events, failingSince) {
      const before = {
        _id: webhook.id,
        revision: webhook.revision - 1,
        ...(failingSince && { 'failing.since': failingSince }),
      };
      const update = { $set: toFields(webhook), $push: { outbox: { $each: [...events] } } };
      const { matchedCount } = await tenantCollection(collection, webhook.tenantId).updateOne(before, update);
      onEvent();
      return matchedCount === 1;
    },

    async remove({ tenantId, id, revision }, event) {
      const isRemoved = await entomb(collection, tenantId, { _id: id, revision }, [event]);
      onEvent();
      return isRemoved;
    },
  };
}

/** A slot that no webhook of the tenant has, or the one that this webhook has already; undefined when all are taken. */
async function findFreeSlot(
  webhooks: TenantCollection<WebhookDocument>,
  id: string,
  max: number,
): Promise<number | undefined> {
  const taken = await webhooks
    .find<Pick<WebhookDocument, '_id' | 'slot'>>({}, { projection: { slot: 1 }, limit: max })
    .toArray();
  const own = taken.find(({ _id }) => _id === id);
  if (own !== undefined) return own.slot;
  if (taken.length === max) return undefined;
  const slots = new Set(taken.map(({ slot }) => slot));
  const free = Array.from({ length: max }, (_, slot) => slot).filter((slot) => !slots.has(slot));
  // Any of them: those that are made at the same time seldom want the same.
  return free[randomInt(free.length)];
}

function toFields(
  webhook: Webhook,
): Omit<WebhookDocument, '_id' | 'tenant_id' | 'outbox' | 'slot' | 'breaker' | 'failing'> {
  return {
    url: webhook.url,
    event_types: webhook.eventTypes,
    survey_ids: webhook.surveyIds,
    include_answers: webhook.includeAnswers,
    has_included_answers: webhook.hasIncludedAnswers,
    active: webhook.active,
    disabled_reason: webhook.disabledReason ?? null,
    description: webhook.description,
    headers: webhook.headers,
    secret: webhook.secret,
    rotation_id: webhook.rotationId ?? null,
    previous_secret: webhook.previousSecret === undefined ? null : toPreviousDocument(webhook.previousSecret),
    revision: webhook.revision,
    created_at: webhook.createdAt,
    updated_at: webhook.updatedAt,
  };
}

export function fromDocument(document: WebhookDocument): Webhook {
  return {
    id: document._id,
    tenantId: document.tenant_id,
    url: document.url,
    eventTypes: document.event_types,
    surveyIds: document.survey_ids,
    includeAnswers: document.include_answers,
    // It may have been written by a process that does not know this yet.
    hasIncludedAnswers: document.has_included_answers === true || document.include_answers,
    active: document.active,
    disabledReason: document.disabled_reason ?? undefined,
    description: document.description,
    headers: document.headers,
    secret: document.secret,
    rotationId: document.rotation_id ?? undefined,
    previousSecret: document.previous_secret === null ? undefined : fromPreviousDocument(document.previous_secret),
    revision: document.revision,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}

function toPreviousDocument({ secret, rotationId, expiresAt }: PreviousSecret): PreviousSecretDocument {
  return { secret, rotation_id: rotationId ?? null, expires_at: expiresAt };
}

function fromPreviousDocument({ secret, rotation_id, expires_at }: PreviousSecretDocument): PreviousSecret {
  return { secret, rotationId: rotation_id ?? undefined, expiresAt: expires_at };
}
