import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { toCanonicalJson } from '@survey/runtime/json/canonical-json';
import type { OccurredEvent } from '@survey/runtime/kafka/read-event';
import { v5 as uuidv5 } from 'uuid';

/** Namespace of delivery ids (RFC 9562, version 5): ours, made once. */
const DELIVERY_IDS = 'd2f3d3a0-8a3e-4c0a-9c43-5b5f6f0b7c1e';

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';
export type FailureReason = 'retries_exhausted' | 'webhook_disabled' | 'webhook_deleted';

/** An event on its way to a webhook. */
export interface Delivery {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly eventTime: Date;
  /** The bytes of every attempt. */
  readonly body: Uint8Array;
  readonly status: DeliveryStatus;
  readonly failureReason: FailureReason | undefined;
  readonly attempts: readonly Attempt[];
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | undefined;
  /** W3C trace context that its attempts belong to, empty when there is none. */
  readonly traceparent: string;
}

/** One try to send a delivery. */
export interface Attempt {
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly statusCode: number | undefined;
  readonly contentType: string | undefined;
  readonly responseExcerpt: string | undefined;
  readonly error: string | undefined;
}

/** What becomes of a delivery whose turn it was. Without an attempt nothing was sent. */
export type Settlement =
  | { readonly status: 'delivered'; readonly attempt: Attempt }
  | { readonly status: 'failed'; readonly attempt: Attempt; readonly nextAttemptAt: Date }
  | { readonly status: 'failed'; readonly attempt?: Attempt; readonly failureReason: FailureReason };

/** The delivery of an event to a webhook, with its body written once and for all. The same pair has always the same id. */
export function makeDelivery(event: OccurredEvent, webhookId: string, time: Date): Delivery {
  const id = uuidv5(`${event.id} ${webhookId}`, DELIVERY_IDS);
  const message = {
    api_version: 'v1',
    data: event.data,
    delivery_id: id,
    event: event.type,
    timestamp: time.toISOString(),
  };
  return {
    id,
    tenantId: event.tenantId,
    webhookId,
    eventId: event.id,
    eventType: event.type,
    eventTime: event.time,
    body: Buffer.from(toCanonicalJson(message)),
    status: 'pending',
    failureReason: undefined,
    attempts: [],
    createdAt: time,
    nextAttemptAt: time,
    traceparent: event.traceparent,
  };
}

/** Counts the changes of a delivery: each of them is an attempt, or its end, or both. */
export function revisionOf({ attempts, nextAttemptAt }: Delivery): number {
  return 1 + attempts.length + (nextAttemptAt === undefined ? 1 : 0);
}

/** A delivery to a webhook that is switched off: it is kept as it would have been sent. */
export function withoutAttempt(delivery: Delivery): Delivery {
  return { ...delivery, status: 'failed', failureReason: 'webhook_disabled', nextAttemptAt: undefined };
}
