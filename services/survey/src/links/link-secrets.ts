import { LINK_TOKEN_KEY_BYTES, toLinkTokens } from '@survey/runtime/auth/link-token';
import type { PasswordHasher } from '@survey/runtime/auth/password-hash';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { createFairMutex } from '@survey/runtime/flow/fair-queue';
import type { Link } from './link.ts';

/** Encrypts the secrets of a link, bound to the link. */
export interface LinkSecrets {
  /** Creates an encrypted key for the tokens of a single-use link. */
  makeTokenKey(tenantId: TenantId, linkId: string): Promise<EncryptedRecord>;
  /**
   * Hashes a password, and encrypts the hash. A process hashes one password at a time, because each takes 0.1 s of a
   * core. Tenants alternate, so that none delays the others. Rejects with `OVERLOADED` if too many passwords wait.
   */
  hashPassword(tenantId: TenantId, linkId: string, password: string): Promise<EncryptedRecord>;
  /** Derives tokens of a link: always the same for a batch id. Empty if the link is not single-use. */
  deriveTokens(link: Link, batchId: string, count: number): Promise<readonly string[]>;
  /** Decrypts the secrets that are needed to check access. */
  open(link: Link): Promise<OpenedSecrets>;
}

export interface OpenedSecrets {
  readonly tokenKey: Uint8Array | undefined;
  readonly passwordHash: string | undefined;
}

interface Dependencies {
  readonly envelope: Pick<Envelope, 'encrypt' | 'decrypt'>;
  readonly passwords: Pick<PasswordHasher, 'hashPassword'>;
  readonly randomBytes: (size: number) => Uint8Array;
}

/** Maximum number of waiting passwords of a tenant, and of tenants with waiting passwords. */
const MAX_WAITING = { maxPerKey: 32, maxKeys: 64 };

export function createLinkSecrets({ envelope, passwords, randomBytes }: Dependencies): LinkSecrets {
  const mutex = createFairMutex(MAX_WAITING);

  async function decrypt({ id, tenantId }: Link, name: string, record: EncryptedRecord | undefined) {
    return record === undefined ? undefined : envelope.decrypt(tenantId, aadOf(id, name), record);
  }

  return {
    makeTokenKey: (tenantId, linkId) =>
      envelope.encrypt(tenantId, aadOf(linkId, 'token_key'), randomBytes(LINK_TOKEN_KEY_BYTES)),

    async hashPassword(tenantId, linkId, password) {
      const hash = await mutex.run(tenantId, () => passwords.hashPassword(password));
      return envelope.encrypt(tenantId, aadOf(linkId, 'password_hash'), Buffer.from(hash));
    },

    async deriveTokens(link, batchId, count) {
      const key = await decrypt(link, 'token_key', link.sealedTokenKey);
      return key === undefined ? [] : toLinkTokens(key, batchId, count);
    },

    async open(link) {
      const hash = await decrypt(link, 'password_hash', link.sealedPasswordHash);
      return {
        tokenKey: await decrypt(link, 'token_key', link.sealedTokenKey),
        passwordHash: hash && Buffer.from(hash).toString(),
      };
    },
  };
}

/** Additional authenticated data: binds a secret to its link and field. */
function aadOf(linkId: string, name: string): readonly string[] {
  return ['link', linkId, name];
}
