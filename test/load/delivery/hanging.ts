import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { poll } from '@survey/runtime/testing/poll';
import { MongoClient } from 'mongodb';
import type { Figure } from '../bench-report.ts';
import { residentBytes } from '../resident-memory.ts';
import type { WebhookProcess } from '../webhook-process.ts';
import { latency } from './latency.ts';
import { addressOf, createTargets, eventFor, type Parts, type Target } from './targets.ts';

const HANGING = 10_000;
const NEW_WEBHOOKS = 1_000;
/** Maximum webhooks of a tenant. */
const MOST_OF_TENANT = 100;
const POLL_OPTIONS = { timeoutMs: 300_000 };
const MIB = 1024 * 1024;

/** Measures how 10,000 deliveries of one tenant with hanging webhooks affect others. */
export async function hangingOfOne(parts: Parts, known: readonly Target[]): Promise<readonly Figure[]> {
  const tenantId = randomUUID();
  const urlOf = (n: number) => `${addressOf(n, parts.receivers.port)}/mute/${n}`;
  const mute = await createTargets(parts, MOST_OF_TENANT, urlOf, () => tenantId);
  // Each event of the tenant goes to all its webhooks.
  await publishStored(parts, mute, HANGING);
  return latency({ name: 'others, with a tenant that hangs', atMost: 200, seconds: 20 }, parts, known);
}

/** Measures the process with 10,000 hanging webhooks, and how they affect others. */
export async function hanging(parts: Parts, known: readonly Target[]): Promise<readonly Figure[]> {
  const { service, receivers } = parts;
  const before = await residentBytes(service.pid);
  const unknown = await createTargets(parts, NEW_WEBHOOKS, (n) => `${addressOf(n, receivers.port)}/ok/${n}`);
  const mute = await createTargets(parts, HANGING, (n) => `${addressOf(n % NEW_WEBHOOKS, receivers.port)}/mute/${n}`);
  const watch = watchProcess(service);
  const twice = [...mute, ...mute];
  await publishStored(parts, twice, twice.length);
  // Missed on two cores: see ADR 36.
  const others = { name: 'others, with 10,000 hanging webhooks', atMost: 200, seconds: 20 };
  // They wait until the first attempts time out: see ADR 36.
  const newOthers = { name: 'new others, with 10,000 hanging webhooks', atMost: 35_000, seconds: 20 };
  const figures = [...(await latency(others, parts, known)), ...(await latency(newOthers, parts, unknown))];
  const { bytes, slow } = await watch.stop();
  return [
    ...figures,
    { name: 'memory before', value: before / MIB, unit: 'MiB' },
    {
      name: 'maximum memory with 10,000 hanging webhooks',
      value: bytes / MIB,
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
    const most = { bytes: 0, slow: 0 };
    while (!stopping.signal.aborted) {
      await sleep(1_000, undefined, { signal: stopping.signal }).catch(() => undefined);
      const page = await service.metrics();
      const slow = Number(/webhook_attempts_running\{lane="slow"\} (\d+)/.exec(page)?.[1] ?? Number.NaN);
      most.slow = Math.max(most.slow, slow);
      most.bytes = Math.max(most.bytes, await residentBytes(service.pid));
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
