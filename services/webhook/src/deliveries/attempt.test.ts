import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { startTestDns, type TestDns } from '@survey/runtime/testing/network/test-dns';
import { testLog } from '@survey/runtime/testing/test-log';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createConnections } from '../sending/connections.ts';
import { createHttpSender } from '../sending/http-sender.ts';
import { createAddressRules, parseRange } from '../targets/address-rules.ts';
import { createNameLookup, createTargetCheck, type LoadAddresses } from '../targets/target.ts';
import { type Receiver, type Respond, startReceiver, statuses } from '../testing/receiver.ts';
import { testEncryption } from '../testing/test-deliveries.ts';
import { testWebhook } from '../testing/test-webhook.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import { createAttemptDelivery } from './attempt.ts';
import { createRetrySchedule, makeDelivery, type Trigger } from './delivery.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';
import { createPostDelivery } from './post-delivery.ts';

const tenantId = toTenantId('tenant-1');
const time = new Date();
/** Leaves 49.7 s before an attempt of 300 ms, and 10 s for its result. */
const LEASE_MS = 60_000;
const event = { id: 'event-1', type: 'survey.created', tenantId, time, data: {}, traceparent: '' };
const receivers: Receiver[] = [];
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.close())));

async function receive(respond?: Respond): Promise<Receiver> {
  const receiver = await startReceiver(respond);
  receivers.push(receiver);
  return receiver;
}

interface Setup {
  readonly url: string;
  readonly webhook?: Partial<Webhook> | undefined;
  readonly ranges?: readonly string[];
  readonly attemptsBefore?: number;
  readonly stop?: AbortSignal;
  readonly disableOnGone?: boolean;
  readonly disable?: () => Promise<boolean>;
  /** The webhook when it is read again. Undefined if it was deleted. */
  readonly webhookAfter?: Partial<Webhook> | undefined;
  readonly ownHeaders?: Readonly<Record<string, string>>;
  readonly trigger?: Trigger;
  /** Time that reading the webhook and making the message take, of a lease of one minute. */
  readonly readAfterMs?: number;
  readonly madeAfterMs?: number;
  readonly loadAddresses?: LoadAddresses;
  readonly timeoutMs?: number;
}

/** Attempts a delivery to the URL once. */
async function attemptOnce(setup: Setup) {
  const {
    url,
    ranges = ['127.0.0.1/32'],
    attemptsBefore = 0,
    stop = new AbortController().signal,
    disableOnGone = true,
    disable = async () => true,
    ownHeaders = {},
    trigger = 'schedule',
    readAfterMs = 0,
    madeAfterMs = 0,
    loadAddresses = async () => [],
    timeoutMs = 20_000,
  } = setup;
  const claimedAt = Date.now();
  let elapsedMs = 0;
  const clock = () => new Date(claimedAt + elapsedMs);
  const webhook = 'webhook' in setup ? setup.webhook : { active: true };
  const found = [webhook, 'webhookAfter' in setup ? setup.webhookAfter : webhook];
  const disabled: [string, string][] = [];
  const health: string[] = [];
  const waits: string[] = [];
  const wait = { begin: () => void waits.push('begin'), end: () => void waits.push('end') };
  const isAllowed = createAddressRules({ allowed: ranges.map(parseRange), rejected: [] });
  const urlRules = { allowHttp: true, allowedPorts: 'any' as const };
  const registry = new Registry();
  const connections = createConnections({ perKey: 1, total: 1 });
  const backlog = { measure: async () => ({ count: 0, oldestSeconds: 0 }) };
  const metrics = createDeliveryMetrics({ backlog, clock, registry, log: testLog, isReporter: async () => true });
  const attempt = createAttemptDelivery({
    webhooks: {
      async find() {
        elapsedMs += readAfterMs;
        const now = found.shift();
        return now === undefined ? undefined : testWebhook({ tenantId, url, ...now });
      },
    },
    async disable({ id }, reason) {
      disabled.push([id, reason]);
      return disable();
    },
    failures: {
      succeeded: async () => void health.push('succeeded'),
      failed: async () => void health.push('failed'),
    },
    post: createPostDelivery({
      secrets: { signingAt: async () => ['a secret'] },
      headers: {
        async open() {
          elapsedMs += madeAfterMs;
          return ownHeaders;
        },
      },
      encryption: testEncryption,
      send: createHttpSender({
        checkTarget: createTargetCheck({ urlRules, isAllowed, loadAddresses }),
        isAllowed,
        connections,
        onConnection: () => undefined,
      }),
      metrics,
      clock,
      headerPrefix: 'X-Service',
    }),
    schedule: createRetrySchedule({ seconds: [5, 20], random: () => 0.5, clock }),
    metrics,
    clock,
    timeoutMs,
    disableOnGone,
    log: testLog,
  });
  const before = Array.from({ length: attemptsBefore }, (_, index) => ({
    number: index + 1,
    trigger,
    startedAt: time,
    durationMs: 1,
    statusCode: 500,
    reply: undefined,
    error: undefined,
  }));
  const delivery = { ...makeDelivery(event, 'webhook-1', time), trigger, attempts: before };
  const result = await attempt(delivery, { leaseUntil: new Date(claimedAt + LEASE_MS), stop, wait });
  connections.close();
  return {
    claimedAt,
    settlement: result?.settlement,
    revision: result?.revision,
    disabled,
    health,
    waits,
    metrics: await registry.metrics(),
  };
}

