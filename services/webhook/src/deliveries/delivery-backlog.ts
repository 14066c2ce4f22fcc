import type { DeliveryBacklog } from './delivery-metrics.ts';
import type { DeliveryQueue, DueHead } from './delivery-queue.ts';
import { type Lane, type Stage, stages } from './lane.ts';
import type { Places } from './places.ts';
import { mayBegin } from './rooms.ts';
import type { WebhookBatches } from './webhook-reader.ts';
import type { WebhookStandings } from './webhook-standings.ts';

/** What is due of a webhook in one stage. */
interface StageOf {
  readonly webhookId: string;
  readonly stage: Stage;
}

/** Deliveries that are due, of all tenants. */
export interface DueDeliveries extends Pick<DeliveryQueue, 'findHeads'> {
  /** How many there are, without some; `limit` stands for that many or more. */
  countDue(query: {
    readonly without: readonly StageOf[];
    readonly now: Date;
    readonly limit: number;
  }): Promise<number>;
}

interface Dependencies {
  readonly deliveries: DueDeliveries;
  readonly webhooks: Pick<WebhookBatches, 'findStates'>;
  readonly standings: Pick<WebhookStandings, 'of'>;
  readonly places: Pick<Places, 'running'>;
  /** For how long at the most somebody who probes a webhook has not told what came of it. */
  readonly probeMs: number;
}

/** Above this the backlog is only known to be at least as large. */
const MAX_COUNTED = 100_000;

/**
 * What waits for a worker. What waits for its own receiver is no part of it: behind a breaker, or because the webhook
 * fails or takes long and has as many attempts as it may have then.
 */
export function createDeliveryBacklog(dependencies: Dependencies): DeliveryBacklog {
  const { deliveries, webhooks, standings, places, probeMs } = dependencies;

  async function findStage(stage: Stage, now: Date): Promise<readonly (DueHead & StageOf)[]> {
    return (await deliveries.findHeads({ lane: stage, now })).map((head) => ({ ...head, stage }));
  }

  /** Those whose breakers are open, or were so lately that they may be probed now. */
  async function findBroken(webhookIds: ReadonlySet<string>, now: Date): Promise<ReadonlySet<string>> {
    if (webhookIds.size === 0) return new Set();
    const since = now.getTime() - probeMs;
    const states = await webhooks.findStates([...webhookIds]);
    return new Set(states.filter(({ breaker }) => breaker !== undefined && breaker.until > since).map(({ id }) => id));
  }

  /** As this process knows it; one with room has taken what a webhook may have within moments. */
  function isBusy(webhookId: string, lane: Lane): boolean {
    const standing = standings.of(webhookId);
    const isWell = standing.points === 0 && standing.pace !== 'slow';
    return !isWell && !mayBegin(standing, places.running(webhookId, lane), lane);
  }

  return {
    async measure(now) {
      const heads = (await Promise.all(stages.map((stage) => findStage(stage, now)))).flat();
      const toBeSent = heads.filter(({ stage }) => stage !== 'answers');
      const broken = await findBroken(new Set(toBeSent.map(({ webhookId }) => webhookId)), now);
      const isForReceiver = ({ webhookId, stage }: StageOf) =>
        stage !== 'answers' && (broken.has(webhookId) || isBusy(webhookId, stage));
      const { due = [], held = [] } = Object.groupBy(heads, (head) => (isForReceiver(head) ? 'held' : 'due'));
      const oldest = due.reduce((first, { dueAt }) => Math.min(first, dueAt.getTime()), now.getTime());
      const count = await deliveries.countDue({ without: held, now, limit: MAX_COUNTED });
      return { count, oldestSeconds: (now.getTime() - oldest) / 1000 };
    },
  };
}
