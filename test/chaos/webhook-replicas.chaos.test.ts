import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@survey/proto/catalog';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { makeEvent, toMessage } from '@survey/runtime/kafka/outbox-event';
import type { OutgoingMessage } from '@survey/runtime/kafka/publisher';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whileStalled } from '../support/faults/supervised.ts';
import { type Replica, startWebhookReplicas, type WebhookReplicas } from '../support/faults/webhook-replicas.ts';
import { type Signed, startWatchfulReceiver, type WatchfulReceiver } from './watchful-receiver.ts';

const KILLS = 20;
/** Timeout of an attempt. */
const TIMEOUT_MS = 10_000;
/** Maximum concurrent attempts of a process per webhook. */
const CONCURRENCY = 4;
/** Time from a receiver's reply until its result is stored, on a busy machine. */
const STORED_MS = 5_000;
const TYPES = ['survey.created', 'survey.closed'] as const;
type Type = (typeof TYPES)[number];

function toEvent(tenantId: string, type: Type): { readonly surveyId: string; readonly message: OutgoingMessage } {
  const surveyId = randomUUID();
  const event = makeEvent({
    topic: topics.survey,
    recordId: surveyId,
    revision: 1,
    type,
    source: '/surveys',
    tenantId: toTenantId(tenantId),
    time: new Date(),
    data: { survey_id: surveyId, title: 'Zoë 😀', version: 1, status: 'draft' },
    traceparent: '',
  });
  return { surveyId, message: toMessage(event) };
}

interface Webhook {
  readonly id: string;
  readonly tenantId: string;
  readonly path: string;
  readonly types: readonly Type[];
  readonly secret: string;
}

/** An event that Kafka has acknowledged; some are published twice. */
interface Acknowledged {
  readonly tenantId: string;
  readonly type: Type;
  readonly surveyId: string;
}

/** The time of a fault, and the affected replicas. */
interface Fault {
  readonly senders: readonly string[];
  readonly from: number;
  readonly until: number;
}

let replicas: WebhookReplicas;
let receiver: WatchfulReceiver;
let load: ReturnType<typeof startLoad> | undefined;
const tenants = Array.from({ length: 3 }, () => randomUUID());
const webhooks: Webhook[] = [];
const acknowledged: Acknowledged[] = [];

beforeAll(async () => {
  receiver = await startWatchfulReceiver();
  replicas = await startWebhookReplicas(2, {
    WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS),
    // Longer than a fault of one replica in all: the receiver rejects a tenth, and a delivery has six attempts.
    WEBHOOK_RETRY_SECONDS: '0.2,1,4,15,40',
    WEBHOOK_CONCURRENCY: String(CONCURRENCY),
  });
  for (const tenantId of tenants) {
    webhooks.push(await createWebhook(tenantId, ['survey.created', 'survey.closed']));
    webhooks.push(await createWebhook(tenantId, ['survey.closed']));
  }
});

afterAll(async () => {
  await load?.stop();
  await replicas?.close();
  await receiver.close();
});

async function createWebhook(tenantId: string, types: readonly Type[]): Promise<Webhook> {
  const path = `/${randomUUID()}`;
  const body = { url: receiver.urlOf(path), event_types: types };
  // The reply is a webhook with its secret.
  const made = (await replicas.call('POST', 'webhooks', tenantId, body)) as { id: string; secret: string };
  return { id: made.id, tenantId, path, types, secret: made.secret };
}

/** Publishes events repeatedly, with retries. */
function startLoad({ everyMs }: { readonly everyMs: number }) {
  let isOver = false;
  async function run(): Promise<void> {
    while (!isOver) {
      const batch = Array.from({ length: 5 }, () => {
        const tenantId = tenants[randomInt(tenants.length)] ?? '';
        const type = TYPES[randomInt(TYPES.length)] ?? 'survey.created';
        return { tenantId, type, ...toEvent(tenantId, type) };
      });
      const messages = batch.map(({ message }) => message);
      await poll(() => replicas.publisher.publish([...messages, ...messages.slice(0, 1)]).then(() => true), {
        timeoutMs: 90_000,
        intervalMs: 200,
      });
      acknowledged.push(...batch.map(({ message: _, ...event }) => event));
      await sleep(everyMs);
    }
  }
  const running = run();
  return {
    async stop() {
      isOver = true;
      await running;
    },
  };
}

