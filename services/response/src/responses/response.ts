import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord, KeyedHash } from '@survey/runtime/crypto/tenant-cipher';

export type ResponseStatus = 'completed' | 'disqualified';

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
  readonly completedAt: Date;
  /** Id that it had in the file it was imported from. */
  readonly externalId: string | undefined;
}

/** One respondent's answers to a survey. */
export interface Response extends ResponseHead {
  /** Normalised answers by question id. */
  readonly data: JsonObject;
  readonly metadata: JsonObject | undefined;
}

/** A response as it is stored. */
export interface SealedResponse extends ResponseHead {
  readonly data: EncryptedRecord;
  readonly metadata: EncryptedRecord | undefined;
  /** Of the request that made it, when that one came with an idempotency key. */
  readonly requestHash: KeyedHash | undefined;
}
