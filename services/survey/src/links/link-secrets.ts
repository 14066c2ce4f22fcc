import type { JsonObject } from '@bufbuild/protobuf';
import { LINK_TOKEN_KEY_BYTES, toLinkTokens } from '@survey/runtime/auth/link-token';
import type { PasswordHasher } from '@survey/runtime/auth/password-hash';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { createFairMutex } from '@survey/runtime/flow/fair-queue';
import { parseOwnObject } from '@survey/runtime/json/parse-json';
import type { Link } from './link.ts';

export interface OpenedSecrets {
  readonly tokenKey: Uint8Array | undefined;
  readonly passwordHash: string | undefined;
  readonly metadata: JsonObject | undefined;
}

interface Dependencies {
  readonly envelope: Pick<Envelope, 'encrypt' | 'decrypt'>;
  readonly passwords: Pick<PasswordHasher, 'hashPassword'>;
  readonly randomBytes: (size: number) => Uint8Array;
}

/** Maximum number of waiting passwords of a tenant, and of tenants with waiting passwords. */
const MAX_WAITING = { maxPerKey: 32, maxKeys: 64 };

export type LinkSecrets = ReturnType<typeof createLinkSecrets>;

/** Encrypts the secrets and metadata of links. Each ciphertext is bound to its link and field. */
export function createLinkSecrets({ envelope, passwords, randomBytes }: Dependencies) {
  const mutex = createFairMutex(MAX_WAITING);

  async function decrypt({ id, tenantId }: Link, name: string, record: EncryptedRecord | undefined) {
    return record === undefined ? undefined : envelope.decrypt(tenantId, aadOf(id, name), record);
  }

  async function openMetadata(link: Link): Promise<JsonObject | undefined> {
    const bytes = await decrypt(link, 'metadata', link.sealedMetadata);
    return bytes && parseOwnObject(Buffer.from(bytes).toString());
  }

  return {
    makeTokenKey: (tenantId: TenantId, linkId: string): Promise<EncryptedRecord> =>
      envelope.encrypt(tenantId, aadOf(linkId, 'token_key'), randomBytes(LINK_TOKEN_KEY_BYTES)),

    /**
     * Hashes a password, and encrypts the hash, so that a copy of the database is no help to guess the password.
     * Hashing takes 0.1 s of a core, so a process hashes one password at a time, and tenants alternate. Rejects with
     * `OVERLOADED` if too many passwords wait.
     */
    async sealPassword(tenantId: TenantId, linkId: string, password: string): Promise<EncryptedRecord> {
      const hash = await mutex.run(tenantId, () => passwords.hashPassword(password));
      return envelope.encrypt(tenantId, aadOf(linkId, 'password_hash'), Buffer.from(hash));
    },

    /** Returns undefined for metadata without members. */
    async sealMetadata(tenantId: TenantId, linkId: string, metadata: JsonObject): Promise<EncryptedRecord | undefined> {
      if (Object.keys(metadata).length === 0) return undefined;
      return envelope.encrypt(tenantId, aadOf(linkId, 'metadata'), Buffer.from(JSON.stringify(metadata)));
    },

    openMetadata,

    /** Derives the tokens of a batch, the same each time. Returns none if the link is not single-use. */
    async deriveTokens(link: Link, batchId: string, count: number): Promise<readonly string[]> {
      const key = await decrypt(link, 'token_key', link.sealedTokenKey);
      return key === undefined ? [] : toLinkTokens(key, batchId, count);
    },

    async open(link: Link): Promise<OpenedSecrets> {
      const hash = await decrypt(link, 'password_hash', link.sealedPasswordHash);
      return {
        tokenKey: await decrypt(link, 'token_key', link.sealedTokenKey),
        passwordHash: hash && Buffer.from(hash).toString(),
        metadata: await openMetadata(link),
      };
    },
  };
}

/** Additional authenticated data: binds a secret to its link and field. */
function aadOf(linkId: string, name: string): readonly string[] {
  return ['link', linkId, name];
}
