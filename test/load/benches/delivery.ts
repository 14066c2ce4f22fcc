import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { topics } from '@survey/proto/catalog';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { makeEvent } from '@survey/runtime/kafka/make-event';
import { toMessage } from '@survey/runtime/kafka/outbox-event';
import type { OutgoingMessage } from '@survey/runtime/kafka/publisher';
import { poll } from '@survey/runtime/testing/poll';
import { MongoClient } from 'mongodb';
import { type Bench, type Figure, median } from '../bench-report.ts';
import { cpuSeconds } from '../cpu-time.ts';
import { runLoad } from '../load-task.ts';
import { type ReceiverReport, type Receivers, startReceivers } from '../receiver-report.ts';
import { startWebhookProcess, type WebhookProcess } from '../webhook-process.ts';

const ROUNDS = 3;
const WEBHOOKS = 1_000;
const EVENTS = 15_000;
const PER_SECOND = 200;
const DUE_RETRIES = 100_000;
const HANGING = 10_000;
/** Maximum webhooks of a tenant. */
const MOST_OF_TENANT = 100;
const POLL_OPTIONS = { timeoutMs: 300_000 };
/** Events that arrive later than this after the end of a load count as lost. */
const LATEST = { timeoutMs: 60_000 };

interface Parts {
  readonly service: WebhookProcess;
  readonly receivers: Receivers;
}

/** A tenant with one webhook, so each event goes to one receiver. */
interface Target {
  readonly tenantId: string;
  readonly webhookId: string;
  readonly isMute: boolean;
}

/** The result of draining a backlog of events. */
interface Drain {
  readonly perSecond: number;
  readonly cpuUs: number;
  readonly repeated: number;
}

/** Measures the delivery of 1 KB events, compared with the minimal cost. */
export const bench: Bench = async () => {
  const receivers = await startReceivers();
  const service = await startWebhookProcess();
  try {
    const parts = { service, receivers };
    const targets = await createTargets(parts, WEBHOOKS, (n) => `${addressOf(n, receivers.port)}/ok`);
    await warmUp(parts, targets);
    return [
      ...(await rates(parts, targets)),
      ...(await latency({ name: 'at 200/s', atMost: 100, seconds: 20 }, parts, targets)),
      ...(await halfMute('half of the webhooks mute', (n) => addressOf(n, receivers.port), parts)),
      ...(await halfMute('the same on one origin', () => `http://127.0.0.1:${receivers.port}`, parts)),
      ...(await dueRetries(parts, targets)),
      ...(await hangingOfOne(parts, targets)),
      ...(await hanging(parts, targets)),
    ];
  } finally {
    await service.stop();
    await receivers.stop();
  }
};

/** Measures the CPU time of a delivery, in µs, for numbers of tenants with a webhook each, in order. */
export async function measureDeliveries(numbers: readonly number[], events: number) {
  const receivers = await startReceivers();
  const service = await startWebhookProcess();
  try {
    const parts = { service, receivers };
    const urlOf = (n: number) => `${addressOf(n % WEBHOOKS, receivers.port)}/ok`;
    const measured = new Map<number, number>();
    let targets: readonly Target[] = [];
    for (const tenants of numbers) {
      targets = [...targets, ...(await createTargets(parts, tenants - targets.length, urlOf))];
      await warmUp(parts, targets.slice(0, WEBHOOKS));
      const drains: Drain[] = [];
      while (drains.length < ROUNDS) drains.push(await drain(parts, targets, events));
      measured.set(tenants, median(drains.map(({ cpuUs }) => cpuUs)));
    }
    return measured;
  } finally {
    await service.stop();
    await receivers.stop();
  }
}

function addressOf(n: number, port: number): string {
  return `http://127.1.${Math.floor(n / 200)}.${(n % 200) + 1}:${port}`;
}

async function createTargets(
  { service }: Parts,
  count: number,
  urlOf: (n: number) => string,
  newTenant: () => string = randomUUID,
): Promise<readonly Target[]> {
  const targets: Target[] = [];
  for (let from = 0; from < count; from += 50) {
    const some = Array.from({ length: Math.min(50, count - from) }, async (_, index) => {
      const tenantId = newTenant();
      const url = urlOf(from + index);
      return { tenantId, webhookId: await service.createWebhook(tenantId, url), isMute: url.includes('/mute/') };
    });
    targets.push(...(await Promise.all(some)));
  }
  return targets;
}

