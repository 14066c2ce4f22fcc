import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import type { Link, LinkFields, SealedLink } from './link.ts';

/** Encrypts the secrets of links. The ciphertexts are bound to tenant, link and field. */
export interface LinkSealer {
  seal(link: Link): Promise<SealedLink>;
  open(sealed: SealedLink): Promise<Link>;
}

export function createLinkSealer(envelope: Envelope): LinkSealer {
  async function seal(link: LinkFields, field: string, secret: Uint8Array | undefined) {
    return secret && (await envelope.encrypt(link.tenantId, aadOf(link, field), secret));
  }

  async function open(link: LinkFields, field: string, record: EncryptedRecord | undefined) {
    return record && (await envelope.decrypt(link.tenantId, aadOf(link, field), record));
  }

  return {
    async seal({ tokenKey, passwordHash, ...fields }) {
      return {
        ...fields,
        tokenKey: await seal(fields, 'token_key', tokenKey),
        passwordHash: await seal(
          fields,
          'password_hash',
          passwordHash === undefined ? undefined : toBytes(passwordHash),
        ),
      };
    },

    async open({ tokenKey, passwordHash, ...fields }) {
      const hash = await open(fields, 'password_hash', passwordHash);
      return {
        ...fields,
        tokenKey: await open(fields, 'token_key', tokenKey),
        passwordHash: hash && Buffer.from(hash).toString(),
      };
    },
  };
}

function aadOf({ id }: LinkFields, field: string): readonly string[] {
  return ['link', id, field];
}

function toBytes(text: string): Uint8Array {
  return Buffer.from(text);
}
