import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { uuidOf } from '@survey/runtime/crypto/uuid-of';
import { toCanonicalJson } from '@survey/runtime/json/canonical-json';
import type { OccurredEvent } from '@survey/runtime/kafka/read-event';
import { parse } from 'uuid';
import type { SendStage, Stage } from './stage.ts';

/** Namespace of delivery ids (RFC 9562, version 5): ours, made once. */
const DELIVERY_IDS = parse('d2f3d3a0-8a3e-4c0a-9c43-5b5f6f0b7c1e');

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
/** What an attempt is for. */
export type Trigger = 'schedule' | 'redeliver' | 'replay' | 'test';
/** What is kept of each delivery: redelivering it again and again must not make its document grow. */
export const MAX_ATTEMPTS = 50;
export type FailureReason = 'retries_exhausted' | 'webhook_disabled' | 'webhook_deleted' | 'answers_unreadable';

/** An event on its way to a webhook. */
export interface Delivery {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly eventTime: Date;
  /** The bytes of every attempt, encrypted when they are sealed. */
  readonly body: Uint8Array;
  /** The body, when there are answers in it. */
  readonly sealed: EncryptedRecord | undefined;
  /** Whether answers go into the body before the first attempt. */
  readonly awaitsAnswers: boolean;
  /** How often they could not be read since it waits for them. */
  readonly timesUnreadable: number;
  /** What its attempts are for. */
  readonly trigger: Trigger;
  /** How often it was asked for once more. */
  readonly redeliveries: number;
  /** The number of the last attempt that its schedule does not count. */
  readonly triedBefore: number;
  readonly status: DeliveryStatus;
  readonly failureReason: FailureReason | undefined;
  /** The last ones, `MAX_ATTEMPTS` at the most. */
  readonly attempts: readonly Attempt[];
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | undefined;
  /** W3C trace context that its attempts belong to, empty when there is none. */
  readonly traceparent: string;
}

/** A delivery without what is sent. */
export type DeliveryRecord = Omit<Delivery, 'body' | 'sealed'>;

/** One try to send a delivery. */
export interface Attempt {
  readonly number: number;
  readonly trigger: Trigger;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly statusCode: number | undefined;
  readonly contentType: string | undefined;
  readonly responseExcerpt: string | undefined;
  readonly error: string | undefined;
}

/** The result of a claimed delivery. Without an attempt nothing was sent. */
export type Settlement =
  | { readonly status: 'delivered'; readonly attempt: Attempt }
  | { readonly status: 'failed'; readonly attempt: Attempt; readonly nextAttemptAt: Date }
  | { readonly status: 'failed'; readonly attempt?: Attempt; readonly failureReason: FailureReason };

/** The delivery of an event to a webhook, with its body written once and for all. The same pair has always the same id. */
export function makeDelivery(event: OccurredEvent, webhookId: string, time: Date): Delivery {
  const id = uuidOf(DELIVERY_IDS, `${event.id} ${webhookId}`);
  return {
    id,
    tenantId: event.tenantId,
    webhookId,
    eventId: event.id,
    eventType: event.type,
    eventTime: event.time,
    body: Buffer.from(toCanonicalJson(toPayload(event, id, time))),
    sealed: undefined,
    awaitsAnswers: false,
    timesUnreadable: 0,
    trigger: 'schedule',
    redeliveries: 0,
    triedBefore: 0,
    status: 'pending',
    failureReason: undefined,
    attempts: [],
    createdAt: time,
    nextAttemptAt: time,
    traceparent: event.traceparent,
  };
}

/** What is sent. */
export function toPayload({ type, data }: Pick<OccurredEvent, 'type' | 'data'>, id: string, time: Date): JsonObject {
  return { api_version: 'v1', data, delivery_id: id, event: type, timestamp: time.toISOString() };
}

/** How many attempts have been made, also those that are not kept any more. */
export function attemptCount({ attempts }: Pick<Delivery, 'attempts'>): number {
  return attempts.at(-1)?.number ?? 0;
}

/** Grows with every change that the tenant can see. Sending again takes back the end of a delivery, so it counts twice. */
export function revisionOf(delivery: DeliveryRecord): number {
  const { redeliveries, nextAttemptAt, awaitsAnswers } = delivery;
  const isOver = nextAttemptAt === undefined ? 1 : 0;
  return 1 + attemptCount(delivery) + 2 * redeliveries + isOver + (awaitsAnswers ? 0 : 1);
}

