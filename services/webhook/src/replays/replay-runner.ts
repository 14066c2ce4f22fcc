import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { createPeriodicWorker, type PeriodicWorker } from '@survey/runtime/flow/loop';
import type { NewLease } from '@survey/runtime/mongo/claim';
import type { Position } from '@survey/runtime/mongo/walk';
import type { Logger } from 'pino';
import { rejectionOf } from '../deliveries/delivery.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { Replay, ReplayFilter, ReplayStatus } from './replay-service.ts';

/** Due replays of all tenants. A claim lets one process run one step of a replay, and ends with the lease. */
export interface ReplayQueue {
  /** Claims the replay that has been due longest, until the lease ends. */
  claimNext(lease: NewLease): Promise<Replay | undefined>;
  /** Stores the progress and releases the replay. Returns false if the lease was lost. */
  advance(replay: Replay, claim: string, progress: ReplayProgress): Promise<boolean>;
  /** Stores how many deliveries are counted, and releases the replay. Returns false if the lease was lost. */
  advanceCount(replay: Replay, claim: string, progress: CountProgress): Promise<boolean>;
}

interface CountProgress {
  readonly total: number;
  /** Counting continues after this delivery; undefined after the last one. */
  readonly countedUpTo: Position | undefined;
  readonly dueAt: Date;
}

interface ReplayProgress {
  /** Number of found deliveries that were made due. */
  readonly replayed: number;
  readonly now: Date;
  /** `foundIds`: the next batch. An undefined `foundUpTo` keeps the stored position. */
  readonly next:
    | { readonly foundIds: readonly string[]; readonly foundUpTo: Position | undefined; readonly dueAt: Date }
    | { readonly status: Exclude<ReplayStatus, 'running'> };
}

export interface ReplayDeliveryStore {
  /** Counts matching deliveries after `after`, for a limited time. Counting continues at `end`, if defined. */
  countFinished(tenantId: TenantId, filter: ReplayFilter, after?: Position): Promise<CountedPart>;
  /**
   * Finds matching deliveries after `after`, oldest first. A long search stops without ids, and continues at `end`. If
   * no more deliveries match, there are no ids and no `end`.
   */
  findFinished(
    tenantId: TenantId,
    filter: ReplayFilter,
    page: { readonly after: Position | undefined; readonly limit: number },
  ): Promise<FoundPart>;
  /** Makes the found deliveries due if they are still over. A repeated call makes no delivery due twice. */
  replay(replay: Replay, now: Date): Promise<void>;
  /** Counts the found deliveries that `replay` made due. */
  countReplayed(replay: Replay): Promise<number>;
  /** Counts due deliveries of the webhook with the step `retry` or `answers`, up to the limit. */
  countDue(replay: Replay, now: Date, limit: number): Promise<number>;
}

interface CountedPart {
  readonly count: number;
  readonly end: Position | undefined;
}

interface FoundPart {
  readonly ids: readonly string[];
  readonly end: Position | undefined;
}

interface Dependencies {
  readonly replays: ReplayQueue;
  readonly deliveries: ReplayDeliveryStore;
  readonly webhooks: { find(tenantId: TenantId, id: string): Promise<Webhook | undefined> };
  /** Called after each step with the number of replayed deliveries. */
  readonly onReplayed: (deliveries: number) => void;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly leaseMs: number;
  readonly log: Logger;
}

const POLL_MS = 200;
const IDLE_POLL_MS = 10_000;
/** The pause of a replay while its webhook has too many due retries. */
const PAUSE_MS = 200;
/** A replay adds deliveries up to this number of due retries of its webhook. */
const MAX_DUE = 250;

/**
 * Runs replays: jobs that send the deliveries of a time range again. Each step makes the stored batch of deliveries
 * due, and stores the next batch. A batch is stored before its deliveries become due, so the count stays exact after a
 * crash. Workers send the due deliveries.
 */
export function createReplayRunner(dependencies: Dependencies): PeriodicWorker {
  const { replays, deliveries, webhooks, onReplayed, clock, newId, leaseMs, log } = dependencies;

  async function nextOf(replay: Replay): Promise<ReplayProgress['next']> {
    const now = clock();
    const limit = MAX_DUE - (await deliveries.countDue(replay, now, MAX_DUE));
    // Wait, because small batches would cost many steps.
    if (limit < MAX_DUE / 2) return { foundIds: [], foundUpTo: undefined, dueAt: new Date(now.getTime() + PAUSE_MS) };
    const { ids, end } = await deliveries.findFinished(replay.tenantId, replay.filter, {
      after: replay.foundUpTo,
      limit,
    });
    return end === undefined ? { status: 'completed' } : { foundIds: ids, foundUpTo: end, dueAt: now };
  }

  /** A replay of very many deliveries counts them first, some in each step, so that its total does not change later. */
  async function continueCounting(replay: Replay, countedUpTo: Position, claim: string): Promise<boolean> {
    const { count, end } = await deliveries.countFinished(replay.tenantId, replay.filter, countedUpTo);
    return replays.advanceCount(replay, claim, { total: replay.total + count, countedUpTo: end, dueAt: clock() });
  }

  async function continueReplay(replay: Replay, claim: string): Promise<void> {
    const webhook = await webhooks.find(replay.tenantId, replay.filter.webhookId);
    const mayContinue = replay.status === 'running' && rejectionOf(webhook, replay) === undefined;
    if (mayContinue && replay.countedUpTo !== undefined) {
      if (!(await continueCounting(replay, replay.countedUpTo, claim))) warnAboutLease(replay);
      return;
    }
    // The previous step stored `foundIds`. Make their deliveries due, then find the next batch.
    if (mayContinue && replay.foundIds.length > 0) await deliveries.replay(replay, clock());
    const replayed = replay.foundIds.length === 0 ? 0 : await deliveries.countReplayed(replay);
    const next = mayContinue ? await nextOf(replay) : { status: 'failed' as const };
    if (await replays.advance(replay, claim, { replayed, now: clock(), next })) return onReplayed(replayed);
    warnAboutLease(replay);
  }

  function warnAboutLease({ id }: Replay): void {
    log.warn({ replay_id: id }, 'the lease of a replay ended before its progress was stored');
  }

  return createPeriodicWorker({
    everyMs: POLL_MS,
    idleEveryMs: IDLE_POLL_MS,
    failure: 'cannot run replays',
    log,
    async work(isStopped) {
      let hasWorked = false;
      while (!isStopped()) {
        const now = clock();
        const lease = { claim: newId(), until: new Date(now.getTime() + leaseMs) };
        const replay = await replays.claimNext({ ...lease, now });
        if (replay === undefined) return hasWorked;
        hasWorked = true;
        await continueReplay(replay, lease.claim);
      }
      return hasWorked;
    },
  });
}
