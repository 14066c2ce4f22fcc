import { setTimeout as sleep } from 'node:timers/promises';
import { poll } from '@survey/runtime/testing/poll';
import { MongoClient } from 'mongodb';
import { startWebhookReplicas, type WebhookReplicas } from '../support/faults/webhook-replicas.ts';
import { type Bench, type Figure, medianOf, repeat } from './figures.ts';
import { FULL, load as post } from './http-load.ts';
import { cpuSeconds, residentBytes, startChildServer, withMemory } from './processes.ts';
import { addressOf, createTenants, eventFor, type Receivers, startReceivers } from './webhook-receivers.ts';

const WEBHOOKS = 1_000;
const EVENTS = 15_000;
const EVENTS_PER_SECOND = 200;
/** Receivers that never reply. */
const HANGING = 10_000;
/** Events that arrive later than this after the end of a load count as lost. */
const LATEST = { timeoutMs: 60_000 };
const POLL_OPTIONS = { timeoutMs: 300_000 };
const MIB = 1024 * 1024;
/** Of the rate and the CPU of the floor: see ADR 87. */
const LEAST_RATE = 0.28;
const MOST_CPU = 4;

interface Parts {
  /** The webhook service alone, with its own MongoDB and Kafka. */
  readonly service: WebhookReplicas;
  readonly pid: number;
  readonly receivers: Receivers;
}

/** The result of sending many events as fast as possible. */
interface Drain {
  readonly perSecond: number;
  readonly cpuUs: number;
  readonly repeated: number;
}

/** Measures the delivery of 1 KB events, compared with the floor, at a steady rate, and beside hanging receivers. */
export const bench: Bench = async ({ rounds, seconds, records = EVENTS }) => {
  const cleanup = new AsyncDisposableStack();
  try {
    const receivers = await startReceivers();
    cleanup.defer(receivers.stop);
    const service = await startWebhookReplicas(1, {});
    cleanup.defer(service.close);
    const parts = { service, receivers, pid: (await service.replicas[0]?.pid()) ?? 0 };
    const tenants = await createTenants(service, WEBHOOKS, (n) => `${addressOf(n, receivers.port)}/ok`);
    await warmUp(parts, tenants);
    const drains = await repeat(rounds, async () => ({
      service: await drain(parts, tenants, records),
      floor: await drainFloor(parts, seconds),
    }));
    return [
      ...toFigures(drains),
      ...(await measureLatency(parts, tenants, { name: 'at 200/s', atMost: 100, seconds: 2 * seconds })),
      ...(await measureHanging(parts, tenants, seconds)),
    ];
  } finally {
    await cleanup.disposeAsync();
  }
};

/** Sends several events to each webhook, so caches and compiled code are warm. */
async function warmUp({ service, receivers }: Parts, tenants: readonly string[]): Promise<void> {
  for (let round = 0; round < 8; round += 1) {
    const load = await receivers.reset();
    await service.publisher.publish(tenants.map((tenant) => eventFor(tenant, load)));
    await poll(async () => (await receivers.report()).fresh === tenants.length, POLL_OPTIONS);
  }
}

/** Measures a backlog that is in Kafka before the suspended service resumes. */
async function drain({ service, pid, receivers }: Parts, tenants: readonly string[], count: number): Promise<Drain> {
  const load = await receivers.reset();
  process.kill(pid, 'SIGSTOP');
  const events = Array.from({ length: count }, (_, n) => eventFor(nth(tenants, n), load));
  await service.publisher.publish(events);
  const before = await cpuSeconds(pid);
  process.kill(pid, 'SIGCONT');
  const { fresh, repeated, seconds } = await poll(async () => {
    const report = await receivers.report();
    return report.fresh === count ? report : undefined;
  }, POLL_OPTIONS);
  const cpu = (await cpuSeconds(pid)) - before;
  return { perSecond: fresh / seconds, cpuUs: (cpu / fresh) * 1e6, repeated };
}

/** Posts events to the floor, until all are delivered. */
async function drainFloor({ service, receivers }: Parts, seconds: number): Promise<Drain> {
  const origins = Array.from({ length: WEBHOOKS }, (_, n) => addressOf(n, receivers.port));
  const floor = await startChildServer('delivery-floor', [service.mongodbUri, ...origins]);
  const body = JSON.stringify({ api_version: 'v1', data: { at: 0, text: 'a'.repeat(850) }, event: 'survey.created' });
  const target = { url: floor.origin, body, pids: new Map() };
  try {
    // Compiles the code.
    await post(target, FULL, seconds);
    await receivers.reset();
    const before = await cpuSeconds(floor.pid);
    const { succeeded } = await post(target, FULL, seconds);
    const report = await poll(async () => {
      const last = await receivers.report();
      return last.received >= succeeded ? last : undefined;
    }, POLL_OPTIONS);
    const cpu = (await cpuSeconds(floor.pid)) - before;
    return { perSecond: report.received / report.seconds, cpuUs: (cpu / report.received) * 1e6, repeated: 0 };
  } finally {
    await floor.stop();
  }
}

