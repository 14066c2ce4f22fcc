import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';

/** What is stored of a link in clear. */
export interface LinkHead {
  readonly id: string;
  readonly slug: string;
  readonly tenantId: TenantId;
  readonly surveyId: string;
  readonly active: boolean;
  readonly expiresAt: Date | undefined;
  readonly maxResponses: number | undefined;
  readonly singleUse: boolean;
  /** Counts the changes of the link. */
  readonly revision: number;
}

/** A link as the survey service told it. */
export interface Link extends LinkHead {
  /** What the tokens of a single-use link are verified with: 32 bytes. */
  readonly tokenKey: Uint8Array | undefined;
  readonly passwordHash: string | undefined;
}

/** A link as it is stored. */
export interface SealedLink extends LinkHead {
  readonly tokenKey: EncryptedRecord | undefined;
  readonly passwordHash: EncryptedRecord | undefined;
}

/** What is remembered of a link that was deleted: that nobody comes through it. */
export function toDeleted(link: Link): Link {
  return { ...link, active: false, tokenKey: undefined, passwordHash: undefined };
}

/** Why nobody comes through the link at a time; undefined when it is open. */
export function linkRefusalOf(
  { active, expiresAt }: LinkHead,
  time: Date,
): 'LINK_NOT_FOUND' | 'LINK_EXPIRED' | undefined {
  if (!active) return 'LINK_NOT_FOUND';
  return expiresAt !== undefined && expiresAt <= time ? 'LINK_EXPIRED' : undefined;
}

/** Whether both are the same link in the same state. */
export function isSameLink(one: Link, other: Link): boolean {
  return one.id === other.id && one.revision === other.revision && one.active === other.active;
}

/** Whether whoever knows the slug comes through the link. */
export function isOpenToAll({ singleUse, passwordHash }: Link): boolean {
  return !singleUse && passwordHash === undefined;
}
