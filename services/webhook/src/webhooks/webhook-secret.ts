import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { previousAt, type Webhook } from './webhook.ts';

/** What secrets that we make begin with; the rest is base64 (Standard Webhooks 1.0.0, "Signature scheme"). */
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** Of a tenant's own secret. A random key of 18 bytes, the shortest, has 17 or 18. */
const MIN_DIFFERENT_BYTES = 8;

/** Makes the keys of signatures, and keeps them encrypted. */
export interface WebhookSecrets {
  make(): string;
  seal(webhook: Pick<Webhook, 'id' | 'tenantId'>, secret: string): Promise<EncryptedRecord>;
  open(webhook: Pick<Webhook, 'id' | 'tenantId'>, record: EncryptedRecord): Promise<string>;
  /** Those that sign at this time, the newest first. */
  signingAt(webhook: Webhook, time: Date): Promise<readonly [string, ...string[]]>;
}

interface Dependencies {
  readonly envelope: Pick<Envelope, 'encrypt' | 'decrypt'>;
  readonly randomBytes: (size: number) => Buffer;
}

export function createWebhookSecrets({ envelope, randomBytes }: Dependencies): WebhookSecrets {
  async function open({ id, tenantId }: Pick<Webhook, 'id' | 'tenantId'>, record: EncryptedRecord): Promise<string> {
    return Buffer.from(await envelope.decrypt(tenantId, placeOf(id), record)).toString();
  }

  return {
    make: () => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64'),
    seal: ({ id, tenantId }, secret) => envelope.encrypt(tenantId, placeOf(id), Buffer.from(secret)),
    open,
    async signingAt(webhook, time) {
      const newest = await open(webhook, webhook.secret);
      const previous = previousAt(webhook, time);
      return previous === undefined ? [newest] : [newest, await open(webhook, previous.secret)];
    },
  };
}

/** What is wrong with a secret of the tenant's own, whose length is right. */
export function checkOwnSecret(secret: string): readonly FieldProblem[] {
  const path = '/secret';
  if (!secret.isWellFormed() || /\p{Cc}/u.test(secret)) {
    return [{ path, code: 'INVALID_SECRET', detail: 'Control characters cannot be part of a secret' }];
  }
  if (secret.startsWith(SECRET_PREFIX) && decodeKey(secret).toString('base64') !== secret.slice(SECRET_PREFIX.length)) {
    return [{ path, code: 'INVALID_SECRET', detail: `After ${SECRET_PREFIX} base64 with padding has to follow` }];
  }
  if (new Set(decodeKey(secret)).size < MIN_DIFFERENT_BYTES) {
    const detail = `The secret is easy to guess: its key needs at least ${MIN_DIFFERENT_BYTES} different bytes`;
    return [{ path, code: 'INVALID_SECRET', detail }];
  }
  return [];
}

/** The key of Standard Webhooks: what follows the prefix, decoded, and of a secret without it the bytes themselves. */
export function decodeKey(secret: string): Buffer {
  return secret.startsWith(SECRET_PREFIX)
    ? Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    : Buffer.from(secret);
}

/** The same for every secret of a webhook: one that becomes the previous one stays as it is. */
function placeOf(webhookId: string): readonly string[] {
  return ['webhook', webhookId, 'secret'];
}