/** A 1 KB event of another service, belonging to this load. */
function eventFor({ tenantId }: Target, load: number): OutgoingMessage {
  const recordId = randomUUID();
  const data = { at: performance.timeOrigin + performance.now(), load, survey_id: recordId, text: 'a'.repeat(740) };
  const event = {
    topic: topics.survey,
    recordId,
    revision: 1,
    type: 'survey.created',
    source: '/surveys',
    tenantId: toTenantId(tenantId),
    time: new Date(),
    data,
    traceparent: '',
  };
  return toMessage(makeEvent(event));
}

const nth = <T>(items: readonly T[], n: number): T => items[n % items.length] as T; // items is never empty

/** Sends several events to each webhook, so caches and compiled code are warm. */
async function warmUp({ service, receivers }: Parts, targets: readonly Target[]): Promise<void> {
  for (let round = 0; round < 8; round += 1) {
    const load = await receivers.reset();
    await service.publisher.publish(targets.map((target) => eventFor(target, load)));
    await poll(async () => (await receivers.report()).fresh === targets.length, POLL_OPTIONS);
  }
}

async function rates(parts: Parts, targets: readonly Target[]): Promise<readonly Figure[]> {
  const rounds: { readonly service: Drain; readonly floor: Drain }[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    rounds.push({ service: await drain(parts, targets), floor: await measureFloor(parts) });
  }
  const medianOf = (read: (round: (typeof rounds)[number]) => number) => median(rounds.map(read));
  const rate = medianOf(({ service, floor }) => service.perSecond / floor.perSecond);
  const cpu = medianOf(({ service, floor }) => service.cpuUs / floor.cpuUs);
  return [
    { name: 'deliveries', value: medianOf(({ service }) => service.perSecond), unit: '1/s' },
    { name: 'floor: deliveries', value: medianOf(({ floor }) => floor.perSecond), unit: '1/s' },
    { name: 'rate to floor', value: rate, unit: 'ratio', atLeast: 0.28 },
    { name: 'CPU per delivery', value: medianOf(({ service }) => service.cpuUs), unit: 'µs' },
    { name: 'floor: CPU per delivery', value: medianOf(({ floor }) => floor.cpuUs), unit: 'µs' },
    { name: 'CPU to floor', value: cpu, unit: 'ratio', atMost: 4 },
    { name: 'came more than once', value: medianOf(({ service }) => service.repeated), unit: 'deliveries' },
  ];
}

/** Measures a backlog that is in Kafka before the suspended service resumes. */
async function drain({ service, receivers }: Parts, targets: readonly Target[], count = EVENTS): Promise<Drain> {
  const load = await receivers.reset();
  process.kill(service.pid, 'SIGSTOP');
  const events = Array.from({ length: count }, (_, n) => eventFor(nth(targets, n), load));
  await service.publisher.publish(events);
  const before = await cpuSeconds(service.pid);
  process.kill(service.pid, 'SIGCONT');
  const { fresh, repeated, seconds } = await poll(async () => {
    const report = await receivers.report();
    return report.fresh === count ? report : undefined;
  }, POLL_OPTIONS);
  const cpu = (await cpuSeconds(service.pid)) - before;
  return { perSecond: fresh / seconds, cpuUs: (cpu / fresh) * 1e6, repeated };
}

async function measureFloor({ service, receivers }: Parts): Promise<Drain> {
  const origins = Array.from({ length: WEBHOOKS }, (_, n) => addressOf(n, receivers.port));
  const args = [service.mongodbUri, `floor-${randomUUID()}`, ...origins];
  const child = fork(join(import.meta.dirname, '../webhook-floor.ts'), args);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const body = JSON.stringify({ api_version: 'v1', data: { at: 0, text: 'a'.repeat(850) }, event: 'survey.created' });
  // A forked process has a pid.
  const pid = child.pid as number;
  let before = Promise.resolve(0);
  let after = Promise.resolve(0);
  let atEnd: Promise<ReceiverReport> | undefined;
  const task = {
    origins: [`http://127.0.0.1:${port}`],
    path: '/',
    body,
    model: { kind: 'closed', connections: 64 } as const,
    warmUpMs: 4_000,
    measureMs: 5_000,
  };
  await runLoad(task, (mark) => {
    if (mark === 'measuring') [before] = [cpuSeconds(pid), receivers.reset()];
    else [after, atEnd] = [cpuSeconds(pid), receivers.report()];
  });
  const received = (await atEnd)?.received ?? Number.NaN;
  child.kill('SIGTERM');
  await once(child, 'exit');
  const cpu = (await after) - (await before);
  return { perSecond: received / (task.measureMs / 1000), cpuUs: (cpu / received) * 1e6, repeated: 0 };
}

