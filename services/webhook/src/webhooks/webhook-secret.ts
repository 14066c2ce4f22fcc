import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { previousSecretAt, type Webhook } from './webhook.ts';

/** Prefix of generated secrets, before base64 (Standard Webhooks 1.0.0, "Signature scheme"). */
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/**
 * Minimum number of different bytes in a tenant's own secret. A random key of 13 bytes, the minimum length, almost
 * always has 10.
 */
const MIN_DIFFERENT_BYTES = 8;

/** Generates and encrypts the secrets that sign webhooks. */
export interface WebhookSecrets {
  make(): string;
  seal(webhook: Pick<Webhook, 'id' | 'tenantId'>, secret: string): Promise<EncryptedRecord>;
  open(webhook: Pick<Webhook, 'id' | 'tenantId'>, record: EncryptedRecord): Promise<string>;
  /** Returns the secrets that sign at this time, newest first. */
  signingAt(webhook: Webhook, time: Date): Promise<readonly [string, ...string[]]>;
}

interface Dependencies {
  readonly envelope: Pick<Envelope, 'encrypt' | 'decrypt'>;
  readonly randomBytes: (size: number) => Buffer;
}

export function createWebhookSecrets({ envelope, randomBytes }: Dependencies): WebhookSecrets {
  async function open({ id, tenantId }: Pick<Webhook, 'id' | 'tenantId'>, record: EncryptedRecord): Promise<string> {
    return Buffer.from(await envelope.decrypt(tenantId, aadOf(id), record)).toString();
  }

  return {
    make: () => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64'),
    seal: ({ id, tenantId }, secret) => envelope.encrypt(tenantId, aadOf(id), Buffer.from(secret)),
    open,
    async signingAt(webhook, time) {
      const newest = await open(webhook, webhook.secret);
      const previous = previousSecretAt(webhook, time);
      return previous === undefined ? [newest] : [newest, await open(webhook, previous.secret)];
    },
  };
}

/** Checks the content of a tenant's own secret. The contract checks its length. */
export function checkOwnSecret(secret: string): readonly FieldProblem[] {
  const path = '/secret';
  if (!secret.isWellFormed() || /\p{Cc}/u.test(secret)) {
    return [{ path, code: 'INVALID_SECRET', detail: 'The secret must not contain control characters' }];
  }
  if (secret.startsWith(SECRET_PREFIX) && decodeKey(secret).toString('base64') !== secret.slice(SECRET_PREFIX.length)) {
    return [{ path, code: 'INVALID_SECRET', detail: `The secret must be base64 with padding after ${SECRET_PREFIX}` }];
  }
  if (new Set(decodeKey(secret)).size < MIN_DIFFERENT_BYTES) {
    const detail = `The secret is easy to guess; its key must have at least ${MIN_DIFFERENT_BYTES} different bytes`;
    return [{ path, code: 'INVALID_SECRET', detail }];
  }
  return [];
}

/** The key of Standard Webhooks: base64 after the prefix, or the bytes of a secret without prefix. */
export function decodeKey(secret: string): Buffer {
  return secret.startsWith(SECRET_PREFIX)
    ? Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    : Buffer.from(secret);
}

/** The same for all secrets of a webhook, so that a rotation does not encrypt the previous secret again. */
function aadOf(webhookId: string): readonly string[] {
  return ['webhook', webhookId, 'secret'];
}
