import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { type OutboxEvent, replaceWithTombstone } from '@survey/runtime/kafka/outbox-event';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { insertOnce } from '@survey/runtime/mongo/insert-once';
import { findPage } from '@survey/runtime/mongo/page';
import { slotIndex, withSlot } from '@survey/runtime/mongo/slots';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
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
  /** Events that are not published to Kafka yet. They are stored with the change that they report. */
  readonly outbox: readonly OutboxEvent[];
  /** A number below the limit of webhooks, unique in the tenant. So it enforces the limit. */
  readonly slot: number;
  /** `breaker`, `failing` and `recent_tests` are state for deliveries. Writing them does not change the revision. */
  readonly breaker?: StoredBreaker;
  readonly failing?: StoredFailing;
  /** Tests of the last minute, to limit their rate. */
  readonly recent_tests?: readonly StoredTest[];
}

interface PreviousSecretDocument {
  readonly secret: EncryptedRecord;
  readonly rotation_id: string | null;
  readonly expires_at: Date;
}

/** An open circuit breaker, for one revision of the webhook. */
export interface StoredBreaker {
  readonly until: Date;
  /** A random id of the probe. The process that wrote it may send the probe. */
  readonly probe?: string;
  readonly pause_ms: number;
  readonly revision: number;
}

interface StoredTest {
  readonly id: string;
  /** The time of the database server. */
  readonly at: Date;
}

/** Start of the period in which all finished deliveries have failed, for one revision of the webhook. */
interface StoredFailing {
  readonly since: Date;
  readonly revision: number;
}

export const webhookIndexes: IndexSpecs[string] = [
  { name: 'newest_first', key: { tenant_id: 1, created_at: -1, _id: -1 } },
  { name: 'subscribed', key: { tenant_id: 1, event_types: 1 } },
  // Limits the webhooks of a tenant. Tombstones have no slot.
  slotIndex(),
];

interface Dependencies {
  readonly collection: Collection<WebhookDocument>;
  /** Called after a write that may have stored events. */
  readonly onEvent: () => void;
}

export function createWebhookStore({ collection, onEvent }: Dependencies): WebhookStore {
  return {
    async insert(webhook, event, max) {
      const webhooks = tenantCollection(collection, webhook.tenantId);
      const document = { _id: webhook.id, ...toFields(webhook), outbox: [event] };
      const stored = await withSlot({ collection: webhooks, max, id: webhook.id }, (slot) =>
        insertOnce(webhooks, { ...document, slot }),
      );
      if (stored === undefined) return undefined;
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

    async replace(webhook, event) {
      const filter = { _id: webhook.id, revision: webhook.revision - 1 };
      const update = { $set: toFields(webhook), $push: { outbox: event } };
      const { matchedCount } = await tenantCollection(collection, webhook.tenantId).updateOne(filter, update);
      onEvent();
      return matchedCount === 1;
    },

    async disable(webhook, events, failingSince) {
      const filter = {
        _id: webhook.id,
        revision: webhook.revision - 1,
        ...(failingSince && { 'failing.since': failingSince }),
      };
      const update = { $set: toFields(webhook), $push: { outbox: { $each: [...events] } } };
      const { matchedCount } = await tenantCollection(collection, webhook.tenantId).updateOne(filter, update);
      onEvent();
      return matchedCount === 1;
    },

    async remove({ tenantId, id, revision }, event) {
      const isRemoved = await replaceWithTombstone(collection, tenantId, { _id: id, revision }, [event]);
      onEvent();
      return isRemoved;
    },
  };
}

type WebhookFields = Omit<
  WebhookDocument,
  '_id' | 'tenant_id' | 'outbox' | 'slot' | 'breaker' | 'failing' | 'recent_tests'
>;

function toFields(webhook: Webhook): Required<WebhookFields> {
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
    // Earlier releases did not write this field.
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
