import { AppError } from '@survey/runtime/errors/app-error';
import { changeLatest, type Edit } from '@survey/runtime/rpc/change-latest';
import { changed, previousSecretAt, type Webhook } from './webhook.ts';
import { webhookAuditEvent } from './webhook-events.ts';
import { checkOwnSecret, type WebhookSecrets } from './webhook-secret.ts';
import type { WebhookService, WebhookStore } from './webhook-service.ts';

export interface NewSecret {
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

interface Dependencies {
  readonly store: Pick<WebhookStore, 'replace'>;
  readonly webhooks: Pick<WebhookService, 'get'>;
  readonly secrets: WebhookSecrets;
  readonly clock: () => Date;
}

const HOUR_MS = 60 * 60_000;

export type SecretRotation = ReturnType<typeof createSecretRotation>;

export function createSecretRotation({ store, webhooks, secrets, clock }: Dependencies) {
  async function toRotation(webhook: Webhook, id: string): Promise<Rotation | undefined> {
    const { secret, rotationId, previousSecret } = webhook;
    if (rotationId === id)
      return {
        webhook,
        secret: await secrets.open(webhook, secret),
        previousExpiresAt: previousSecretAt(webhook, clock())?.expiresAt,
      };
    // A later rotation followed this one, so the secret of this one is now the previous secret.
    if (previousSecret?.rotationId === id)
      return { webhook, secret: await secrets.open(webhook, previousSecret.secret), previousExpiresAt: undefined };
    return undefined;
  }

  return {
    /**
     * Gives a webhook a new secret. During the overlap, messages are also signed with the previous one. A repeated call
     * with the same rotation id returns the first result.
     */
    async rotate(edit: Edit, id: string, { secret: own, overlapHours }: NewSecret): Promise<Rotation> {
      const { caller } = edit;
      const errors = own === undefined ? [] : checkOwnSecret(own);
      if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
      const secret = own ?? secrets.make();
      return changeLatest(edit, {
        read: () => webhooks.get(caller.tenantId, edit.id),
        findApplied: (webhook) => toRotation(webhook, id),
        async write(before) {
          const time = clock();
          const expiresAt = new Date(time.getTime() + overlapHours * HOUR_MS);
          const previousSecret =
            overlapHours === 0 ? undefined : { secret: before.secret, rotationId: before.rotationId, expiresAt };
          const rotated = { secret: await secrets.seal(before, secret), rotationId: id, previousSecret };
          const webhook = changed(before, rotated, time);
          const event = webhookAuditEvent(caller, 'webhook.secret_rotated', before, webhook);
          if (!(await store.replace(webhook, event))) return undefined;
          return { webhook, secret, previousExpiresAt: previousSecret?.expiresAt };
        },
      });
    },
  };
}