function isSignedWith(secret: string, { deliveryId, signedAt, body, signatures }: Signed): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${deliveryId}.${signedAt}.${body}`).digest('base64');
  return signatures.includes(`v1,${signature}`);
}

describe('two replicas that are killed at 20 moments, with their MongoDB and their Kafka, under load', () => {
  const faults: Fault[] = [];
  let stall: Fault | undefined;
  let deletedAt = 0;
  let deleted: Webhook;
  let rotated: Webhook;
  let rotation: { secret: string; rotatedAt: number; previousExpiresAt: number };

  const untilMore = async (count: number) => {
    const before = receiver.received.length;
    await poll(() => receiver.received.length >= before + count, { timeoutMs: 120_000 });
  };

  const during = async (senders: readonly string[], work: () => Promise<void>) => {
    const from = Date.now();
    try {
      await work();
    } finally {
      faults.push({ senders, from, until: Date.now() });
    }
  };

  const replicaAt = (n: number): Replica => {
    const replica = replicas.replicas[n];
    if (replica === undefined) throw new Error(`no replica ${n}`);
    return replica;
  };

  /** Resolves when all acknowledged events have arrived. */
  const untilArrived = async () => {
    const missing = new Set(
      acknowledged.flatMap(({ tenantId, type, surveyId }) =>
        webhooks
          .filter((webhook) => webhook.tenantId === tenantId && webhook.types.includes(type))
          .map(({ path }) => `${path} ${surveyId}`),
      ),
    );
    const all = missing.size;
    // Longer than the lease of the last killed replica, and the retries.
    const waiting = poll(
      () => {
        for (const { path, surveyId, isAccepted } of receiver.received) {
          if (isAccepted) missing.delete(`${path} ${surveyId}`);
        }
        if (missing.size > 0) throw new Error(`${missing.size} of ${all} did not arrive`);
        return true;
      },
      { timeoutMs: 300_000, intervalMs: 200 },
    );
    await waiting.catch(async (error) => {
      for (const { id, tenantId, path } of webhooks) {
        if (![...missing].some((one) => one.startsWith(path))) continue;
        for (const status of ['pending', 'failed']) {
          const page = await replicas.call('GET', `webhooks/${id}/deliveries?status=${status}&limit=20`, tenantId);
          console.error(`${status} deliveries of ${path}`, JSON.stringify(page));
        }
      }
      throw error;
    });
    return all;
  };

  /** Reduces the load to the capacity of one replica. Resolves when both send and the first waits for some replies. */
  const untilBusy = async (one: Replica, other: Replica) => {
    await load?.stop();
    for (const { isReady } of [one, other]) await poll(isReady);
    await untilArrived();
    load = startLoad({ everyMs: 1_000 });
    const before = receiver.received.length;
    const sentBy = ({ name }: Replica) =>
      receiver.received.slice(before).filter(({ sender }) => sender === name).length;
    await poll(() => sentBy(one) >= 20 && sentBy(other) >= 20, { timeoutMs: 120_000 });
    receiver.takeLongForOneOf(1);
    await poll(() => receiver.waitingFor(one.name).length >= 3);
    receiver.takeLongForOneOf(20);
  };

  /** The delay after `since` until each message arrived from the other replica. */
  const untilSentBy = async ({ name }: Replica, messages: readonly Signed[], since: number) =>
    poll(
      () => {
        const later = receiver.received.filter(({ sender, at }) => sender === name && at > since);
        const again = messages.map(({ deliveryId }) => later.find((message) => message.deliveryId === deliveryId));
        return again.every((message) => message !== undefined) && again.map(({ at }) => at - since);
      },
      { timeoutMs: 120_000 },
    );

  it('continue after each of them', async () => {
    load = startLoad({ everyMs: 200 });
    await untilMore(20);
    for (let n = 1; n <= KILLS; n += 1) {
      await sleep(randomInt(1_000));
      const victim = replicaAt(n % 2);
      await poll(victim.isReady);
      await during([victim.name], victim.kill);
      const all = replicas.replicas.map(({ name }) => name);
      if (n === 6) await during(all, replicas.killMongo);
      if (n === 10) {
        deleted = await createWebhook(tenants[0] ?? '', ['survey.created']);
        rotated = await createWebhook(tenants[1] ?? '', ['survey.created']);
      }
      if (n === 13) await replicas.killKafka();
      if (n === 15) {
        for (const { path } of [deleted, rotated]) {
          await poll(() => receiver.received.some((message) => message.path === path), { timeoutMs: 120_000 });
        }
        await replicas.call('DELETE', `webhooks/${deleted.id}`, deleted.tenantId);
        deletedAt = Date.now();
        const overlap = { overlap_hours: 20 / 3_600 };
        const reply = await replicas.call('POST', `webhooks/${rotated.id}/rotate-secret`, rotated.tenantId, overlap);
        // The reply is a rotation.
        const { secret, previous_secret_expires_at: expires } = reply as {
          secret: string;
          previous_secret_expires_at: string;
        };
        rotation = { secret, rotatedAt: Date.now(), previousExpiresAt: Date.parse(expires) };
      }
      await untilMore(10);
    }
    await poll(() => Date.now() > rotation.previousExpiresAt);
    await untilMore(20);
  }, 900_000);

  it('share the work, and if one is killed, the other sends its deliveries when their leases end', async () => {
    const [victim, other] = [replicaAt(0), replicaAt(1)];
    await untilBusy(victim, other);
    const inHand = receiver.waitingFor(victim.name);
    const killedAt = Date.now();
    faults.push({ senders: [victim.name], from: killedAt, until: killedAt });
    await victim.whileStopped(async () => {
      const after = await untilSentBy(other, inHand, killedAt);
      console.info(`${after.length} that were in hand came again ${after.join(', ')} ms after the kill`);
      // The other replica cannot know that the attempt has ended.
      expect(Math.min(...after)).toBeGreaterThan(TIMEOUT_MS);
    });
  }, 600_000);

  it('one that stalls for longer than its lease loses what it had in hand to the other, and its results are rejected', async () => {
    const [stalled, other] = [replicaAt(1), replicaAt(0)];
    for (const { isReady } of [stalled, other]) await poll(isReady);
    const expired = await replicas.count('webhook_leases_lost_total');
    await untilBusy(stalled, other);
    const inHand = receiver.waitingFor(stalled.name);
    const since = Date.now();
    await during([stalled.name], () =>
      whileStalled([stalled], async () => {
        const after = await untilSentBy(other, inHand, since);
        console.info(`${after.length} that were in hand came again ${after.join(', ')} ms after the stall began`);
        expect(Math.min(...after)).toBeGreaterThan(TIMEOUT_MS);
      }),
    ).finally(() => {
      stall = faults.at(-1);
    });
    await poll(async () => (await replicas.count('webhook_leases_lost_total')) > expired);
    await untilMore(100);
  }, 600_000);

  it('continue when their MongoDB has hung for some seconds', async () => {
    // Not one of the faults that cause repetitions: delayed results are stored afterwards.
    await whileStalled([replicas.mongo], () => sleep(5_000));
    await untilMore(100);
  });

  it('every event reaches every webhook that asks for it', async () => {
    await load?.stop();
    const all = await untilArrived();
    expect(all).toBeGreaterThan(KILLS * 10);
  }, 330_000);

  it('what comes more than once has the same id and the same bytes, and nobody gets what it did not ask for', async () => {
    const deliveries = Map.groupBy(receiver.received, ({ path, surveyId }) => `${path} ${surveyId}`);
    for (const attempts of deliveries.values()) {
      expect(new Set(attempts.map(({ deliveryId, body }) => `${deliveryId} ${body}`)).size).toBe(1);
    }
    expect(new Set(receiver.received.map(({ deliveryId }) => deliveryId)).size).toBe(deliveries.size);
    const types = new Map(acknowledged.map(({ surveyId, type }) => [surveyId, type]));
    for (const { path, types: asked } of webhooks) {
      const got = receiver.received.filter((message) => message.path === path);
      expect(got.every(({ surveyId }) => asked.includes(types.get(surveyId) ?? 'survey.created'))).toBe(true);
    }
    const suppressed = await replicas.count('webhook_duplicates_suppressed_total');
    console.info(
      `${acknowledged.length} events, ${deliveries.size} deliveries, ${receiver.received.length} messages; ` +
        `${suppressed} events were known by those that run now`,
    );
  });

  it('what was accepted comes again only when it was in hand as somebody was killed or stalled', () => {
    const isInHand = ({ sender, at, repliedAt = at }: Signed, { senders, from, until }: Fault) =>
      senders.includes(sender) && repliedAt >= from - STORED_MS && at <= until + STORED_MS;
    const repeated: Signed[] = [];
    const late: Signed[] = [];
    for (const attempts of Map.groupBy(receiver.received, ({ deliveryId }) => deliveryId).values()) {
      for (const [index, attempt] of attempts.entries()) {
        const next = attempts[index + 1];
        if (!attempt.isAccepted || next === undefined) continue;
        // A message that it was about to send is sent after the stall.
        const isLate = next.sender === stall?.senders[0] && next.at >= stall.until && isInHand(next, stall);
        (isLate ? late : repeated).push(attempt);
      }
    }
    console.info(`${repeated.length} came after they had been accepted, and ${late.length} from one that had stalled`);
    expect(repeated.filter((attempt) => !faults.some((fault) => isInHand(attempt, fault)))).toEqual([]);
    // A fast process can be killed again within seconds, so each attempt counts for the nearest fault.
    const distance = ({ at, repliedAt = at }: Signed, { from, until }: Fault) =>
      Math.max(0, from - repliedAt, at - until);
    const causeOf = (attempt: Signed) =>
      faults
        .filter((fault) => isInHand(attempt, fault))
        .toSorted((one, other) => distance(attempt, one) - distance(attempt, other))[0];
    for (const fault of faults) {
      const here = repeated.filter((attempt) => causeOf(attempt) === fault);
      for (const ofOne of Map.groupBy(here, ({ path }) => path).values())
        expect(ofOne.length).toBeLessThanOrEqual(CONCURRENCY * fault.senders.length);
    }
    for (const ofOne of Map.groupBy(late, ({ path }) => path).values())
      expect(ofOne.length).toBeLessThanOrEqual(CONCURRENCY);
  });

  it('each attempt is signed with its own time', () => {
    for (const { sender, at, signedAt } of receiver.received) {
      // Except a message that it was about to send when it stalled.
      const end = sender === stall?.senders[0] && signedAt * 1000 <= stall.from ? Math.min(at, stall.from) : at;
      const age = end / 1000 - signedAt;
      // Rounded to seconds, plus the duration of an attempt.
      expect(age).toBeGreaterThanOrEqual(0);
      expect(age).toBeLessThan(1 + TIMEOUT_MS / 1000);
    }
  });

  it('no attempt at a delivery runs while another one does', () => {
    expect(receiver.overlaps).toEqual([]);
  });

  it('no attempt begins after its webhook was deleted', () => {
    const signed = receiver.received.filter(({ path }) => path === deleted.path).map(({ signedAt }) => signedAt);
    expect(signed.length).toBeGreaterThan(0);
    // Rounded to seconds, plus the time between reading the webhook and signing.
    expect(Math.max(...signed)).toBeLessThanOrEqual(Math.floor(deletedAt / 1000) + 1);
  });

  it('an expired secret signs nothing from its last second on, and the new one everything since it was shown', () => {
    const messages = receiver.received.filter(({ path }) => path === rotated.path);
    const { secret, rotatedAt, previousExpiresAt } = rotation;
    const [before, expired] = [
      messages.filter(({ signedAt }) => signedAt * 1000 + 999 < previousExpiresAt),
      messages.filter(({ signedAt }) => signedAt * 1000 >= previousExpiresAt),
    ];
    expect(before.every((message) => isSignedWith(rotated.secret, message))).toBe(true);
    expect(expired.some((message) => isSignedWith(rotated.secret, message))).toBe(false);
    expect(expired.length).toBeGreaterThan(0);
    // Rounded to seconds, plus the time between reading the webhook and signing.
    const since = messages.filter(({ signedAt }) => signedAt > Math.floor(rotatedAt / 1000) + 1);
    expect(since.length).toBeGreaterThan(0);
    expect(since.every((message) => isSignedWith(secret, message))).toBe(true);
  });
});
