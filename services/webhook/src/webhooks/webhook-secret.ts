import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { changeLatest, type EditTarget } from '@survey/runtime/rpc/if-match';
import { applyChange, previousSecretAt, type Webhook } from './webhook.ts';
import { webhookAuditEvent } from './webhook-events.ts';
import type { WebhookService, WebhookStore } from './webhook-service.ts';

/** Prefix of generated secrets, before base64 (Standard Webhooks 1.0.0, "Signature scheme"). */
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** Minimum number of different bytes in a tenant's own secret. Random keys of 13 bytes almost always have 10. */
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

/** Equal for all secrets of a webhook, so that a rotation need not encrypt the previous secret again. */
function aadOf(webhookId: string): readonly string[] {
  return ['webhook', webhookId, 'secret'];
}

interface NewSecret {
  /** The tenant's own secret. If undefined, one is generated. */
  readonly secret: string | undefined;
  /** Time during which messages are also signed with the previous secret. */
  readonly overlapHours: number;
}

export interface Rotation {
  readonly webhook: Webhook;
  readonly secret: string;
  /** End of the overlap. Undefined if messages are not signed with the previous secret. */
  readonly previousExpiresAt: Date | undefined;
}

interface SecretRotationDependencies {
  readonly store: Pick<WebhookStore, 'replace'>;
  readonly webhooks: Pick<WebhookService, 'get'>;
  readonly secrets: WebhookSecrets;
  readonly clock: () => Date;
}

const HOUR_MS = 60 * 60_000;

export type SecretRotation = ReturnType<typeof createSecretRotation>;

/** Replaces the secret of a webhook, with an overlap in which both secrets sign. */
export function createSecretRotation({ store, webhooks, secrets, clock }: SecretRotationDependencies) {
  async function toRotation(webhook: Webhook, id: string): Promise<Rotation | undefined> {
    const { secret, rotationId, previousSecret } = webhook;
    if (rotationId === id)
      return {
        webhook,
        secret: await secrets.open(webhook, secret),
        previousExpiresAt: previousSecretAt(webhook, clock())?.expiresAt,
      };
    // Another rotation has followed, so the secret of this rotation is now the previous secret.
    if (previousSecret?.rotationId === id)
      return { webhook, secret: await secrets.open(webhook, previousSecret.secret), previousExpiresAt: undefined };
    return undefined;
  }

  return {
    /** Gives a webhook a new secret. A repeated call with the same rotation id returns the first result. */
    async rotate(edit: EditTarget, id: string, { secret: own, overlapHours }: NewSecret): Promise<Rotation> {
      const { context } = edit;
      const errors = own === undefined ? [] : checkOwnSecret(own);
      if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
      const secret = own ?? secrets.make();
      return changeLatest(edit, {
        read: () => webhooks.get(context.tenantId, edit.id),
        findApplied: (webhook) => toRotation(webhook, id),
        async write(before) {
          const time = clock();
          const expiresAt = new Date(time.getTime() + overlapHours * HOUR_MS);
          const previousSecret =
            overlapHours === 0 ? undefined : { secret: before.secret, rotationId: before.rotationId, expiresAt };
          const rotated = { secret: await secrets.seal(before, secret), rotationId: id, previousSecret };
          const webhook = applyChange(before, rotated, time);
          const event = webhookAuditEvent(context, 'webhook.secret_rotated', before, webhook);
          if (!(await store.replace(webhook, event))) return undefined;
          return { webhook, secret, previousExpiresAt: previousSecret?.expiresAt };
        },
      });
    },
  };
}
