import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord, KeyedHash } from '@survey/runtime/crypto/tenant-cipher';

/** `abandoned`: the response was in progress for too long without a save. */
export const responseStatuses = ['in_progress', 'completed', 'disqualified', 'abandoned'] as const;
export type ResponseStatus = (typeof responseStatuses)[number];

/** The fields of a response that are stored in plain text. */
export interface ResponseFields {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly surveyId: string;
  readonly surveyVersion: number;
  readonly status: ResponseStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly startedAt: Date | undefined;
  /** Time of completion or disqualification. */
  readonly completedAt: Date | undefined;
  readonly language: string | undefined;
  readonly linkId: string | undefined;
  /** The invitation of a single-use link, whose token the respondent had. */
  readonly invitationId: string | undefined;
  /** Id in the file that the response was imported from. */
  readonly externalId: string | undefined;
  /** Starts at 1. Each change adds 1. */
  readonly revision: number;
}

/** One respondent's answers to a survey. */
export interface Response extends ResponseFields {
  /** Normalised answers by question id. */
  readonly data: JsonObject;
  readonly metadata: JsonObject | undefined;
}

/** A stored response without answers and metadata. */
export type StoredResponseFields = Omit<SealedResponse, 'data' | 'metadata'>;

/** A response with its answers and metadata as JSON text. */
export interface ResponseText extends ResponseFields {
  readonly data: string;
  readonly metadata: string | undefined;
}

/** The fields of a response that summaries need. */
export type ResponseAnswers = Pick<
  Response,
  'surveyVersion' | 'status' | 'createdAt' | 'updatedAt' | 'startedAt' | 'completedAt' | 'data'
>;

/** A response with encrypted answers and metadata, as stored. */
export interface SealedResponse extends ResponseFields {
  readonly data: EncryptedRecord;
  readonly metadata: EncryptedRecord | undefined;
  /** Hash of the request that created the response, if it had an idempotency key. */
  readonly requestHash: KeyedHash | undefined;
}

/** `ResponseAnswers` with encrypted answers, as stored. */
export type SealedAnswers = Pick<SealedResponse, 'id' | 'tenantId' | 'surveyId' | keyof ResponseAnswers>;

/**
 * Returns the time of a change. It increases with each change of a response, even if the clocks of replicas differ:
 * summaries detect changed responses by the sum of these times.
 */
export function changeTime({ updatedAt }: Pick<ResponseFields, 'updatedAt'>, time: Date): Date {
  return new Date(Math.max(time.getTime(), updatedAt.getTime() + 1));
}
