import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Logger } from 'pino';
import type { WebhookState } from './webhook-reader.ts';
import { after, type Breaker, type Outcome, openedAgain, type Standing, UNKNOWN } from './webhook-standing.ts';

interface Webhook {
  readonly tenantId: TenantId;
  readonly webhookId: string;
}

/** A webhook as it was when it was sent to. */
interface SentWebhook extends Webhook {
  readonly revision: number;
}

/** Keeps what all replicas know of breakers. */
export interface BreakerStore {
  /** Does nothing when the webhook has been changed since. */
  write(webhook: SentWebhook, breaker: Breaker | undefined): Promise<void>;
  /**
   * Opens a breaker again, if nobody has done so since `seen`; then the caller may probe. Otherwise gives the breaker as
   * it is, undefined when it is closed.
   */
  takeProbe(
    webhook: Webhook,
    seen: Breaker,
    next: Breaker,
  ): Promise<{ readonly kind: 'mine' } | { readonly kind: 'theirs'; readonly breaker: Breaker | undefined }>;
}

export interface WebhookStandings {
  of(webhookId: string): Standing;
  /** An attempt runs for long. */
  setSlow(webhookId: string): void;
  /** An attempt is over. It says nothing of a webhook that was changed meanwhile. */
  note(webhook: SentWebhook, outcome: Outcome, ms: number): void;
  /** Takes over what others know. */
  learn(state: WebhookState): void;
  /** Whether the caller may send one that is new although the breaker is open: one probe at a time, of all replicas. */
  takeProbe(webhook: Webhook): Promise<boolean>;
  /** How many breakers are open and how many wait for a probe, as this process knows it. */
  count(): { readonly open: number; readonly halfOpen: number };
}

interface Dependencies {
  readonly store: BreakerStore;
  readonly maxLimit: number;
  readonly clock: () => Date;
  readonly log: Logger;
}

/** Those that were not heard of for longest are forgotten, and begin anew. */
const MAX_REMEMBERED = 50_000;

export function createWebhookStandings({ store, maxLimit, clock, log }: Dependencies): WebhookStandings {
  const standings = new Map<string, Standing>();
  /** Also in `standings`, and counted without going through all of them. */
  const open = new Set<string>();
  const now = () => clock().getTime();
  const of = (webhookId: string) => standings.get(webhookId) ?? UNKNOWN;

  function set(webhookId: string, standing: Standing): void {
    standings.delete(webhookId);
    standings.set(webhookId, standing);
    if (standing.breaker === undefined) open.delete(webhookId);
    else open.add(webhookId);
    if (standings.size <= MAX_REMEMBERED) return;
    const [oldest = ''] = standings.keys();
    standings.delete(oldest);
    open.delete(oldest);
  }

  /** That others do not know is a probe more, so it is not waited for. */
  function tell(webhook: SentWebhook, breaker: Breaker | undefined): void {
    store.write(webhook, breaker).catch((error: unknown) => {
      log.warn({ err: error, webhook_id: webhook.webhookId }, 'the state of a breaker was not stored');
    });
  }

  return {
    of,

    setSlow: (webhookId) => set(webhookId, { ...of(webhookId), pace: 'slow' }),

    note(webhook, outcome, ms) {
      const { webhookId, revision } = webhook;
      const known = of(webhookId);
      const knownRevision = known.revision ?? revision;
      if (knownRevision > revision) return;
      // Changed, it begins anew.
      const before = knownRevision < revision ? UNKNOWN : known;
      const standing = after(before, { outcome, ms, now: now(), maxLimit });
      set(webhookId, { ...standing, revision });
      if (standing.breaker !== undefined || known.breaker !== undefined) tell(webhook, standing.breaker);
    },

    learn({ id, revision, breaker }) {
      const known = of(id);
      const isChanged = known.revision !== undefined && known.revision !== revision;
      const standing = isChanged ? UNKNOWN : known;
      if (known.revision === revision && (breaker === undefined || known.breaker !== undefined)) return;
      set(id, { ...standing, revision, breaker: standing.breaker ?? breaker });
    },

    async takeProbe(webhook) {
      const standing = of(webhook.webhookId);
      if (standing.breaker === undefined) return true;
      const next = openedAgain(standing.breaker, now());
      set(webhook.webhookId, { ...standing, breaker: next });
      const taken = await store.takeProbe(webhook, standing.breaker, next);
      if (taken.kind === 'mine') return true;
      // It may have ended meanwhile; then what is known now is newer.
      if (of(webhook.webhookId).breaker === next) set(webhook.webhookId, { ...standing, breaker: taken.breaker });
      return taken.breaker === undefined;
    },

    count() {
      const time = now();
      let halfOpen = 0;
      for (const id of open) if ((of(id).breaker?.until ?? 0) <= time) halfOpen += 1;
      return { open: open.size - halfOpen, halfOpen };
    },
  };
}
