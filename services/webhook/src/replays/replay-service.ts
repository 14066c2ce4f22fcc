import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import { changeLatest, type Edit } from '@survey/runtime/rpc/change-latest';
import { FIRST_REVISION } from '@survey/runtime/rpc/if-match';
import { requireActive } from '../deliveries/redelivery.ts';
import { checkEventNames } from '../webhooks/webhook-rules.ts';
import type { WebhookService } from '../webhooks/webhook-service.ts';
import type { Replay, ReplayFilter } from './replay.ts';

export interface ReplayStore {
  /** Gives the replay that is stored: of an id that comes again the one of the first time. Undefined while another runs. */
  insert(replay: Replay): Promise<Replay | undefined>;
  find(tenantId: TenantId, id: string): Promise<Replay | undefined>;
  list(tenantId: TenantId, webhookId: string, query: PageQuery): Promise<Page<Replay>>;
  /** Undefined when it does not run, or not at this revision any more. */
  cancel(replay: Pick<Replay, 'tenantId' | 'id' | 'revision'>, now: Date): Promise<Replay | undefined>;
}

export interface CountedDeliveries {
  countOver(tenantId: TenantId, filter: ReplayFilter): Promise<number>;
}

/** What is to be replayed, up to now where it does not say until when. */
export type AskedReplay = Omit<ReplayFilter, 'until'> & { readonly until: Date | undefined };

interface Dependencies {
  readonly store: ReplayStore;
  readonly deliveries: CountedDeliveries;
  readonly webhooks: Pick<WebhookService, 'get'>;
  readonly clock: () => Date;
  /** Called when a replay was stored. */
  readonly onDue: () => void;
}

export type ReplayService = ReturnType<typeof createReplayService>;

export function createReplayService({ store, deliveries, webhooks, clock, onDue }: Dependencies) {
  async function get(tenantId: TenantId, id: string): Promise<Replay> {
    const replay = await store.find(tenantId, id);
    if (replay === undefined) throw new AppError('REPLAY_NOT_FOUND');
    return replay;
  }

  return {
    get,

    /**
     * One that comes a second time under its id is the one of the first. Throws `STATE_CONFLICT` while another one of the
     * webhook runs, and when the webhook is switched off.
     */
    async start(tenantId: TenantId, id: string, asked: AskedReplay): Promise<Replay> {
      const now = clock();
      const errors = problemsOf(asked, now);
      if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
      const first = await store.find(tenantId, id);
      if (first !== undefined) return first;
      await requireActive(webhooks, tenantId, asked.webhookId);
      const filter = { ...asked, until: asked.until ?? now };
      const replay: Replay = {
        id,
        tenantId,
        filter,
        status: 'running',
        total: await deliveries.countOver(tenantId, filter),
        replayed: 0,
        position: undefined,
        batch: [],
        revision: FIRST_REVISION,
        createdAt: now,
        finishedAt: undefined,
      };
      const stored = await store.insert(replay);
      onDue();
      if (stored === undefined) throw new AppError('STATE_CONFLICT', { detail: 'A replay of this webhook is running' });
      return stored;
    },

    /** Throws `WEBHOOK_NOT_FOUND` also for a deleted webhook; each of its replays can be read by its id. */
    async list(tenantId: TenantId, webhookId: string, query: PageQuery): Promise<Page<Replay>> {
      await webhooks.get(tenantId, webhookId);
      return store.list(tenantId, webhookId, query);
    },

    /** Throws `STATE_CONFLICT` when it is over. */
    async cancel({ by: { tenantId }, id, ifMatch }: Edit): Promise<Replay> {
      const read = () => get(tenantId, id);
      const write = async (replay: Replay) => {
        const { status } = replay;
        if (status !== 'running') throw new AppError('STATE_CONFLICT', { detail: `The replay is over: ${status}` });
        return store.cancel(replay, clock());
      };
      return changeLatest({ ifMatch }, { read, write });
    },
  };
}

function problemsOf({ since, until, eventTypes }: AskedReplay, now: Date): readonly FieldProblem[] {
  const errors = [...checkEventNames(eventTypes)];
  if (until !== undefined && until > now)
    errors.push({ path: '/until', code: 'IN_FUTURE', detail: 'What is yet to come cannot be replayed' });
  if (since !== undefined && since >= (until ?? now))
    errors.push({ path: '/since', code: 'BAD_RANGE', detail: 'since has to be before until' });
  return errors;
}
