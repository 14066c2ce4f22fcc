import { AppError } from '@survey/runtime/errors/app-error';
import { changeLatest, type Edit } from '@survey/runtime/rpc/change-latest';
import { changed, previousAt, type Webhook } from './webhook.ts';
import { webhookEvent } from './webhook-events.ts';
import { checkOwnSecret, type WebhookSecrets } from './webhook-secret.ts';
import type { WebhookService, WebhookStore } from './webhook-service.ts';

export interface NewSecret {
  /** The tenant's own secret. If undefined, one is generated. */
  readonly secret: string | undefined;
  /** Time in which the previous secret signs too. */
  readonly overlapHours: number;
}

export interface Rotation {
  readonly webhook: Webhook;
  readonly secret: string;
  /** End of the overlap. Undefined if the previous secret does not sign. */
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
        previousExpiresAt: previousAt(webhook, clock())?.expiresAt,
      };
    // A later rotation made the secret of this one the previous secret.
    if (previousSecret?.rotationId === id)
      return { webhook, secret: await secrets.open(webhook, previousSecret.secret), previousExpiresAt: undefined };
    return undefined;
  }

  return {
    /**
     * Gives a webhook a new secret. The previous one signs too during the overlap. A repeated call with the same
     * rotation id returns the first result.
     */
    async rotate(edit: Edit, id: string, { secret: own, overlapHours }: NewSecret): Promise<Rotation> {
      const { by } = edit;
      const errors = own === undefined ? [] : checkOwnSecret(own);
      if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
      const secret = own ?? secrets.make();
      return changeLatest(edit, {
        read: () => webhooks.get(by.tenantId, edit.id),
        findMade: (webhook) => toRotation(webhook, id),
        async write(before) {
          const time = clock();
          const expiresAt = new Date(time.getTime() + overlapHours * HOUR_MS);
          const previousSecret =
            overlapHours === 0 ? undefined : { secret: before.secret, rotationId: before.rotationId, expiresAt };
          const rotated = { secret: await secrets.seal(before, secret), rotationId: id, previousSecret };
          const webhook = changed(before, rotated, time);
          const event = webhookEvent(by, 'webhook.secret_rotated', before, webhook);
          if (!(await store.replace(webhook, event))) return undefined;
          return { webhook, secret, previousExpiresAt: previousSecret?.expiresAt };
        },
      });
    },
  };
}
