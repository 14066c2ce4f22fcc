import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { toCanonicalJson } from '@survey/runtime/json/canonical-json';
import { parseOwnObject } from '@survey/runtime/json/parse-json';
import { type DueDocument, dueFilter } from '@survey/runtime/mongo/claim';
import {
  type Attempt,
  attemptCount,
  type Delivery,
  type DeliveryRecord,
  type DeliveryState,
  type DeliveryStatus,
  type FailureReason,
  type ReplyText,
  type SentRequest,
  type Step,
  type Trigger,
} from './delivery.ts';

/** A stored delivery. Its id derives from event and webhook, so each pair has one delivery. */
export interface DeliveryDocument extends DueDocument {
  readonly _id: string;
  readonly tenant_id: TenantId;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly event_time: Date;
  readonly response_id?: string;
  readonly response_deleted?: true;
  readonly body: EncryptedRecord['ct'];
  /** Set if `body` is encrypted: the members of the record other than the ciphertext. */
  readonly seal?: Omit<EncryptedRecord, 'ct'>;
  readonly awaits_answers?: true;
  readonly times_unreadable?: number;
  readonly trigger: Trigger;
  readonly redeliveries?: number;
  /** The last replay that included the delivery. */
  readonly replay_id?: string;
  /** `attemptsOutsideSchedule`, under its name in earlier releases. */
  readonly tried_before?: number;
  readonly status: DeliveryStatus;
  readonly failure_reason?: FailureReason;
  readonly attempts: readonly AttemptDocument[];
  readonly created_at: Date;
  /** The time that tenants see. A claim does not change it. */
  readonly next_attempt_at?: Date;
  /** The `step` of the state, under its name in earlier releases. */
  readonly lane: Step;
  readonly traceparent?: string;
}

export interface AttemptDocument {
  readonly number: number;
  readonly trigger: Trigger;
  readonly started_at: Date;
  readonly duration_ms: number;
  readonly status_code?: number;
  /** The reply without encryption, as the previous release stored it. Retention removes it. */
  readonly response_excerpt?: string;
  readonly reply?: EncryptedRecord;
  readonly error?: string;
  readonly request?: RequestDocument;
}

interface RequestDocument {
  readonly url: string;
  readonly headers?: readonly string[];
  readonly signed_at: Date;
}

/** The stored name of each member of the state. */
const FIELDS = {
  status: 'status',
  failureReason: 'failure_reason',
  nextAttemptAt: 'next_attempt_at',
  awaitsAnswers: 'awaits_answers',
  timesUnreadable: 'times_unreadable',
  trigger: 'trigger',
  redeliveries: 'redeliveries',
  attemptsOutsideSchedule: 'tried_before',
  step: 'lane',
  dueAt: 'due_at',
  claim: 'claim',
} as const satisfies Readonly<Record<keyof DeliveryState, keyof DeliveryDocument>>;

type StateField = (typeof FIELDS)[keyof DeliveryState];
type StateDocument = Pick<DeliveryDocument, StateField>;

/** Documents omit fields with these values. */
const isAbsent = (value: unknown) => value === undefined || value === false || value === 0;

function toFields(state: Partial<DeliveryState>) {
  const members = Object.entries(state).map(([name, value]) => [FIELDS[name as keyof DeliveryState], value] as const);
  const { stored = [], absent = [] } = Object.groupBy(members, ([, value]) => (isAbsent(value) ? 'absent' : 'stored'));
  return { stored: Object.fromEntries(stored), absent: absent.map(([name]) => name) };
}

export function toStateDocument(state: Partial<DeliveryState> & Pick<DeliveryState, 'status' | 'step' | 'trigger'>) {
  // `FIELDS` maps every member of the state.
  return toFields(state).stored as unknown as StateDocument;
}

/** Returns the MongoDB update of a transition. */
export function toUpdate(changes: Partial<DeliveryState>) {
  const { stored, absent } = toFields(changes);
  return {
    $set: stored as Partial<StateDocument>,
    $unset: Object.fromEntries(absent.map((name) => [name, ''])) as Partial<Record<StateField, ''>>,
  };
}

/** Matches documents with these members. */
export function toFilter(state: Partial<DeliveryState>) {
  const { stored, absent } = toFields(state);
  const filter = { ...stored, ...Object.fromEntries(absent.map((name) => [name, { $exists: false }])) };
  return filter as Partial<StateDocument>;
}

/** Matches deliveries that are over: delivered, or failed for good. */
export const endedFilter = toFilter({ dueAt: undefined });
/** Matches deliveries that no worker holds: not claimed, or claimed with a lease that has ended. */
export const freeFilter = (now: Date) => ({ $or: [toFilter({ claim: undefined }), dueFilter(now)] });

/** Matches documents with the same revision, by all values that `revisionOf` uses. */
export function unchangedFilter(delivery: DeliveryRecord) {
  const { redeliveries, nextAttemptAt, awaitsAnswers } = delivery;
  const hasNoLaterAttempt = { 'attempts.number': { $not: { $gt: attemptCount(delivery) } } };
  return { ...toFilter({ redeliveries, nextAttemptAt, awaitsAnswers }), ...hasNoLaterAttempt };
}