function toFigures(rounds: readonly { readonly service: Drain; readonly floor: Drain }[]): readonly Figure[] {
  const rate = medianOf(rounds, ({ service, floor }) => service.perSecond / floor.perSecond);
  const cpu = medianOf(rounds, ({ service, floor }) => service.cpuUs / floor.cpuUs);
  return [
    { name: 'deliveries', value: medianOf(rounds, ({ service }) => service.perSecond), unit: '1/s' },
    { name: 'floor: deliveries', value: medianOf(rounds, ({ floor }) => floor.perSecond), unit: '1/s' },
    { name: 'rate to floor', value: rate, unit: 'ratio', atLeast: LEAST_RATE },
    { name: 'CPU per delivery', value: medianOf(rounds, ({ service }) => service.cpuUs), unit: 'µs' },
    { name: 'floor: CPU per delivery', value: medianOf(rounds, ({ floor }) => floor.cpuUs), unit: 'µs' },
    { name: 'CPU to floor', value: cpu, unit: 'ratio', atMost: MOST_CPU },
    { name: 'came more than once', value: medianOf(rounds, ({ service }) => service.repeated), unit: 'deliveries' },
  ];
}

/** Measures the delay of all events of a load, none of which may be missing. */
async function measureLatency(
  parts: Parts,
  tenants: readonly string[],
  { name, atMost, seconds }: { readonly name: string; readonly atMost: number; readonly seconds: number },
): Promise<readonly Figure[]> {
  const load = await parts.receivers.reset();
  const sent = EVENTS_PER_SECOND * seconds;
  await publishEvenly(parts.service, tenants, { load, count: sent });
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

/** Publishes 200 events per second, each to another webhook; due events are published together. */
async function publishEvenly(
  { publisher }: WebhookReplicas,
  tenants: readonly string[],
  { load, count }: { readonly load: number; readonly count: number },
): Promise<void> {
  const start = performance.now();
  for (let n = 0; n < count; ) {
    const due = Math.min(count, Math.floor(((performance.now() - start) * EVENTS_PER_SECOND) / 1000) + 1) - n;
    // Not in order, so similar webhooks are not adjacent.
    const next = Array.from({ length: due }, (_, index) => nth(tenants, (n + index) * 389));
    if (due > 0) await publisher.publish(next.map((tenant) => eventFor(tenant, load)));
    else await sleep(2);
    n += due;
  }
}

/** Measures the process with 10,000 hanging webhooks, and how they affect others. */
async function measureHanging(parts: Parts, known: readonly string[], seconds: number): Promise<readonly Figure[]> {
  const { service, pid, receivers } = parts;
  const before = await residentBytes(pid);
  const unknown = await createTenants(service, WEBHOOKS, (n) => `${addressOf(n, receivers.port)}/ok/${n}`);
  const muteUrlOf = (n: number) => `${addressOf(n % WEBHOOKS, receivers.port)}/mute/${n}`;
  const mute = await createTenants(service, HANGING, muteUrlOf);
  const { result: figures, mostBytes } = await withMemory(pid, async () => {
    await publishStored(parts, [...mute, ...mute]);
    // Missed on two cores, and new ones wait until the first attempts time out: see ADR 36.
    const others = { name: 'others, with 10,000 hanging webhooks', atMost: 200, seconds: 2 * seconds };
    const newOthers = { name: 'new others, with 10,000 hanging webhooks', atMost: 35_000, seconds: 2 * seconds };
    return [...(await measureLatency(parts, known, others)), ...(await measureLatency(parts, unknown, newOthers))];
  });
  const most = 'maximum memory with 10,000 hanging webhooks';
  return [
    ...figures,
    { name: 'memory before', value: before / MIB, unit: 'MiB' },
    { name: most, value: mostBytes / MIB, unit: 'MiB', atMost: 1_200 },
  ];
}

/** Publishes an event for each target. Resolves when the service has stored the deliveries. */
async function publishStored({ service, receivers }: Parts, tenants: readonly string[]): Promise<void> {
  const client = await MongoClient.connect(service.mongodbUri);
  try {
    const deliveries = client.db('survey-webhook').collection('deliveries');
    const before = await deliveries.estimatedDocumentCount();
    const load = await receivers.reset();
    await service.publisher.publish(tenants.map((tenant) => eventFor(tenant, load)));
    await poll(async () => (await deliveries.estimatedDocumentCount()) >= before + tenants.length, POLL_OPTIONS);
  } finally {
    await client.close();
  }
}

/** Takes the items in turn. */
const nth = <T>(items: readonly T[], n: number): T => items[n % items.length] as T; // items is never empty
