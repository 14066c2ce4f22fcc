import { isDeepStrictEqual } from 'node:util';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { isEventName, isEventPattern } from '../events/event-catalog.ts';
import { ADDRESS_REFUSED, type TargetCheck } from '../targets/target.ts';

/** The reason for disabling a webhook: its receiver replied with 410, or all deliveries failed for days. */
export type DisabledReason = 'gone' | 'failing';

/** The fields of a webhook that its tenant sets. */
export interface WebhookSettings {
  readonly url: string;
  /** Names, patterns like `survey.*`, or `*`. */
  readonly eventTypes: readonly string[];
  /** Only events of these surveys are sent. If empty, events of all surveys. */
  readonly surveyIds: readonly string[];
  /** Whether events of responses include answers. */
  readonly includeAnswers: boolean;
  readonly active: boolean;
  readonly description: string;
}

/** A URL that receives events of a tenant. */
export interface Webhook extends WebhookSettings {
  readonly id: string;
  readonly tenantId: TenantId;
  /** Whether events include answers, or ever did. If so, stored deliveries may contain answers. */
  readonly hasIncludedAnswers: boolean;
  /** Undefined if the webhook is active, or if the tenant disabled it. */
  readonly disabledReason: DisabledReason | undefined;
  /** Headers of every request, besides those of the platform. Names are unique, regardless of case. */
  readonly headers: readonly WebhookHeader[];
  /** The secret that signs requests. */
  readonly secret: EncryptedRecord;
  /** The rotation that made the secret. Undefined for the first secret. */
  readonly rotationId: string | undefined;
  readonly previousSecret: PreviousSecret | undefined;
  /** Increases with each change. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface WebhookHeader {
  readonly name: string;
  readonly value: EncryptedRecord;
  /** Origin of the URL for which the value was set. The value is sent nowhere else. Earlier releases stored none. */
  readonly origin?: string;
}

/** The secret before the last rotation. Until it expires, requests are also signed with it. */
export interface PreviousSecret {
  readonly secret: EncryptedRecord;
  readonly rotationId: string | undefined;
  readonly expiresAt: Date;
}

/** Applies a change, and increases the revision. */
export function applyChange(webhook: Webhook, change: Partial<Webhook>, time: Date): Webhook {
  return { ...webhook, ...change, revision: webhook.revision + 1, updatedAt: time };
}

/** Whether a change sends more answers, or sends answers to another receiver, including those in stored deliveries. */
export function sendsMoreAnswers(before: Webhook, after: Webhook): boolean {
  const isActivated = after.active && !before.active;
  const hasNewReceiver = isActivated || !isDeepStrictEqual(receiverOf(before), receiverOf(after));
  if (after.hasIncludedAnswers && hasNewReceiver) return true;
  return after.includeAnswers && !isDeepStrictEqual(subscriptionOf(before), subscriptionOf(after));
}

/** Scheme, host and port of the URL of a webhook. */
export function originOf({ url }: Pick<Webhook, 'url'>): string {
  return new URL(url).origin;
}

function receiverOf({ url, headers }: Webhook) {
  return { url, headers };
}

function subscriptionOf({ eventTypes, surveyIds, includeAnswers }: Webhook) {
  return { eventTypes, surveyIds, includeAnswers };
}

/** The previous secret, if it still signs at this time. */
export function previousSecretAt({ previousSecret }: Webhook, time: Date): PreviousSecret | undefined {
  return previousSecret !== undefined && time < previousSecret.expiresAt ? previousSecret : undefined;
}

/** Checks the event types of a webhook: names or patterns. */
export function checkEventTypes(patterns: readonly string[]): readonly FieldProblem[] {
  if (patterns.length === 0)
    return [{ path: '/event_types', code: 'REQUIRED', detail: 'A webhook needs at least one event type' }];
  return unknownAmong(patterns, isEventPattern);
}

/** Checks event types without patterns. */
export function checkEventNames(names: readonly string[]): readonly FieldProblem[] {
  return unknownAmong(names, isEventName);
}

/** Reports the ids that are not in `known`. */
export function checkSurveyIds(ids: readonly string[], known: ReadonlySet<string>): readonly FieldProblem[] {
  const problem = { code: 'UNKNOWN_SURVEY', detail: 'There is no survey with this id' };
  return ids.flatMap((id, index) => (known.has(id) ? [] : [{ path: `/survey_ids/${index}`, ...problem }]));
}

function unknownAmong(given: readonly string[], isKnown: (name: string) => boolean): readonly FieldProblem[] {
  const problem = {
    code: 'UNKNOWN_EVENT_TYPE',
    detail: 'There is no event type with this name; see GET /v1/webhook-event-types',
  };
  return given.flatMap((name, index) => (isKnown(name) ? [] : [{ path: `/event_types/${index}`, ...problem }]));
}

/** Throws `WEBHOOK_URL_REFUSED` if the URL is not allowed. */
export function requireAllowed(check: TargetCheck): void {
  if (check.kind === 'allowed') return;
  const problems = check.kind === 'rejected' ? check.problems : [ADDRESS_REFUSED];
  const errors = problems.map((problem) => ({ path: '/url', ...problem }));
  // Clients do not see why a name does not resolve. Logs have the cause.
  const cause = check.kind === 'unresolved' ? check.cause : undefined;
  throw new AppError('WEBHOOK_URL_REFUSED', { errors, cause });
}