export function toAttemptDocument(attempt: Attempt): AttemptDocument {
  const { statusCode, reply, error, request } = attempt;
  return {
    number: attempt.number,
    trigger: attempt.trigger,
    started_at: attempt.startedAt,
    duration_ms: attempt.durationMs,
    ...(statusCode === undefined ? {} : { status_code: statusCode }),
    ...(reply === undefined ? {} : { reply }),
    ...(error === undefined ? {} : { error }),
    ...(request === undefined ? {} : { request: toRequestDocument(request) }),
  };
}

function toRequestDocument({ url, headerNames, signedAt }: SentRequest): RequestDocument {
  return { url, ...(headerNames.length > 0 && { headers: headerNames }), signed_at: signedAt };
}

export function fromAttemptDocument(document: AttemptDocument): Attempt {
  const { request } = document;
  return {
    number: document.number,
    trigger: document.trigger,
    startedAt: document.started_at,
    durationMs: document.duration_ms,
    statusCode: document.status_code,
    reply: document.reply,
    error: document.error,
    request: request && { url: request.url, headerNames: request.headers ?? [], signedAt: request.signed_at },
  };
}

/** Maps a document without its body. */
export function fromRecordDocument(document: Omit<DeliveryDocument, 'body'>): DeliveryRecord {
  return {
    id: document._id,
    tenantId: document.tenant_id,
    webhookId: document.webhook_id,
    eventId: document.event_id,
    eventType: document.event_type,
    eventTime: document.event_time,
    responseId: document.response_id,
    isResponseDeleted: document.response_deleted ?? false,
    awaitsAnswers: document.awaits_answers ?? false,
    timesUnreadable: document.times_unreadable ?? 0,
    trigger: document.trigger,
    redeliveries: document.redeliveries ?? 0,
    attemptsOutsideSchedule: document.tried_before ?? 0,
    status: document.status,
    failureReason: document.failure_reason,
    attempts: document.attempts.map(fromAttemptDocument),
    createdAt: document.created_at,
    nextAttemptAt: document.next_attempt_at,
    traceparent: document.traceparent ?? '',
  };
}

export function fromDocument(document: DeliveryDocument): Delivery {
  const { body, seal } = document;
  return { ...fromRecordDocument(document), body: body.value(), sealed: seal && { ...seal, ct: body } };
}

/**
 * Encrypts bodies with answers, and the replies of receivers, which can repeat answers. Each ciphertext is bound to its
 * tenant and delivery. The ciphertext of a reply is also bound to its attempt.
 */
export interface DeliveryEncryption {
  seal(delivery: Delivery, payload: JsonObject): Promise<EncryptedRecord>;
  /** Returns the stored bytes. If the response was deleted, `answers` is null. */
  open(delivery: Delivery): Promise<Uint8Array>;
  /** Loads the key before the attempt, so that the reply can be stored even if the keys become unavailable. */
  replySealer(delivery: Delivery): Promise<(attempt: number, reply: ReplyText) => EncryptedRecord>;
  openReply(delivery: Delivery, attempt: Attempt): Promise<ReplyText | undefined>;
}

export function createDeliveryEncryption(
  envelope: Pick<Envelope, 'cipherOf' | 'encrypt' | 'decrypt'>,
): DeliveryEncryption {
  return {
    seal: ({ tenantId, id }, payload) => envelope.encrypt(tenantId, aadOf(id), Buffer.from(toCanonicalJson(payload))),

    async open({ tenantId, id, body, sealed, isResponseDeleted }) {
      if (sealed === undefined) return body;
      const bytes = await envelope.decrypt(tenantId, aadOf(id), sealed);
      return isResponseDeleted ? Buffer.from(toCanonicalJson(withAnswers(fromBody(bytes), undefined))) : bytes;
    },

    async replySealer({ tenantId, id }) {
      const cipher = await envelope.cipherOf(tenantId);
      return (attempt, reply) => cipher.seal(replyAadOf(id, attempt), Buffer.from(JSON.stringify(reply)));
    },

    async openReply({ tenantId, id }, { number, reply }) {
      if (reply === undefined) return undefined;
      const bytes = await envelope.decrypt(tenantId, replyAadOf(id, number), reply);
      return JSON.parse(Buffer.from(bytes).toString());
    },
  };
}

export function fromBody(bytes: Uint8Array): JsonObject {
  return parseOwnObject(Buffer.from(bytes).toString());
}

export function dataOf(payload: JsonObject): JsonObject {
  // Every payload has an object `data`.
  return payload['data'] as JsonObject;
}

/** @param found undefined if the response was deleted */
export function withAnswers(
  payload: JsonObject,
  found: { readonly data: JsonObject; readonly metadata?: JsonObject | undefined } | undefined,
): JsonObject {
  const { metadata: _, ...data } = dataOf(payload);
  const { metadata } = found ?? {};
  return { ...payload, data: { ...data, answers: found?.data ?? null, ...(metadata && { metadata }) } };
}

/** Binds a ciphertext to its delivery: additional authenticated data. */
function aadOf(deliveryId: string): readonly string[] {
  return ['delivery', deliveryId, 'body'];
}

function replyAadOf(deliveryId: string, attempt: number): readonly string[] {
  return ['delivery', deliveryId, 'attempt', String(attempt), 'reply'];
}