/**
 * Publishes 200 events per second, each to another webhook; due events are published together. Returns the number of
 * events for webhooks that reply.
 */
async function publishEvenly(
  { service }: Parts,
  targets: readonly Target[],
  { load, seconds }: { readonly load: number; readonly seconds: number },
): Promise<number> {
  const start = performance.now();
  const total = PER_SECOND * seconds;
  let healthy = 0;
  for (let n = 0; n < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - start) * PER_SECOND) / 1000) + 1) - n;
    // Not in order, so similar webhooks are not adjacent.
    const next = Array.from({ length: due }, (_, index) => nth(targets, (n + index) * 389));
    if (due > 0) await service.publisher.publish(next.map((target) => eventFor(target, load)));
    else await sleep(2);
    healthy += next.filter(({ isMute }) => !isMute).length;
    n += due;
  }
  return healthy;
}

/** Measures the delay of all events of a load, none of which may be missing. */
async function latency(
  { name, atMost, seconds }: { readonly name: string; readonly atMost: number; readonly seconds: number },
  parts: Parts,
  targets: readonly Target[],
): Promise<readonly Figure[]> {
  const load = await parts.receivers.reset();
  const sent = await publishEvenly(parts, targets, { load, seconds });
  // Missing events are below the limit.
  await poll(async () => (await parts.receivers.report()).fresh === sent, LATEST).catch(() => undefined);
  const { fresh, repeated, p50Ms, p99Ms, maxMs } = await parts.receivers.report();
  return [
    { name: `${name}: received`, value: fresh, unit: 'events', atLeast: sent, atMost: sent },
    { name: `${name}: came more than once`, value: repeated, unit: 'deliveries' },
    { name: `${name}: p50`, value: p50Ms, unit: 'ms' },
    { name: `${name}: p99`, value: p99Ms, unit: 'ms', atMost },
    { name: `${name}: longest`, value: maxMs, unit: 'ms' },
  ];
}

/** Measures new webhooks, every second one of which never replies. */
async function halfMute(name: string, originOf: (n: number) => string, parts: Parts): Promise<readonly Figure[]> {
  const urlOf = (n: number) => `${originOf(n)}/${n % 2 === 0 ? 'ok' : 'mute'}/${n}`;
  const targets = await createTargets(parts, WEBHOOKS, urlOf);
  const figures = await latency({ name, atMost: 200, seconds: 40 }, parts, targets);
  const { mute } = await parts.receivers.report();
  return [...figures, { name: `${name}: sent to mute ones`, value: mute, unit: 'events' }];
}

/** Measures a backlog of due retries, and new events next to them. */
async function dueRetries(parts: Parts, targets: readonly Target[]): Promise<readonly Figure[]> {
  const client = await MongoClient.connect(parts.service.mongodbUri);
  try {
    const deliveries = client.db('survey-webhook').collection('deliveries');
    const due = {
      due_at: { $exists: true },
      lane: 'retry',
      webhook_id: { $in: targets.map(({ webhookId }) => webhookId) },
    };
    await insertDueRetries(targets, client);
    const start = performance.now();
    const load = { name: 'with 100,000 due retries', atMost: 500, seconds: 15 };
    const figures = await latency(load, parts, targets);
    const seconds = (performance.now() - start) / 1000;
    const left = await deliveries.countDocuments(due);
    await deliveries.deleteMany(due);
    return [...figures, { name: 'retries drained meanwhile', value: (DUE_RETRIES - left) / seconds, unit: '1/s' }];
  } finally {
    await client.close();
  }
}

