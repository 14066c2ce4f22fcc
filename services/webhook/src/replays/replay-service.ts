import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import type { Position } from '@survey/runtime/mongo/walk';
import { changeLatest, type EditTarget, FIRST_REVISION } from '@survey/runtime/rpc/if-match';
import type { DeliveryStatus } from '../deliveries/delivery.ts';
import { requireActive } from '../deliveries/delivery-service.ts';
import { checkEventNames } from '../webhooks/webhook.ts';
import type { WebhookService } from '../webhooks/webhook-service.ts';
import type { ReplayDeliveryStore } from './replay-runner.ts';

export interface ReplayStore {
  /** Returns the stored replay; the first one for a repeated id. Undefined if another replay of the webhook runs. */
  insert(replay: Replay): Promise<Replay | undefined>;
  find(tenantId: TenantId, id: string): Promise<Replay | undefined>;
  list(tenantId: TenantId, webhookId: string, query: PageQuery): Promise<Page<Replay>>;
  /** Returns undefined if the replay does not run, or if its revision has changed. */
  cancel(replay: Pick<Replay, 'tenantId' | 'id' | 'revision'>, now: Date): Promise<Replay | undefined>;
}

/** A requested replay. Without `until`, its time range ends at the time of the request. */
export type RequestedReplay = Omit<ReplayFilter, 'until'> & { readonly until: Date | undefined };

interface Dependencies {
  readonly store: ReplayStore;
  readonly deliveries: Pick<ReplayDeliveryStore, 'countFinished'>;
  readonly webhooks: Pick<WebhookService, 'get'>;
  readonly clock: () => Date;
  /** Called when a process can run the next step of a replay. */
  readonly onDue: () => void;
}

export type ReplayService = ReturnType<typeof createReplayService>;

/** Starts, lists and cancels replays for tenants. A runner makes their deliveries due (`replay-runner.ts`). */
export function createReplayService({ store, deliveries, webhooks, clock, onDue }: Dependencies) {
  async function get(tenantId: TenantId, id: string): Promise<Replay> {
    const replay = await store.find(tenantId, id);
    if (replay === undefined) throw new AppError('REPLAY_NOT_FOUND');
    return replay;
  }

  return {
    get,

    /** Throws `STATE_CONFLICT` if another replay of the webhook runs, or if the webhook is disabled. */
    async start(tenantId: TenantId, id: string, request: RequestedReplay): Promise<Replay> {
      const existing = await store.find(tenantId, id);
      if (existing !== undefined) return existing;
      const now = clock();
      const errors = problemsOf(request, now);
      if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
      await requireActive(webhooks, tenantId, request.webhookId);
      const filter = { ...request, until: request.until ?? now };
      const { count, end: countedUpTo } = await deliveries.countFinished(tenantId, filter);
      const replay: Replay = {
        id,
        tenantId,
        filter,
        status: 'running',
        total: count,
        countedUpTo,
        replayed: 0,
        foundUpTo: undefined,
        foundIds: [],
        revision: FIRST_REVISION,
        createdAt: now,
        finishedAt: undefined,
      };
      const stored = await store.insert(replay);
      // If no replay was stored, this search finds nothing.
      onDue();
      if (stored === undefined)
        throw new AppError('STATE_CONFLICT', {
          detail: 'Another replay of this webhook is running; wait for its end or cancel it',
        });
      return stored;
    },

    /** Throws `WEBHOOK_NOT_FOUND`, also for a deleted webhook. Replays of a deleted webhook can be read by id. */
    async list(tenantId: TenantId, webhookId: string, query: PageQuery): Promise<Page<Replay>> {
      await webhooks.get(tenantId, webhookId);
      return store.list(tenantId, webhookId, query);
    },

    /** Throws `STATE_CONFLICT` if the replay is over. */
    async cancel({ context: { tenantId }, id, ifMatch }: EditTarget): Promise<Replay> {
      const read = () => get(tenantId, id);
      const write = async (replay: Replay) => {
        const { status } = replay;
        if (status !== 'running')
          throw new AppError('STATE_CONFLICT', { detail: `The replay is already over, with the status ${status}` });
        return store.cancel(replay, clock());
      };
      return changeLatest({ ifMatch }, { read, write });
    },
  };
}

function problemsOf({ since, until, eventTypes }: RequestedReplay, now: Date): readonly FieldProblem[] {
  const errors = [...checkEventNames(eventTypes)];
  if (until !== undefined && until > now)
    errors.push({ path: '/until', code: 'IN_FUTURE', detail: 'until must not be in the future' });
  if (since !== undefined && since >= (until ?? now))
    errors.push({ path: '/since', code: 'BAD_RANGE', detail: 'since must be before until' });
  return errors;
}

export type ReplayStatus = 'running' | 'completed' | 'cancelled' | 'failed';
export const replayableStatuses = ['delivered', 'failed'] as const satisfies readonly DeliveryStatus[];

/** Matches deliveries that are over. Test deliveries match only if `eventTypes` names their type. */
export interface ReplayFilter {
  readonly webhookId: string;
  /** Inclusive. */
  readonly since: Date | undefined;
  /** Exclusive. */
  readonly until: Date;
  readonly statuses: readonly (typeof replayableStatuses)[number][];
  /** If empty, all types except tests. */
  readonly eventTypes: readonly string[];
}

/** A job that sends the deliveries of a webhook in a time range again. It makes them due, and workers send them. */
export interface Replay {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly filter: ReplayFilter;
  readonly status: ReplayStatus;
  /** Number of matching deliveries at the start, as counted so far. */
  readonly total: number;
  /** Counting continues after this delivery. Undefined once all are counted. Until then, no delivery is made due. */
  readonly countedUpTo: Position | undefined;
  /** Number of deliveries that were made due. */
  readonly replayed: number;
  /** The last delivery that was found so far. The search for more continues after it. */
  readonly foundUpTo: Position | undefined;
  /** Ids of the deliveries that were found last. They are made due next, and are not counted in `replayed` yet. */
  readonly foundIds: readonly string[];
  /** Increases with each change that the tenant can see. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | undefined;
}
