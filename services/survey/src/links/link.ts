import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';

/** A way to a survey, with its own address. */
export interface Link {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly surveyId: string;
  /** The last part of the address, unique on the platform. */
  readonly slug: string;
  /** Whether a person chose the slug. It then stays reserved for the tenant after the link is deleted. */
  readonly isSlugChosen: boolean;
  readonly active: boolean;
  readonly expiresAt: Date | undefined;
  readonly maxResponses: number | undefined;
  /** Encrypted key from which the tokens of a single-use link are derived. Tokens are not stored. */
  readonly sealedTokenKey: EncryptedRecord | undefined;
  /** Id of the last batch of tokens. Undefined until a second batch is made: the first has the id of the link. */
  readonly tokenBatch: string | undefined;
  readonly sealedPasswordHash: EncryptedRecord | undefined;
  /** Incremented by each change; part of event ids. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly createdBy: string;
  readonly updatedBy: string;
}

/** Characters of generated slugs, without similar-looking ones. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const SLUG_LENGTH = 16;
/** Matches the slugs that `makeSlug` can make. */
export const GENERATED_SLUG = new RegExp(`^[${ALPHABET}]{${SLUG_LENGTH}}$`);

/** Generates an unguessable slug: 16 characters with 80 random bits. */
export function makeSlug(randomBytes: (size: number) => Uint8Array): string {
  return Array.from(randomBytes(SLUG_LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}