describe('an attempt', () => {
  it.each([
    ['succeeded', 200, 0, ['succeeded']],
    ['failed and is retried', 500, 0, []],
    ['failed for good', 500, 2, ['failed']],
  ])('that %s counts for the health of the webhook', async (_case, status, attemptsBefore, counted) => {
    const { url } = await receive(statuses(status));
    expect((await attemptOnce({ url, attemptsBefore })).health).toEqual(counted);
  });

  it('returns the revision of the webhook, or none if nothing was sent', async () => {
    const { url } = await receive();
    expect((await attemptOnce({ url, webhook: { active: true, revision: 3 } })).revision).toBe(3);
    expect((await attemptOnce({ url, webhook: { active: false, revision: 3 } })).revision).toBeUndefined();
  });

  it('waits for its receiver from sending the request to the end', async () => {
    const receiver = await receive();
    expect((await attemptOnce({ url: receiver.url })).waits).toEqual(['begin', 'end']);
    await receiver.close();
    expect((await attemptOnce({ url: receiver.url })).waits).toEqual(['begin', 'end']);
    expect((await attemptOnce({ url: receiver.url, webhook: { active: false } })).waits).toEqual([]);
  });

  it.each([
    ['delivered', 200, 0],
    ['failed', 500, 2],
  ])('that is the last of a delivery measures its delay: %s', async (outcome, status, attemptsBefore) => {
    const { url } = await receive(statuses(status));
    const { metrics } = await attemptOnce({ url, attemptsBefore });
    expect(metrics).toContain(`webhook_delivery_delay_seconds_count{outcome="${outcome}"} 1`);
  });

  it.each(['redeliver', 'replay', 'test'] as const)(
    'of a %s does not count for the delay of deliveries',
    async (trigger) => {
      const { url } = await receive();
      const { settlement, metrics } = await attemptOnce({ url, trigger });
      expect(settlement?.status).toBe('delivered');
      expect(metrics).toContain('webhook_attempts_total{outcome="delivered"} 1');
      expect(metrics).not.toMatch(/^webhook_delivery_delay_seconds_count\{.*\} [1-9]/m);
    },
  );

  it('of a test does not count if it fails', async () => {
    const { url } = await receive(statuses(500));
    expect((await attemptOnce({ url, trigger: 'test' })).health).toEqual([]);
  });

  it.each([200, 201, 204, 299])('that gets %i is delivered', async (status) => {
    const { url } = await receive(statuses(status));
    const { settlement, metrics } = await attemptOnce({ url });
    expect(settlement).toMatchObject({ status: 'delivered', attempt: { number: 1, statusCode: status } });
    expect(metrics).toContain('webhook_attempts_total{outcome="delivered"} 1');
  });

  it.each([300, 301, 304, 400, 401, 404, 422, 500, 503])('that gets a reply with %i is retried', async (status) => {
    const { url } = await receive(statuses(status));
    const { settlement, metrics } = await attemptOnce({ url });
    expect(settlement).toMatchObject({ status: 'failed', attempt: { statusCode: status, error: undefined } });
    expect(settlement).toHaveProperty('nextAttemptAt');
    expect(metrics).toContain('webhook_attempts_total{outcome="bad_status"} 1');
  });

  it('after the last retry fails for good', async () => {
    const { url } = await receive(statuses(500));
    const { settlement } = await attemptOnce({ url, attemptsBefore: 2 });
    expect(settlement).toMatchObject({ failureReason: 'retries_exhausted', attempt: { number: 3 } });
  });

  it('that gets 410 disables the webhook', async () => {
    const { url } = await receive(statuses(410));
    const { settlement, disabled } = await attemptOnce({ url });
    expect(settlement).toMatchObject({ status: 'failed', failureReason: 'webhook_disabled' });
    expect(disabled).toEqual([['webhook-1', 'gone']]);
  });

  it('that gets 410 is retried if the webhook was changed meanwhile and is active', async () => {
    const { url } = await receive(statuses(410));
    const setup = { url, disable: async () => false };
    const { settlement, health } = await attemptOnce(setup);
    expect(settlement).toMatchObject({ status: 'failed', attempt: { statusCode: 410 } });
    expect(settlement).toHaveProperty('nextAttemptAt');
    expect(health).toEqual([]);
    // After the last retry, a 410 ends the delivery like any other status.
    const last = await attemptOnce({ ...setup, attemptsBefore: 2 });
    expect([last.settlement, last.health]).toMatchObject([{ failureReason: 'retries_exhausted' }, ['failed']]);
  });

  it.each([
    ['disabled', { active: false }, 'webhook_disabled'],
    ['deleted', undefined, 'webhook_deleted'],
  ])('that gets 410 is the last one of a webhook that was %s meanwhile', async (_case, after, reason) => {
    const { url } = await receive(statuses(410));
    const { settlement } = await attemptOnce({ url, disable: async () => false, webhookAfter: after });
    expect(settlement).toMatchObject({ status: 'failed', failureReason: reason, attempt: { statusCode: 410 } });
  });

  it('that gets 410 is logged and retried if the webhook cannot be disabled', async () => {
    const { url } = await receive(statuses(410));
    const disable = () => Promise.reject(new Error('the database is down'));
    const { settlement } = await attemptOnce({ url, disable });
    expect(settlement).toMatchObject({ status: 'failed', attempt: { number: 1, statusCode: 410 } });
    expect(settlement).toHaveProperty('nextAttemptAt');
  });

  it('that gets 410 is retried if disableOnGone is false', async () => {
    const { url } = await receive(statuses(410));
    const { settlement, disabled } = await attemptOnce({ url, disableOnGone: false });
    expect(settlement).toMatchObject({ status: 'failed', attempt: { statusCode: 410 } });
    expect(settlement).toHaveProperty('nextAttemptAt');
    expect(disabled).toEqual([]);
  });

  it('of a test is not retried, and does not disable the webhook', async () => {
    const { url } = await receive(statuses(410));
    const { settlement, disabled } = await attemptOnce({ url, trigger: 'test' });
    expect(settlement).toMatchObject({ failureReason: 'retries_exhausted', attempt: { number: 1, trigger: 'test' } });
    expect(disabled).toEqual([]);
  });

  it('has the headers of the tenant, which never replace those of the platform', async () => {
    const receiver = await receive();
    const ownHeaders = { Authorization: 'Bearer token', 'x-service-SIGNATURE': 'forged', 'X-Empty': '' };
    await attemptOnce({ url: receiver.url, ownHeaders });
    const { rawHeaders } = receiver.received[0]?.request ?? { rawHeaders: [] };
    expect(rawHeaders).toEqual(expect.arrayContaining(['Authorization', 'Bearer token', 'X-Empty', '']));
    expect(rawHeaders).not.toContain('forged');
    expect(rawHeaders.filter((name) => name.toLowerCase() === 'x-service-signature')).toHaveLength(1);
  });

  it('waits as long as Retry-After says', async () => {
    const { url } = await receive((response) => {
      response.writeHead(503, { 'retry-after': '60' });
      response.end();
    });
    const { settlement } = await attemptOnce({ url });
    const next = settlement !== undefined && 'nextAttemptAt' in settlement ? settlement.nextAttemptAt.getTime() : 0;
    expect(next).toBeGreaterThanOrEqual(time.getTime() + 60_000);
  });

  it('without a reply in time is a timeout', async () => {
    const { url } = await receive(() => undefined);
    const { settlement, metrics } = await attemptOnce({ url, timeoutMs: 300 });
    expect(settlement).toMatchObject({ status: 'failed', attempt: { error: 'timeout', statusCode: undefined } });
    expect(metrics).toContain('webhook_attempts_total{outcome="timeout"} 1');
  });

  it('to an address that is no longer allowed opens no connection', async () => {
    const receiver = await receive();
    const { settlement } = await attemptOnce({ url: receiver.url, ranges: [] });
    expect(settlement).toMatchObject({ status: 'failed', attempt: { error: 'address_refused' } });
    expect(receiver.connections()).toBe(0);
  });

  it('to a name that does not resolve is retried', async () => {
    const { settlement } = await attemptOnce({ url: 'http://receiver.test/' });
    expect(settlement).toMatchObject({ status: 'failed', attempt: { error: 'dns_failed' } });
    expect(settlement).toHaveProperty('nextAttemptAt');
  });

  it.each([
    ['deleted', undefined, 'webhook_deleted'],
    ['disabled', { active: false }, 'webhook_disabled'],
  ])('of a webhook that was %s sends nothing and counts no attempt', async (_case, webhook, failureReason) => {
    const receiver = await receive();
    const { settlement } = await attemptOnce({ url: receiver.url, webhook });
    expect(settlement).toEqual({ status: 'failed', failureReason });
    expect(receiver.connections()).toBe(0);
  });

  it.each([
    ['the webhook was read', { readAfterMs: 50_000 }],
    ['the message was made', { madeAfterMs: 50_000 }],
    ['both have taken some time', { readAfterMs: 25_000, madeAfterMs: 25_000 }],
  ])('whose lease is too short once %s sends nothing', async (_case, waits) => {
    const receiver = await receive();
    const { settlement, health, metrics } = await attemptOnce({ url: receiver.url, ...waits });
    expect(settlement).toBeUndefined();
    expect([receiver.connections(), health]).toEqual([0, []]);
    expect(metrics).not.toMatch(/^webhook_attempts_total\{.*\} [1-9]/m);
  });

  it('whose lease is long enough is sent', async () => {
    const receiver = await receive();
    const { settlement } = await attemptOnce({ url: receiver.url, readAfterMs: 14_000, madeAfterMs: 15_000 });
    expect(settlement?.status).toBe('delivered');
  });

  it('starts when its message is made', async () => {
    const receiver = await receive();
    const { settlement, claimedAt } = await attemptOnce({
      url: receiver.url,
      readAfterMs: 14_000,
      madeAfterMs: 15_000,
    });
    expect(settlement?.attempt?.startedAt).toEqual(new Date(claimedAt + 29_000));
  });

  it('that is stopped before a reply does not count', async () => {
    const stop = new AbortController();
    const { url } = await receive(() => stop.abort());
    const { settlement, metrics } = await attemptOnce({ url, stop: stop.signal });
    expect(settlement).toBeUndefined();
    expect(metrics).not.toMatch(/^webhook_attempts_total\{.*\} [1-9]/m);
  });
});

