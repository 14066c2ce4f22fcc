import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { uuidOf } from '@survey/runtime/crypto/uuid-of';
import { toCanonicalJson } from '@survey/runtime/json/canonical-json';
import type { ReceivedEvent } from '@survey/runtime/kafka/event-message';
import type { ClaimLease } from '@survey/runtime/mongo/claim';
import { parse } from 'uuid';
import { RESPONSE_DELETED } from '../events/response-event-types.ts';
import type { Webhook } from '../webhooks/webhook.ts';

/** `fresh`: the first attempt of a new delivery. `retry`: every other attempt. */
export type SendStep = 'fresh' | 'retry';

/** The next step of a delivery. `answers`: add the answers of the response to the body, before the first attempt. */
export type Step = SendStep | 'answers';

export const steps: readonly Step[] = ['fresh', 'retry', 'answers'];

export interface WebhookKey {
  readonly tenantId: string;
  readonly webhookId: string;
}

/** Namespace of delivery ids (UUID version 5, RFC 9562). */
const DELIVERY_IDS = parse('d2f3d3a0-8a3e-4c0a-9c43-5b5f6f0b7c1e');

/** `failed`: the last attempt failed. Without a next attempt, the delivery has failed for good. */
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
/** The cause of an attempt. `redeliver`: a user sent the delivery again. `replay`: a user sent a time range again. */
export type Trigger = 'schedule' | 'redeliver' | 'replay' | 'test';
/** The number of attempts that a delivery keeps. Bounds the document of a delivery that users send again often. */
export const MAX_KEPT_ATTEMPTS = 50;
export type FailureReason = 'retries_exhausted' | 'webhook_disabled' | 'webhook_deleted' | 'answers_unreadable';

/**
 * An event for one webhook. When it is due, a worker claims it, so that no other process sends it, and makes an
 * attempt. A delivery is over when it is delivered or has failed for good.
 */
export interface Delivery {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly eventTime: Date;
  /** The response that the event is about. Undefined for other events, and in deliveries of earlier releases. */
  readonly responseId: string | undefined;
  /** Whether the response was deleted. If it was, replies are not stored. */
  readonly isResponseDeleted: boolean;
  /** The bytes to send, or their ciphertext if `sealed` is set. */
  readonly body: Uint8Array;
  /** Undefined if the body contains no answers, so it is not encrypted. */
  readonly sealed: EncryptedRecord | undefined;
  /** Whether the body still lacks the answers that the webhook asks for. */
  readonly awaitsAnswers: boolean;
  /** The number of failed reads of the answers. */
  readonly timesUnreadable: number;
  readonly trigger: Trigger;
  /** The number of redeliveries and replays. */
  readonly redeliveries: number;
  /**
   * The number of attempts that the retry schedule does not count. If a user sends a finished delivery again, these are
   * all earlier attempts. If a user sends a waiting delivery again, the requested attempt is added.
   */
  readonly attemptsOutsideSchedule: number;
  readonly status: DeliveryStatus;
  readonly failureReason: FailureReason | undefined;
  /** The last `MAX_KEPT_ATTEMPTS` attempts. */
  readonly attempts: readonly Attempt[];
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | undefined;
  /** W3C trace context of the event. Empty if there is none. */
  readonly traceparent: string;
}

export type DeliveryRecord = Omit<Delivery, 'body' | 'sealed'>;

/** One HTTP request of a delivery. */
export interface Attempt {
  readonly number: number;
  readonly trigger: Trigger;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly statusCode: number | undefined;
  /** The encrypted `ReplyText`. Undefined if there was no reply, or if it was erased or must not be stored. */
  readonly reply: EncryptedRecord | undefined;
  readonly error: string | undefined;
  /** Undefined for attempts of earlier releases. */
  readonly request?: SentRequest | undefined;
}

/** The text that a receiver returned. It can repeat answers. */
export interface ReplyText {
  readonly contentType: string | undefined;
  /** The first 1000 characters of the body. */
  readonly excerpt: string;
}

/** A request without the values of its headers, which can be secret. */
export interface SentRequest {
  readonly url: string;
  /** Names of the tenant's headers that were sent. */
  readonly headerNames: readonly string[];
  /** Time in the signature. */
  readonly signedAt: Date;
}

/** The result of a claimed delivery. Without an attempt, nothing was sent. */
export type Settlement =
  | { readonly status: 'delivered'; readonly attempt: Attempt }
  | { readonly status: 'failed'; readonly attempt: Attempt; readonly nextAttemptAt: Date }
  | FailedForGood;

interface FailedForGood {
  readonly status: 'failed';
  readonly attempt?: Attempt;
  readonly failureReason: FailureReason;
}

