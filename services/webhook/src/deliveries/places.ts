import { createCounts } from './counts.ts';
import type { Lane, Line, WebhookKey } from './lane.ts';
import { type Pace, SLOW_MS, type Standing } from './webhook-standing.ts';

/** The place of an attempt that runs. */
export interface Place {
  end(): void;
}

/** How many attempts run at the same time: few that are expected to end soon, many that only wait for an answer. */
export interface PlaceLimits {
  readonly fast: number;
  /** Of the fast ones, for one tenant, for all retries, and for all that was never sent to: half is left to others. */
  readonly fastShare: number;
  readonly slow: number;
  readonly slowOfTenant: number;
  /** What every tenant may have of the slow ones though others have taken all of them, up to `slowMost` in all. */
  readonly slowReserve: number;
  readonly slowMost: number;
  /** With so many of the slow ones taken, the rest is for webhooks that have not failed last. */
  readonly slowOfFailing: number;
}

export const PLACES: PlaceLimits = {
  fast: 256,
  fastShare: 128,
  slow: 4_096,
  slowOfTenant: 1_024,
  slowReserve: 16,
  slowMost: 6_144,
  slowOfFailing: 5_120,
};

export interface Places {
  /** Takes a place, if there is one for this webhook now. */
  take(webhook: WebhookKey, lane: Lane): Place | undefined;
  /** How many attempts of a webhook run: all, and those of the lane. */
  running(webhookId: string, lane: Lane): { readonly all: number; readonly lane: number };
  /** False when there is no fast place left for what such a line is for; a slow place there may be. */
  hasFastFor(line: Line): boolean;
  /** Moves attempts that take long to the slow places. */
  sweep(): void;
  count(): Readonly<Record<Lane | 'slow', number>>;
}

interface Dependencies {
  readonly limits: PlaceLimits;
  readonly standingOf: (webhookId: string) => Standing;
  readonly onSlow: (webhook: WebhookKey) => void;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

interface Running {
  readonly webhook: WebhookKey;
  readonly lane: Lane;
  readonly pace: Pace;
  readonly since: number;
}

export function createPlaces({ limits, standingOf, onSlow, now }: Dependencies): Places {
  /** In the order of their beginning. */
  const fast = new Set<Running>();
  const slow = new Set<Running>();
  /** How many there are: fast and slow ones of a tenant, a lane and a pace, and those of a lane of a webhook. */
  const counts = createCounts();

  function add(by: 1 | -1, { webhook, lane, pace }: Running, kind: 'fast' | 'slow'): void {
    counts.add(`${kind} of tenant ${webhook.tenantId}`, by);
    counts.add(`${kind} in lane ${lane}`, by);
    counts.add(`${kind} at pace ${pace}`, by);
    counts.add(`${lane} of webhook ${webhook.webhookId}`, by);
  }

  function hasSlow({ tenantId, webhookId }: WebhookKey): boolean {
    if (standingOf(webhookId).points > 0 && slow.size >= limits.slowOfFailing) return false;
    const own = counts.of(`slow of tenant ${tenantId}`);
    if (own < limits.slowReserve) return slow.size < limits.slowMost;
    return own < limits.slowOfTenant && slow.size < limits.slow;
  }

  const hasShare = (kind: string) => counts.of(`fast ${kind}`) < limits.fastShare;

  function hasFast({ tenantId }: WebhookKey, lane: Lane, pace: Pace): boolean {
    if (fast.size >= limits.fast || !hasShare(`of tenant ${tenantId}`)) return false;
    return (lane === 'fresh' || hasShare('in lane retry')) && (pace !== 'unknown' || hasShare('at pace unknown'));
  }

  /** Who was slow last time has no fast place; who may turn out to be slow has one only when there is a slow one too. */
  function kindFor(webhook: WebhookKey, lane: Lane): 'fast' | 'slow' | undefined {
    const { pace, limit } = standingOf(webhook.webhookId);
    if (pace === 'slow') return hasSlow(webhook) ? 'slow' : undefined;
    if (limit === 1 && !hasSlow(webhook)) return undefined;
    return hasFast(webhook, lane, pace) ? 'fast' : undefined;
  }

  return {
    take(webhook, lane) {
      const kind = kindFor(webhook, lane);
      if (kind === undefined) return undefined;
      const { pace } = standingOf(webhook.webhookId);
      const running: Running = { webhook, lane, pace, since: now() };
      (kind === 'fast' ? fast : slow).add(running);
      add(1, running, kind);
      return {
        end() {
          const last = fast.delete(running) ? 'fast' : 'slow';
          slow.delete(running);
          add(-1, running, last);
        },
      };
    },

    running(webhookId, lane) {
      const fresh = counts.of(`fresh of webhook ${webhookId}`);
      const retries = counts.of(`retry of webhook ${webhookId}`);
      return { all: fresh + retries, lane: lane === 'fresh' ? fresh : retries };
    },

    hasFastFor(line) {
      if (fast.size >= limits.fast) return false;
      if (line === 'prompt') return true;
      return hasShare(line === 'retry' ? 'in lane retry' : 'at pace unknown');
    },

    sweep() {
      const before = now() - SLOW_MS;
      for (const running of fast) {
        if (running.since > before) return;
        onSlow(running.webhook);
        if (!hasSlow(running.webhook)) continue;
        fast.delete(running);
        add(-1, running, 'fast');
        slow.add(running);
        add(1, running, 'slow');
      }
    },

    count: () => ({
      fresh: counts.of('fast in lane fresh'),
      retry: counts.of('fast in lane retry'),
      slow: slow.size,
    }),
  };
}
