import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { createLoop, type Worker } from '@survey/runtime/flow/loop';
import { backoffMs } from '@survey/runtime/flow/retry';
import type { Logger } from 'pino';
import { type Delivery, type Lease, rejectionOf, type SendStep } from '../deliveries/delivery.ts';
import { type DeliveryBodies, fromBody } from '../deliveries/delivery-document.ts';
import { createDueClaimer, type DeliveryQueue } from '../deliveries/due-claimer.ts';
import type { WebhookBatches } from '../deliveries/webhook-reader.ts';
import type { Webhook } from '../webhooks/webhook.ts';

interface Answers {
  readonly revision: number;
  readonly data: JsonObject;
}

export interface FoundAnswers {
  /** Answers by response id. Undefined if the response does not exist. Unreadable responses are left out. */
  readonly answers: ReadonlyMap<string, Answers | undefined>;
  /** Ids to request again, because the reply became too large. Never all of them. */
  readonly postponed: ReadonlySet<string>;
}

export interface AnswerSource {
  /** Rejects if the source is unavailable. @param ids at most 100 */
  find(tenantId: TenantId, ids: readonly string[]): Promise<FoundAnswers>;
}

/** A delivery whose body is final. */
interface Filled {
  readonly id: string;
  /** The encrypted body with answers. Undefined if the body gets no answers. */
  readonly sealed: EncryptedRecord | undefined;
  readonly step: SendStep;
}

/** A delivery whose response could not be read. `times`: the number of failed reads so far. */
interface Unreadable {
  readonly id: string;
  readonly times: number;
  readonly dueAt: Date;
}

export interface FilledDeliveries {
  /** Stores the bodies of deliveries that are still under the claim, and makes them due. */
  fill(filled: readonly Filled[], claim: string, now: Date): Promise<void>;
  /** Releases deliveries that are still under the claim, to retry them later. */
  postpone(unreadable: readonly Unreadable[], claim: string): Promise<void>;
}

export interface AnswerWorker extends Worker {
  /** Searches now for deliveries that wait for answers. */
  wake(): void;
}

interface Dependencies {
  readonly queue: DeliveryQueue;
  readonly deliveries: FilledDeliveries;
  readonly webhooks: Pick<WebhookBatches, 'findAll'>;
  readonly answers: AnswerSource;
  readonly bodies: Pick<DeliveryBodies, 'seal'>;
  /** Called when deliveries are due. */
  readonly onFilled: () => void;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly log: Logger;
}

const POLL_MS = 1_000;
const IDLE_POLL_MS = 10_000;
const BATCH_SIZE = 100;
const LEASE_MS = 60_000;
/** Backoff while the response service is unavailable. */
const BACKOFF = { firstMs: 1_000, maxMs: 60_000 };
/** Backoff while the own database is unavailable. */
const DATABASE_BACKOFF = { firstMs: 1_000, maxMs: 1_000 };
/** Older deliveries get the step `retry`, so that they do not delay new ones. */
const FRESH_MS = 10_000;

/**
 * Adds answers to the bodies of deliveries, and makes the deliveries due. The worker uses no slot of the scheduler, so
 * a slow response service delays no other delivery.
 */