export const failedBy = (failureReason: FailureReason): FailedForGood => ({ status: 'failed', failureReason });

/** Creates the delivery of an event to a webhook. The id depends only on the event and the webhook. */
export function makeDelivery(event: ReceivedEvent, webhookId: string, time: Date): Delivery {
  const id = uuidOf(DELIVERY_IDS, `${event.id} ${webhookId}`);
  const responseId = event.data['response_id'];
  return {
    id,
    tenantId: event.tenantId,
    webhookId,
    eventId: event.id,
    eventType: event.type,
    eventTime: event.time,
    responseId: typeof responseId === 'string' ? responseId : undefined,
    isResponseDeleted: false,
    body: Buffer.from(toCanonicalJson(toPayload(event, id, time))),
    sealed: undefined,
    awaitsAnswers: false,
    timesUnreadable: 0,
    trigger: 'schedule',
    redeliveries: 0,
    attemptsOutsideSchedule: 0,
    status: 'pending',
    failureReason: undefined,
    attempts: [],
    createdAt: time,
    nextAttemptAt: time,
    traceparent: event.traceparent,
  };
}

export function toPayload({ type, data }: Pick<ReceivedEvent, 'type' | 'data'>, id: string, time: Date): JsonObject {
  return { api_version: 'v1', data, delivery_id: id, event: type, timestamp: time.toISOString() };
}

/** Whether replies are stored. Replies to an event of a response are stored only if its deletion can erase them. */
export function keepsReplies({ eventType, responseId, isResponseDeleted }: DeliveryRecord): boolean {
  if (isResponseDeleted || eventType === RESPONSE_DELETED) return false;
  return responseId !== undefined || !eventType.startsWith('response.');
}

/** The number of attempts, including those that are no longer kept. */
export function attemptCount({ attempts }: Pick<Delivery, 'attempts'>): number {
  return attempts.at(-1)?.number ?? 0;
}

/**
 * Increases with every change that the tenant can see. The end of a delivery adds 1. A redelivery or replay adds 2,
 * because it can remove the 1 of the end.
 */
export function revisionOf(delivery: DeliveryRecord): number {
  const { redeliveries, nextAttemptAt, awaitsAnswers } = delivery;
  const end = nextAttemptAt === undefined ? 1 : 0;
  return 1 + attemptCount(delivery) + 2 * redeliveries + end + (awaitsAnswers ? 0 : 1);
}

/**
 * The state of a delivery. A claim is the id of a worker's lease. After the lease, the delivery is due again.
 *
 * | state   | status             | `step`   | `dueAt`             | `claim`       | `nextAttemptAt` |
 * | ------- | ------------------ | --------- | ------------------- | ------------- | --------------- |
 * | waiting | pending or failed  | next step | when it may start   | -             | set             |
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
    | 'attemptsOutsideSchedule'
  > {
  readonly step: Step;
  readonly dueAt: Date | undefined;
  readonly claim: string | undefined;
}

const unclaimed = (dueAt: Date) => ({ dueAt, claim: undefined });
const over = { dueAt: undefined, claim: undefined, nextAttemptAt: undefined, timesUnreadable: 0 };

/** The members that each transition changes. */
export const transitions = {
  create({ status, awaitsAnswers, failureReason, trigger, nextAttemptAt }: Delivery) {
    const isOver = nextAttemptAt === undefined;
    // A delivery that is over is sent only if a user asks for it. New deliveries are sent first.
    const step = awaitsAnswers ? 'answers' : isOver ? 'retry' : 'fresh';
    const timing = isOver ? over : { ...unclaimed(nextAttemptAt), nextAttemptAt };
    return { status, awaitsAnswers, failureReason, trigger, step, ...timing };
  },

  claim: ({ claim, until }: ClaimLease) => ({ claim, dueAt: until }),

  release: unclaimed,

  /** The body is complete. The claim stays, and its lease begins again. */
  addAnswers: (step: SendStep, leaseUntil: Date) => ({
    dueAt: leaseUntil,
    step,
    awaitsAnswers: false,
    timesUnreadable: 0,
  }),

  /** The answers cannot be read now. */
  postpone: (timesUnreadable: number, dueAt: Date) => ({ ...unclaimed(dueAt), timesUnreadable }),

  settle(settlement: Settlement) {
    const { status } = settlement;
    const next = 'nextAttemptAt' in settlement ? settlement.nextAttemptAt : undefined;
    const timing = next === undefined ? over : { ...unclaimed(next), nextAttemptAt: next };
    const failureReason = 'failureReason' in settlement ? settlement.failureReason : undefined;
    return { status, failureReason, step: 'retry', ...timing };
  },

  /** A user sends the delivery again. See `attemptsOutsideSchedule`. */
  sendAgain(delivery: DeliveryRecord, trigger: Trigger, now: Date) {
    const { status, awaitsAnswers, nextAttemptAt, redeliveries, attemptsOutsideSchedule } = delivery;
    const isOver = nextAttemptAt === undefined;
    const attemptsSoFar = attemptCount(delivery);
    return {
      ...unclaimed(now),
      status: isOver ? 'pending' : status,
      failureReason: undefined,
      // Do not use `fresh`: new deliveries are sent first.
      step: awaitsAnswers ? 'answers' : 'retry',
      nextAttemptAt: now,
      trigger,
      redeliveries: redeliveries + 1,
      // At most all attempts so far: the schedule counts the next attempt as 1 or more.
      attemptsOutsideSchedule: isOver ? attemptsSoFar : Math.min(attemptsSoFar, attemptsOutsideSchedule + 1),
    };
  },
} as const satisfies Readonly<Record<string, (...args: never) => Partial<DeliveryState>>>;

