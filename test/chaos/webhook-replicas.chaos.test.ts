import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@survey/proto/catalog';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { makeEvent } from '@survey/runtime/kafka/make-event';
import { toMessage } from '@survey/runtime/kafka/outbox-event';
import type { OutgoingMessage } from '@survey/runtime/kafka/publisher';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Signed, startWatchfulReceiver, type WatchfulReceiver } from '../support/watchful-receiver.ts';
import { startWebhookReplicas, type WebhookReplicas } from '../support/webhook-replicas.ts';

const KILLS = 20;
/** An attempt that had begun is over after it. */
const TIMEOUT_MS = 5_000;
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

/** What Kafka has acknowledged, of which some came twice. */
interface Acknowledged {
  readonly tenantId: string;
  readonly type: Type;
  readonly surveyId: string;
}

let replicas: WebhookReplicas;
let receiver: WatchfulReceiver;
const tenants = Array.from({ length: 3 }, () => randomUUID());
const webhooks: Webhook[] = [];

beforeAll(async () => {
  receiver = await startWatchfulReceiver();
  replicas = await startWebhookReplicas(2, {
    WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS),
    WEBHOOK_RETRY_SECONDS: '0.2,0.5,1,2,4',
  });
  for (const tenantId of tenants) {
    webhooks.push(await createWebhook(tenantId, ['survey.created', 'survey.closed']));
    webhooks.push(await createWebhook(tenantId, ['survey.closed']));
  }
}, 180_000);

afterAll(async () => {
  await replicas?.close();
  await receiver.close();
}, 60_000);

async function createWebhook(tenantId: string, types: readonly Type[]): Promise<Webhook> {
  const path = `/${randomUUID()}`;
  const body = { url: receiver.urlOf(path), event_types: types };
  // The API's answer to this is a webhook with its secret.
  const made = (await replicas.call('POST', 'webhooks', tenantId, body)) as { id: string; secret: string };
  return { id: made.id, tenantId, path, types, secret: made.secret };
}

/** Publishes without end, and again what Kafka did not acknowledge. */
function startLoad() {
  const acknowledged: Acknowledged[] = [];
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
        everyMs: 200,
      });
      acknowledged.push(...batch.map(({ message: _, ...event }) => event));
      await sleep(200);
    }
  }
  const running = run();
  return {
    acknowledged,
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
  let acknowledged: readonly Acknowledged[] = [];
  let deletedAt = 0;
  let deleted: Webhook;
  let rotated: Webhook;
  let rotation: { secret: string; rotatedAt: number; previousExpiresAt: number };

  const untilMore = async (count: number) => {
    const before = receiver.received.length;
    await poll(() => receiver.received.length >= before + count, { timeoutMs: 120_000 });
  };

  it('go on after each of them', async () => {
    const load = startLoad();
    acknowledged = load.acknowledged;
    await untilMore(20);
    for (let n = 1; n <= KILLS; n += 1) {
      await sleep(randomInt(1_000));
      const victim = replicas.replicas[n % 2];
      await poll(() => victim?.isReady() ?? false, { timeoutMs: 90_000 });
      await victim?.kill();
      if (n === 6) await replicas.killMongo();
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
        const answer = await replicas.call('POST', `webhooks/${rotated.id}/rotate-secret`, rotated.tenantId, overlap);
        // The API's answer to this is a rotation.
        const { secret, previous_secret_expires_at: expires } = answer as {
          secret: string;
          previous_secret_expires_at: string;
        };
        rotation = { secret, rotatedAt: Date.now(), previousExpiresAt: Date.parse(expires) };
      }
      await untilMore(10);
    }
    await poll(() => Date.now() > rotation.previousExpiresAt);
    await untilMore(20);
    await load.stop();
  }, 900_000);

  it('every event reaches every webhook that asks for it', async () => {
    const missing = new Set(
      acknowledged.flatMap(({ tenantId, type, surveyId }) =>
        webhooks
          .filter((webhook) => webhook.tenantId === tenantId && webhook.types.includes(type))
          .map(({ path }) => `${path} ${surveyId}`),
      ),
    );
    const all = missing.size;
    let seen = 0;
    // The lease of what the last killed one had, and the retries.
    await poll(
      () => {
        for (const { path, surveyId, isAccepted } of receiver.received.slice(seen)) {
          if (isAccepted) missing.delete(`${path} ${surveyId}`);
        }
        seen = receiver.received.length;
        if (missing.size > 0) throw new Error(`${missing.size} of ${all} did not arrive`);
        return true;
      },
      { timeoutMs: 300_000, everyMs: 200 },
    );
    expect(all).toBeGreaterThan(KILLS * 10);
  }, 330_000);

  it('what comes more than once has the same id and the same bytes, and nobody gets what it did not ask for', async () => {
    const deliveries = Map.groupBy(receiver.received, ({ path, surveyId }) => `${path} ${surveyId}`);
    let repeated = 0;
    for (const attempts of deliveries.values()) {
      expect(new Set(attempts.map(({ deliveryId, body }) => `${deliveryId} ${body}`)).size).toBe(1);
      repeated += attempts.slice(attempts.findIndex(({ isAccepted }) => isAccepted) + 1).length;
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
        `${repeated} came after they had been accepted, ${suppressed} events were known by those that run now`,
    );
    // What was under way when somebody was killed: four attempts of each webhook.
    expect(repeated).toBeLessThanOrEqual((KILLS + 2) * 4 * (webhooks.length + 2));
  });

  it('each attempt is signed with its own time', () => {
    for (const { at, signedAt } of receiver.received) {
      const age = at / 1000 - signedAt;
      // Whole seconds, and what an attempt may take.
      expect(age).toBeGreaterThanOrEqual(0);
      expect(age).toBeLessThan(1 + TIMEOUT_MS / 1000);
    }
  });

  it('no attempt at a delivery runs while another one does', () => {
    expect(receiver.overlaps).toEqual([]);
  });

  it('no attempt begins after its webhook was deleted', () => {
    const after = receiver.received.filter(({ path }) => path === deleted.path).map(({ at }) => at - deletedAt);
    expect(after.length).toBeGreaterThan(0);
    // One that had begun before may be on its way until its deadline.
    expect(Math.max(...after)).toBeLessThan(TIMEOUT_MS);
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
    // One that had begun before is signed as it began.
    const since = messages.filter(({ at }) => at > rotatedAt + TIMEOUT_MS);
    expect(since.every((message) => isSignedWith(secret, message))).toBe(true);
  });
});