export function createAnswerWorker(dependencies: Dependencies): AnswerWorker {
  const { queue, deliveries, webhooks, answers, bodies, onFilled, clock, newId, log } = dependencies;
  /** Consecutive rounds in which the response service was unavailable. */
  let failures = 0;

  const due = createDueClaimer({
    step: 'answers',
    queue,
    capacity: () => BATCH_SIZE,
    capacityOf: () => BATCH_SIZE,
    isHealthy: () => true,
    newLease: (now) => ({ claim: newId(), until: new Date(now.getTime() + LEASE_MS) }),
    clock,
  });

  async function toFilled(delivery: Delivery, answersOf: FoundAnswers['answers'] | undefined): Promise<Filled> {
    const isNew = clock().getTime() - delivery.createdAt.getTime() < FRESH_MS;
    const step = isNew && delivery.attempts.length === 0 ? 'fresh' : 'retry';
    const payload = answersOf === undefined ? undefined : withAnswers(delivery, answersOf);
    const sealed = payload === undefined ? undefined : await bodies.seal(delivery, payload);
    return { id: delivery.id, sealed, step };
  }

  /** Releases deliveries whose answers were not read. This does not count as a failed read. */
  async function release(unread: readonly Delivery[], { claim }: Lease, pauseMs: number): Promise<void> {
    if (unread.length === 0) return;
    const claimed = unread.map(({ id }) => ({ id, claim }));
    await queue.release(claimed, new Date(clock().getTime() + pauseMs));
  }

  async function failDelivery(delivery: Delivery, { claim }: Lease): Promise<void> {
    const { id, tenantId } = delivery;
    const logFields = { delivery_id: id, tenant_id: tenantId, response_id: responseIdOf(delivery) };
    log.error(logFields, 'the answers of a response stay unreadable, its delivery has failed');
    await queue.settle(delivery, claim, { status: 'failed', failureReason: 'answers_unreadable' });
  }

  /** Postpones deliveries whose responses the service cannot read, so that others do not wait for them. */
  async function postpone(unreadable: readonly Delivery[], lease: Lease): Promise<void> {
    const counted = unreadable.map((delivery) => {
      const times = delivery.timesUnreadable + 1;
      return { delivery, times, pause: pauseAfter(times) };
    });
    const givenUp = counted.filter(({ pause }) => pause === undefined);
    const waiting = counted.flatMap(({ delivery: { id }, times, pause }) =>
      pause === undefined ? [] : [{ id, times, dueAt: new Date(clock().getTime() + pause) }],
    );
    await Promise.all([
      deliveries.postpone(waiting, lease.claim),
      ...givenUp.map(({ delivery }) => failDelivery(delivery, lease)),
    ]);
  }

  /** Returns undefined if the response service is unavailable. */
  async function findAnswers(tenantId: TenantId, wanted: readonly Delivery[]): Promise<FoundAnswers | undefined> {
    try {
      const found = await answers.find(tenantId, [...new Set(wanted.map(responseIdOf))]);
      failures = 0;
      return found;
    } catch (error) {
      log.warn({ err: error, tenant_id: tenantId }, 'cannot read answers, their deliveries wait');
      return undefined;
    }
  }

  async function loadWebhooks(claimed: readonly Delivery[]): Promise<ReadonlyMap<string, Webhook>> {
    const ids = [...new Set(claimed.map(({ webhookId }) => webhookId))];
    return new Map((await webhooks.findAll(ids)).map((webhook) => [webhook.id, webhook]));
  }

  /** Returns false if the response service is unavailable. */
  async function fillForTenant(tenantId: TenantId, claimed: readonly Delivery[], lease: Lease): Promise<boolean> {
    const found = await findAnswers(tenantId, claimed);
    const isFound = (delivery: Delivery) => found?.answers.has(responseIdOf(delivery)) === true;
    // The webhook may have changed during the call.
    const webhookOf = await loadWebhooks(claimed);
    const wantsAnswers = ({ webhookId }: Delivery) => webhookOf.get(webhookId)?.includeAnswers === true;
    const ready = claimed.filter((delivery) => !wantsAnswers(delivery) || isFound(delivery));
    const filled = ready.map((delivery) => toFilled(delivery, wantsAnswers(delivery) ? found?.answers : undefined));
    await deliveries.fill(await Promise.all(filled), lease.claim, clock());
    const waiting = claimed.filter((delivery) => !ready.includes(delivery));
    if (found === undefined) {
      await release(waiting, lease, backoffMs(BACKOFF, failures + 1));
      return false;
    }
    const isPostponed = (delivery: Delivery) => found.postponed.has(responseIdOf(delivery));
    // The next claim requests the rest, so that only the answers of one reply are in memory.
    await release(waiting.filter(isPostponed), lease, 0);
    await postpone(
      waiting.filter((delivery) => !isPostponed(delivery)),
      lease,
    );
    return true;
  }

  /** Returns whether more deliveries may be due. */
  async function fillBatch(): Promise<boolean> {
    const { claimed, lease, hasMore } = await due.claim();
    if (claimed.length === 0) return hasMore;
    const found = await loadWebhooks(claimed);
    const reasonOf = (delivery: Delivery) => rejectionOf(found.get(delivery.webhookId), delivery)?.failureReason;
    const rejected = Map.groupBy(claimed, reasonOf);
    const settled = [...rejected].flatMap(([failureReason, group]) =>
      failureReason === undefined
        ? []
        : group.map((delivery) => queue.settle(delivery, lease.claim, { status: 'failed', failureReason })),
    );
    const tenants = [...Map.groupBy(rejected.get(undefined) ?? [], ({ tenantId }) => tenantId)];
    // Await all promises in one `Promise.all`. A promise that is awaited later could reject before its error is
    // handled.
    const filled = Promise.all(tenants.map(([tenantId, group]) => fillForTenant(tenantId, group, lease)));
    const [results] = await Promise.all([filled, ...settled]);
    if (results.includes(false) && !results.includes(true)) failures += 1;
    onFilled();
    return true;
  }

  const loop = createLoop({
    step: async () => {
      const foundWork = await fillBatch();
      return { foundWork, immediately: foundWork };
    },
    everyMs: POLL_MS,
    idleEveryMs: IDLE_POLL_MS,
    backoff: DATABASE_BACKOFF,
    failure: 'cannot add answers to deliveries',
    log,
  });
  return { start: loop.start, stop: loop.stop, wake: loop.wake };
}

function responseIdOf({ body }: Delivery): string {
  // Only events of responses wait for answers, and each has a response id.
  return dataOf(fromBody(body))['response_id'] as string;
}

function withAnswers(delivery: Delivery, answersOf: FoundAnswers['answers']): JsonObject {
  const payload = fromBody(delivery.body);
  const answers = answersOf.get(responseIdOf(delivery));
  // Events of older versions have no revision.
  const revision = answers === undefined ? {} : { revision: answers.revision };
  return { ...payload, data: { ...revision, ...dataOf(payload), answers: answers?.data ?? null } };
}

function dataOf(payload: JsonObject): JsonObject {
  // Every payload has an object `data`.
  return payload['data'] as JsonObject;
}

const UNREADABLE_BACKOFF = { firstMs: 1_000, maxMs: 600_000 };
/** About one day with this backoff. */
const MAX_TIMES = 150;

/**
 * Returns the pause before the answers of a delivery are read again, in milliseconds. Undefined after too many failed
 * reads: the delivery has failed.
 *
 * @param times the number of failed reads, 1 or more
 */
export function pauseAfter(times: number): number | undefined {
  return times < MAX_TIMES ? backoffMs(UNREADABLE_BACKOFF, times) : undefined;
}
