import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord, KeyedHash } from '@survey/runtime/crypto/tenant-cipher';

/** `abandoned` is one that was in progress for too long. */
export const responseStatuses = ['in_progress', 'completed', 'disqualified', 'abandoned'] as const;
export type ResponseStatus = (typeof responseStatuses)[number];

/** What is stored of a response in clear. */
export interface ResponseHead {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly surveyId: string;
  readonly surveyVersion: number;
  readonly status: ResponseStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly startedAt: Date | undefined;
  /** When it was completed or disqualified; undefined before. */
  readonly completedAt: Date | undefined;
  /** The language that it was answered in. */
  readonly language: string | undefined;
  /** The link that it came through. */
  readonly linkId: string | undefined;
  /** Id that it had in the file it was imported from. */
  readonly externalId: string | undefined;
  /** 1, and one more with each change. */
  readonly revision: number;
}

/** One respondent's answers to a survey. */
export interface Response extends ResponseHead {
  /** Normalised answers by question id. */
  readonly data: JsonObject;
  readonly metadata: JsonObject | undefined;
}

/** What is read of a stored response where its answers are of no use. */
export type StoredHead = Omit<SealedResponse, 'data' | 'metadata'>;

/** A response with what its respondent wrote as JSON text. */
export interface ResponseText extends ResponseHead {
  readonly data: string;
  readonly metadata: string | undefined;
}

/** What is counted of a response. */
export type ResponseAnswers = Pick<
  Response,
  'surveyVersion' | 'status' | 'createdAt' | 'updatedAt' | 'completedAt' | 'data'
>;

/** A response as it is stored. */
export interface SealedResponse extends ResponseHead {
  readonly data: EncryptedRecord;
  readonly metadata: EncryptedRecord | undefined;
  /** Of the request that made it, when that one came with an idempotency key. */
  readonly requestHash: KeyedHash | undefined;
}

/** The same, as it is stored. */
export type SealedAnswers = Pick<
  SealedResponse,
  'id' | 'tenantId' | 'surveyId' | 'surveyVersion' | 'status' | 'createdAt' | 'updatedAt' | 'completedAt' | 'data'
>;