export function applySettlement(delivery: Delivery, settlement: Settlement): Delivery {
  const { status, failureReason, nextAttemptAt } = transitions.settle(settlement);
  const attempts = settlement.attempt === undefined ? [] : [settlement.attempt];
  return { ...delivery, status, failureReason, nextAttemptAt, attempts: [...delivery.attempts, ...attempts] };
}

/** The decision that a delivery may not be sent. It ends the delivery. */
export interface Rejection {
  readonly settlement: FailedForGood;
  /** Whether fan-out stores the delivery as failed, so that the tenant can send it later. */
  readonly isStored: boolean;
}

/**
 * Decides whether a delivery may be sent to its webhook. Returns undefined if it may. Called before a delivery is
 * stored or made due, and after each claim, because a webhook can change while a delivery waits. A suspended tenant
 * still gets its deliveries.
 *
 * @param webhook undefined if it does not exist
 */
export function rejectionOf(
  webhook: Pick<Webhook, 'tenantId' | 'active' | 'disabledReason'> | undefined,
  { tenantId }: Pick<Delivery, 'tenantId'>,
): Rejection | undefined {
  if (webhook?.tenantId !== tenantId) return { settlement: failedBy('webhook_deleted'), isStored: false };
  if (webhook.active) return undefined;
  // A tenant that disables its webhook wants no events. If the platform disabled it, no event may be lost.
  return { settlement: failedBy('webhook_disabled'), isStored: webhook.disabledReason !== undefined };
}

/** Maximum seconds from an attempt to the next one, unless the concurrency of the webhook is used up. */
export const MAX_RETRY_SECONDS = 600;
export const MAX_RETRIES = 5;

/** A due retry starts within this time, unless the concurrency of the webhook is used up. */
const MAX_START_DELAY_MS = 10_000;
const MAX_PAUSE_MS = MAX_RETRY_SECONDS * 1000 - MAX_START_DELAY_MS;
const JITTER = 0.2;
/** Statuses whose `Retry-After` counts. */
const RETRY_AFTER_STATUSES = new Set<number | undefined>([429, 503]);

export interface RetrySchedule {
  /**
   * Returns the pause after an attempt in milliseconds, undefined after the last attempt. `Retry-After` of 429 or 503
   * can only extend the pause, to at most `MAX_PAUSE_MS`.
   *
   * @param attempt counted from 1
   */
  delayAfter(
    attempt: number,
    reply: { statusCode?: number | undefined; retryAfter?: string | undefined },
  ): number | undefined;
}

interface Options {
  /** The pauses after the first, second, … attempt. */
  readonly seconds: readonly number[];
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly clock: () => Date;
}

/** Adds ±20 % jitter, so that retries after an outage are spread. */
export function createRetrySchedule({ seconds, random, clock }: Options): RetrySchedule {
  return {
    delayAfter(attempt, { statusCode, retryAfter }) {
      const pause = seconds[attempt - 1];
      if (pause === undefined) return undefined;
      const jitteredMs = pause * 1000 * (1 - JITTER + 2 * JITTER * random());
      const requested = RETRY_AFTER_STATUSES.has(statusCode) ? parseRetryAfter(retryAfter ?? '', clock()) : 0;
      return Math.round(Math.min(Math.max(jitteredMs, requested), MAX_PAUSE_MS));
    },
  };
}

/** Parses `Retry-After` (RFC 9110, 10.2.3): seconds or an HTTP date. Returns milliseconds from now, 0 if invalid. */
export function parseRetryAfter(value: string, now: Date): number {
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const time = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? 0 : Math.max(0, time - now.getTime());
}
