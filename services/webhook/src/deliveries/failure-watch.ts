import type { Logger } from 'pino';
import type { Webhook } from '../webhooks/webhook.ts';
import type { WebhookService } from '../webhooks/webhook-service.ts';
import type { WebhookState } from './webhook-reader.ts';

/** Stores the start of the period in which all ended deliveries of a webhook have failed. */
export interface FailureStore {
  /** Returns the time of the first failure since the last success. Undefined if the webhook has been changed. */
  noteFailure(webhook: Webhook, now: Date): Promise<Date | undefined>;
  noteSuccess(webhook: Pick<Webhook, 'tenantId' | 'id'>): Promise<void>;
}

/** Disables webhooks whose deliveries have all failed for days. */
export interface FailureWatch {
  /** Adopts the stored state, before each attempt. */
  adoptState(state: WebhookState): void;
  /** An attempt succeeded, which ends the period of failures. */
  succeeded(webhook: Webhook): Promise<void>;
  /** Like `succeeded`, also for a webhook whose state was not adopted. */
  reset(webhook: Webhook): Promise<void>;
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

/** Maximum number of webhooks in memory. `learn` adds an evicted webhook again before its next attempt. */
const MAX_CACHED = 50_000;

export function createFailureWatch({ store, disable, disableAfterMs, clock, log }: Dependencies): FailureWatch {
  /** Webhooks with a stored failure, most recently updated last. Others have nothing to reset. */
  const failing = new Set<string>();

  function markFailing(id: string): void {
    failing.delete(id);
    failing.add(id);
    if (failing.size > MAX_CACHED) failing.delete(failing.values().next().value ?? '');
  }

  async function noteFailure(webhook: Webhook, traceparent: string): Promise<void> {
    const now = clock();
    const since = await store.noteFailure(webhook, now);
    if (since === undefined) return;
    markFailing(webhook.id);
    if (now.getTime() - since.getTime() >= disableAfterMs) await disable(webhook, 'failing', traceparent, since);
  }

  /** Only logs errors: failing here would send the delivery twice. The next delivery that ends corrects the state. */
  async function logErrors(webhookId: string, work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => {
      log.warn({ err: error, webhook_id: webhookId }, 'cannot store since when a webhook fails');
    });
  }

  async function reset(webhook: Webhook): Promise<void> {
    await logErrors(webhook.id, store.noteSuccess(webhook));
    failing.delete(webhook.id);
  }

  return {
    adoptState({ id, failingSince }) {
      if (failingSince === undefined) failing.delete(id);
      else markFailing(id);
    },

    async succeeded(webhook) {
      if (failing.has(webhook.id)) await reset(webhook);
    },

    reset,

    failed: (webhook, traceparent) => logErrors(webhook.id, noteFailure(webhook, traceparent)),
  };
}
