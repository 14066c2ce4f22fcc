import type { Logger } from 'pino';
import type { Webhook } from '../webhooks/webhook.ts';
import type { WebhookService } from '../webhooks/webhook-service.ts';
import type { WebhookState } from './webhook-reader.ts';

/** Keeps since when everything that ended has failed. */
export interface FailureStore {
  /** Gives the time of the first failure since the last success; undefined when the webhook has been changed. */
  noteFailure(webhook: Webhook, now: Date): Promise<Date | undefined>;
  noteSuccess(webhook: Pick<Webhook, 'tenantId' | 'id'>): Promise<void>;
}

/** Switches webhooks off that have failed for long. */
export interface WebhookHealth {
  /** Takes over what is known, before each attempt. */
  learn(state: WebhookState): void;
  /** Something was delivered: it counts from the start again. */
  succeeded(webhook: Webhook): Promise<void>;
  /** A delivery failed for good. */
  failed(webhook: Webhook, traceparent: string): Promise<void>;
}

interface Dependencies {
  readonly store: FailureStore;
  readonly disable: WebhookService['disable'];
  readonly disableAfterMs: number;
  readonly clock: () => Date;
  readonly log: Logger;
}

/** Each is learnt anew before it matters. */
const MAX_KNOWN = 50_000;

export function createWebhookHealth({ store, disable, disableAfterMs, clock, log }: Dependencies): WebhookHealth {
  /** Those that have failed last: the others have nothing to reset. */
  const failing = new Set<string>();

  function know(id: string): void {
    failing.delete(id);
    failing.add(id);
    if (failing.size > MAX_KNOWN) failing.delete(failing.values().next().value ?? '');
  }

  async function noteFailure(webhook: Webhook, traceparent: string): Promise<void> {
    const now = clock();
    const since = await store.noteFailure(webhook, now);
    if (since === undefined) return;
    know(webhook.id);
    if (now.getTime() - since.getTime() >= disableAfterMs) await disable(webhook, 'failing', traceparent, since);
  }

  /** A failure here must not send again what was sent: the next delivery that ends makes up for it. */
  async function quietly(webhookId: string, work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => {
      log.warn({ err: error, webhook_id: webhookId }, 'how a webhook does was not written down');
    });
  }

  return {
    learn({ id, failingSince }) {
      if (failingSince === undefined) failing.delete(id);
      else know(id);
    },

    async succeeded(webhook) {
      if (!failing.has(webhook.id)) return;
      await quietly(webhook.id, store.noteSuccess(webhook));
      failing.delete(webhook.id);
    },

    failed: (webhook, traceparent) => quietly(webhook.id, noteFailure(webhook, traceparent)),
  };
}
