import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';

/** The fields of a link without its secrets and metadata. */
export interface LinkFields {
  readonly id: string;
  /** The slug under which the link was found: the current slug or a former one. */
  readonly slug: string;
  readonly currentSlug: string;
  readonly tenantId: TenantId;
  readonly surveyId: string;
  readonly active: boolean;
  readonly expiresAt: Date | undefined;
  readonly maxResponses: number | undefined;
  readonly singleUse: boolean;
  readonly revision: number;
}

export interface Link extends LinkFields {
  /** Key that verifies the tokens of a single-use link: 32 bytes. */
  readonly tokenKey: Uint8Array | undefined;
  readonly passwordHash: string | undefined;
  /** Metadata of each new response through the link. */
  readonly metadata: JsonObject | undefined;
}

export interface SealedLink extends LinkFields {
  readonly tokenKey: EncryptedRecord | undefined;
  readonly passwordHash: EncryptedRecord | undefined;
  readonly metadata: EncryptedRecord | undefined;
}

/** The snapshot of a deleted link: inactive, without secrets and metadata. */
export function toDeleted(link: Link): Link {
  return { ...link, active: false, tokenKey: undefined, passwordHash: undefined, metadata: undefined };
}

/** Returns an error code if the link is inactive or expired. */
export function linkRejectionOf(
  { active, expiresAt }: LinkFields,
  time: Date,
): 'LINK_NOT_FOUND' | 'LINK_EXPIRED' | undefined {
  if (!active) return 'LINK_NOT_FOUND';
  return expiresAt !== undefined && expiresAt <= time ? 'LINK_EXPIRED' : undefined;
}

export function isSameLink(one: Link, other: Link): boolean {
  return one.id === other.id && one.revision === other.revision && one.active === other.active;
}

/** Whether the link needs neither a token nor a password. */
export function isOpenToAll({ singleUse, passwordHash }: Link): boolean {
  return !singleUse && passwordHash === undefined;
}