async function insertDueRetries(targets: readonly Target[], client: MongoClient): Promise<void> {
  const deliveries = client.db('survey-webhook').collection<{ _id: string }>('deliveries');
  const sample = await deliveries.findOne({ status: 'delivered' });
  const at = new Date();
  const failed = { number: 1, started_at: at, duration_ms: 5, status_code: 500, response_excerpt: '' };
  // In an unused lane until all are inserted.
  const state = { status: 'failed', lane: 'none', due_at: at, next_attempt_at: at, attempts: [failed] };
  for (let from = 0; from < DUE_RETRIES; from += 5_000) {
    const some = Array.from({ length: 5_000 }, (_, index) => {
      const { tenantId, webhookId } = nth(targets, from + index);
      return { ...sample, ...state, _id: randomUUID(), tenant_id: tenantId, webhook_id: webhookId };
    });
    await deliveries.insertMany(some, { ordered: false });
  }
  await deliveries.updateMany({ lane: 'none' }, { $set: { lane: 'retry' } });
}

/** Measures how 10,000 deliveries of one tenant with hanging webhooks affect others. */
async function hangingOfOne(parts: Parts, known: readonly Target[]): Promise<readonly Figure[]> {
  const tenantId = randomUUID();
  const urlOf = (n: number) => `${addressOf(n, parts.receivers.port)}/mute/${n}`;
  const mute = await createTargets(parts, MOST_OF_TENANT, urlOf, () => tenantId);
  // Each event of the tenant goes to all its webhooks.
  await publishStored(parts, mute, HANGING);
  return latency({ name: 'others, with a tenant that hangs', atMost: 200, seconds: 20 }, parts, known);
}

/** Measures the process with 10,000 hanging webhooks, and how they affect others. */
async function hanging(parts: Parts, known: readonly Target[]): Promise<readonly Figure[]> {
  const { service, receivers } = parts;
  const before = await residentMegabytes(service.pid);
  const unknown = await createTargets(parts, WEBHOOKS, (n) => `${addressOf(n, receivers.port)}/ok/${n}`);
  const mute = await createTargets(parts, HANGING, (n) => `${addressOf(n % WEBHOOKS, receivers.port)}/mute/${n}`);
  const watch = watchProcess(service);
  const twice = [...mute, ...mute];
  await publishStored(parts, twice, twice.length);
  // Both are explained in ADR 36: new others wait until the first attempts time out.
  const others = { name: 'others, with 10,000 hanging webhooks', atMost: 400, seconds: 20 };
  const newOthers = { name: 'new others, with 10,000 hanging webhooks', atMost: 35_000, seconds: 20 };
  const figures = [...(await latency(others, parts, known)), ...(await latency(newOthers, parts, unknown))];
  const { megabytes, slow } = await watch.stop();
  return [
    ...figures,
    { name: 'memory before', value: before, unit: 'MiB' },
    {
      name: 'maximum memory with 10,000 hanging webhooks',
      value: megabytes,
      unit: 'MiB',
      atMost: 1_200,
    },
    { name: 'maximum of attempts that hang at the same time', value: slow, unit: 'attempts' },
  ];
}

/** Publishes an event for each target. Resolves when the service has stored the resulting deliveries. */
async function publishStored(
  { service, receivers }: Parts,
  targets: readonly Target[],
  deliveriesMade: number,
): Promise<void> {
  const client = await MongoClient.connect(service.mongodbUri);
  try {
    const deliveries = client.db('survey-webhook').collection('deliveries');
    const before = await deliveries.estimatedDocumentCount();
    const load = await receivers.reset();
    await service.publisher.publish(targets.map((target) => eventFor(target, load)));
    await poll(async () => (await deliveries.estimatedDocumentCount()) >= before + deliveriesMade, POLL_OPTIONS);
  } finally {
    await client.close();
  }
}

/** Samples the usage and the slow attempts of a process each second, and returns the maxima. */
function watchProcess(service: WebhookProcess) {
  const stopping = new AbortController();
  async function run() {
    const most = { megabytes: 0, slow: 0 };
    while (!stopping.signal.aborted) {
      await sleep(1_000, undefined, { signal: stopping.signal }).catch(() => undefined);
      const page = await service.metrics();
      const slow = Number(/webhook_attempts_running\{lane="slow"\} (\d+)/.exec(page)?.[1] ?? Number.NaN);
      most.slow = Math.max(most.slow, slow);
      most.megabytes = Math.max(most.megabytes, await residentMegabytes(service.pid));
    }
    return most;
  }
  const running = run();
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024;
}
