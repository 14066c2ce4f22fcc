import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { Webhook } from './webhook.ts';

/** What secrets that we make begin with; the rest is base64 (Standard Webhooks 1.0.0, "Signature scheme"). */
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Makes the keys of signatures, and keeps them encrypted. */
export interface WebhookSecrets {
  make(): string;
  seal(tenantId: TenantId, webhookId: string, secret: string): Promise<EncryptedRecord>;
  open(webhook: Webhook): Promise<string>;
}

interface Dependencies {
  readonly envelope: Pick<Envelope, 'encrypt' | 'decrypt'>;
  readonly randomBytes: (size: number) => Buffer;
}

export function createWebhookSecrets({ envelope, randomBytes }: Dependencies): WebhookSecrets {
  return {
    make: () => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64'),
    seal: (tenantId, webhookId, secret) => envelope.encrypt(tenantId, placeOf(webhookId), Buffer.from(secret)),
    async open({ id, tenantId, secret }) {
      return Buffer.from(await envelope.decrypt(tenantId, placeOf(id), secret)).toString();
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
  return [];
}

/** The key of Standard Webhooks: what follows the prefix, decoded, and of a secret without it the bytes themselves. */
export function decodeKey(secret: string): Buffer {
  return secret.startsWith(SECRET_PREFIX)
    ? Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    : Buffer.from(secret);
}

function placeOf(webhookId: string): readonly string[] {
  return ['webhook', webhookId, 'secret'];
}