/** `claim` is the fencing token: each claim has another one, and results under an older one are rejected. */
export interface Lease {
  readonly claim: string;
  readonly until: Date;
}

/**
 * The state of a delivery, with what only workers see of it.
 *
 * | state   | status             | `stage`   | `dueAt`             | `claim`       | `nextAttemptAt` |
 * | ------- | ------------------ | --------- | ------------------- | ------------- | --------------- |
 * | waiting | pending or failed  | next step | when it may begin   | -             | set             |
 * | claimed | pending or failed  | next step | end of the lease    | of its worker | set             |
 * | over    | delivered, failed  | not used  | -                   | -             | -               |
 */
export interface DeliveryState
  extends Pick<
    Delivery,
    | 'status'
    | 'failureReason'
    | 'nextAttemptAt'
    | 'awaitsAnswers'
    | 'timesUnreadable'
    | 'trigger'
    | 'redeliveries'
    | 'triedBefore'
  > {
  readonly stage: Stage;
  readonly dueAt: Date | undefined;
  readonly claim: string | undefined;
}

const waiting = (dueAt: Date) => ({ dueAt, claim: undefined });
const over = { dueAt: undefined, claim: undefined, nextAttemptAt: undefined, timesUnreadable: 0 };

/** Each transition with the members that it changes. */
export const transitions = {
  create({ status, awaitsAnswers, failureReason, trigger, nextAttemptAt }: Delivery) {
    const isOver = nextAttemptAt === undefined;
    const stage = awaitsAnswers ? 'answers' : isOver ? 'retry' : 'fresh';
    const times = isOver ? over : { ...waiting(nextAttemptAt), nextAttemptAt };
    return { status, awaitsAnswers, failureReason, trigger, stage, ...times };
  },

  claim: ({ claim, until }: Lease) => ({ claim, dueAt: until }),

  release: waiting,

  /** The body is complete. */
  fill: (stage: SendStage, now: Date) => ({ ...waiting(now), stage, awaitsAnswers: false, timesUnreadable: 0 }),

  /** The answers cannot be read now. */
  postpone: (timesUnreadable: number, dueAt: Date) => ({ ...waiting(dueAt), timesUnreadable }),

  settle(settlement: Settlement) {
    const { status } = settlement;
    const next = 'nextAttemptAt' in settlement ? settlement.nextAttemptAt : undefined;
    const times = next === undefined ? over : { ...waiting(next), nextAttemptAt: next };
    const failureReason = 'failureReason' in settlement ? settlement.failureReason : undefined;
    return { status, failureReason, stage: 'retry', ...times };
  },

  /** Attempts that somebody asked for do not count for the schedule. A delivery that is over starts a new one. */
  sendAgain(delivery: DeliveryRecord, trigger: Trigger, now: Date) {
    const { status, awaitsAnswers, nextAttemptAt, redeliveries, triedBefore } = delivery;
    const isOver = nextAttemptAt === undefined;
    const last = attemptCount(delivery);
    return {
      ...waiting(now),
      status: isOver ? 'pending' : status,
      failureReason: undefined,
      // Never before new deliveries.
      stage: awaitsAnswers ? 'answers' : 'retry',
      nextAttemptAt: now,
      trigger,
      redeliveries: redeliveries + 1,
      triedBefore: isOver ? last : Math.min(last, triedBefore + 1),
    };
  },
} as const satisfies Readonly<Record<string, (...args: never) => Partial<DeliveryState>>>;

/** A delivery after an attempt, or without one. */
export function settled(delivery: Delivery, settlement: Settlement): Delivery {
  const { status, failureReason, nextAttemptAt } = transitions.settle(settlement);
  const attempts = settlement.attempt === undefined ? [] : [settlement.attempt];
  return { ...delivery, status, failureReason, nextAttemptAt, attempts: [...delivery.attempts, ...attempts] };
}

/** A delivery to a webhook that is disabled: it is stored in case it is sent again. */
export function withoutAttempt(delivery: Delivery): Delivery {
  return settled(delivery, { status: 'failed', failureReason: 'webhook_disabled' });
}
