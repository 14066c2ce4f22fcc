import { isDeepStrictEqual } from 'node:util';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';

/** Why the platform switched a webhook off: it answered 410, or everything failed for good for days. */
export type DisabledReason = 'gone' | 'failing';

/** The fields of a webhook that its tenant sets. */
export interface WebhookSettings {
  readonly url: string;
  /** Types, families (`survey.*`) or `*`. */
  readonly eventTypes: readonly string[];
  /** Events of other surveys are not sent; those of all are when there are none here. */
  readonly surveyIds: readonly string[];
  /** Whether events of responses carry their answers. */
  readonly includeAnswers: boolean;
  readonly active: boolean;
  readonly description: string;
}

/** An address that a tenant's events are sent to. */
export interface Webhook extends WebhookSettings {
  readonly id: string;
  readonly tenantId: TenantId;
  /** Whether events carry answers, or did at any time: then deliveries with answers may be kept. */
  readonly hasIncludedAnswers: boolean;
  /** Undefined when it is active, and when the tenant itself has it off. */
  readonly disabledReason: DisabledReason | undefined;
  /** Of every request, beside ours. No two have the same name, whatever its case. */
  readonly headers: readonly WebhookHeader[];
  /** Key of the signatures. */
  readonly secret: EncryptedRecord;
  /** The rotation that made the secret; undefined for the first one. */
  readonly rotationId: string | undefined;
  readonly previousSecret: PreviousSecret | undefined;
  /** Counts the changes of the record. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface WebhookHeader {
  readonly name: string;
  readonly value: EncryptedRecord;
}

/** The key before the last rotation, which signs too for a while. */
export interface PreviousSecret {
  readonly secret: EncryptedRecord;
  readonly rotationId: string | undefined;
  readonly expiresAt: Date;
}

/** The webhook as changed by somebody. */
export function changed(webhook: Webhook, change: Partial<Webhook>, time: Date): Webhook {
  return { ...webhook, ...change, revision: webhook.revision + 1, updatedAt: time };
}

/** Whether a change makes that answers go somewhere, or others than before. Those that are kept go where all go. */
export function sendsMoreAnswers(before: Webhook, after: Webhook): boolean {
  const isSwitchedOn = after.active && !before.active;
  const isElsewhere = isSwitchedOn || !isDeepStrictEqual(addressOf(before), addressOf(after));
  if (after.hasIncludedAnswers && isElsewhere) return true;
  return after.includeAnswers && !isDeepStrictEqual(reachOf(before), reachOf(after));
}

/** Where it goes. */
function addressOf({ url, headers }: Webhook) {
  return { url, headers };
}

/** Of what answers are taken. */
function reachOf({ eventTypes, surveyIds, includeAnswers }: Webhook) {
  return { eventTypes, surveyIds, includeAnswers };
}

/** The secret before, while it signs. */
export function previousAt({ previousSecret }: Webhook, time: Date): PreviousSecret | undefined {
  return previousSecret !== undefined && time < previousSecret.expiresAt ? previousSecret : undefined;
}
