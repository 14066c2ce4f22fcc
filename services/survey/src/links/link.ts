import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';

/** An address of a survey that can be handed out. */
export interface Link {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly surveyId: string;
  /** The last part of its address, unique on the platform. */
  readonly slug: string;
  readonly active: boolean;
  readonly expiresAt: Date | undefined;
  /** How many responses come through it at the most. */
  readonly maxResponses: number | undefined;
  /** What the tokens of a single-use link follow from; other links have none. */
  readonly tokenKey: EncryptedRecord | undefined;
  /** Id of the tokens that were made last. */
  readonly tokenBatch: string | undefined;
  readonly passwordHash: EncryptedRecord | undefined;
  /** Counts the changes of the record; its events are named by it. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly createdBy: string;
  readonly updatedBy: string;
}

/** Characters of a slug that we make: no two that people take for each other. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const SLUG_LENGTH = 16;

/** A slug that nobody guesses: 16 characters with 80 random bits. */
export function makeSlug(randomBytes: (size: number) => Uint8Array): string {
  return Array.from(randomBytes(SLUG_LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}
