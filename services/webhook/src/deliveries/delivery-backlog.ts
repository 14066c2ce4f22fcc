import type { DeliveryBacklog } from './delivery-metrics.ts';
import type { DeliveryQueue, DueHead } from './delivery-queue.ts';
import type { ReceiverHealthRegistry } from './receiver-health-registry.ts';
import type { Scheduler } from './scheduler.ts';
import { mayStart } from './scheduler-policy.ts';
import { type SendStage, type Stage, stages } from './stage.ts';
import type { WebhookBatches } from './webhook-reader.ts';

/** The due deliveries of a webhook in one stage. */
interface WebhookStage {
  readonly webhookId: string;
  readonly stage: Stage;
}

/** Deliveries that are due, of all tenants. */
export interface DueDeliveries extends Pick<DeliveryQueue, 'findHeads'> {
  /** Counts the due deliveries outside of `without`, up to `limit`. */
  countDue(query: {
    readonly without: readonly WebhookStage[];
    readonly now: Date;
    readonly limit: number;
  }): Promise<number>;
}

interface Dependencies {
  readonly deliveries: DueDeliveries;
  readonly webhooks: Pick<WebhookBatches, 'findStates'>;
  readonly health: Pick<ReceiverHealthRegistry, 'of'>;
  readonly scheduler: Pick<Scheduler<never>, 'running'>;
  /** The longest time from a probe to its stored result. */
  readonly probeMs: number;
}

/** The backlog is counted up to this number. */
const MAX_COUNTED = 100_000;

/**
 * Measures the deliveries that wait for a worker. Deliveries that wait for their own receiver are not counted: its
 * circuit breaker is open, or the receiver fails or is slow and has no free concurrency.
 */
export function createDeliveryBacklog(dependencies: Dependencies): DeliveryBacklog {
  const { deliveries, webhooks, health, scheduler, probeMs } = dependencies;

  async function findStage(stage: Stage, now: Date): Promise<readonly (DueHead & WebhookStage)[]> {
    const { heads } = await deliveries.findHeads({ stage, now, range: { after: undefined, upTo: undefined } });
    return heads.map((head) => ({ ...head, stage }));
  }

  /** Finds webhooks whose breaker is open, or is being probed. */
  async function findBroken(webhookIds: ReadonlySet<string>, now: Date): Promise<ReadonlySet<string>> {
    if (webhookIds.size === 0) return new Set();
    const since = now.getTime() - probeMs;
    const states = await webhooks.findStates([...webhookIds]);
    return new Set(states.filter(({ breaker }) => breaker !== undefined && breaker.until > since).map(({ id }) => id));
  }

  /** Whether the receiver fails or is slow, and has no free concurrency. */
  function isBusy(webhookId: string, stage: SendStage): boolean {
    const receiver = health.of(webhookId);
    const isWell = receiver.failureScore === 0 && receiver.latency !== 'slow';
    return !isWell && !mayStart(receiver, scheduler.running(webhookId, stage), stage);
  }

  return {
    async measure(now) {
      const heads = (await Promise.all(stages.map((stage) => findStage(stage, now)))).flat();
      const toBeSent = heads.filter(({ stage }) => stage !== 'answers');
      const broken = await findBroken(new Set(toBeSent.map(({ webhookId }) => webhookId)), now);
      const waitsForReceiver = ({ webhookId, stage }: WebhookStage) =>
        stage !== 'answers' && (broken.has(webhookId) || isBusy(webhookId, stage));
      const { due = [], held = [] } = Object.groupBy(heads, (head) => (waitsForReceiver(head) ? 'held' : 'due'));
      const oldest = due.reduce((first, { dueAt }) => Math.min(first, dueAt.getTime()), now.getTime());
      const count = await deliveries.countDue({ without: held, now, limit: MAX_COUNTED });
      return { count, oldestSeconds: (now.getTime() - oldest) / 1000 };
    },
  };
}