describe('a DNS lookup', () => {
  let dns: TestDns;
  beforeEach(async () => {
    dns = await startTestDns(['127.0.0.1']);
  });
  afterEach(() => dns.close());

  const lookUp = () => createNameLookup({ servers: [`127.0.0.1:${dns.port}`] });

  it('that is slow shortens the time for the reply', async () => {
    const [DELAY_MS, TIMEOUT_MS] = [2_000, 4_000];
    dns.delayBy(DELAY_MS);
    const receiver = await receive(() => undefined);
    const url = `http://slow.test:${receiver.port}/`;
    const { settlement } = await attemptOnce({ url, timeoutMs: TIMEOUT_MS, loadAddresses: lookUp() });
    expect(settlement).toMatchObject({ status: 'failed', attempt: { error: 'timeout' } });
    expect(receiver.connections()).toBe(1);
    expect(settlement?.attempt?.durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS);
    // With a separate timeout, the attempt would take this long.
    expect(settlement?.attempt?.durationMs).toBeLessThan(DELAY_MS + TIMEOUT_MS);
  });

  it('without a reply ends with the timeout of the attempt', async () => {
    dns.replyWith(() => undefined);
    const { settlement } = await attemptOnce({ url: 'http://mute.test/', timeoutMs: 300, loadAddresses: lookUp() });
    expect(settlement).toMatchObject({ status: 'failed', attempt: { error: 'timeout' } });
  });
});
