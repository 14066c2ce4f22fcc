import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { poll } from '@survey/runtime/testing/poll';
import { MongoClient } from 'mongodb';
import { type Bench, type Figure, median } from '../bench-report.ts';
import { cpuSeconds } from '../cpu-time.ts';
import { hanging, hangingOfOne } from '../delivery/hanging.ts';
import { latency } from '../delivery/latency.ts';
import { addressOf, createTargets, eventFor, nth, type Parts, type Target } from '../delivery/targets.ts';
import { runLoad } from '../load-task.ts';
import { type ReceiverReport, startReceivers } from '../receiver-report.ts';
import { startWebhookProcess } from '../webhook-process.ts';

const ROUNDS = 3;
const WEBHOOKS = 1_000;
const EVENTS = 15_000;
const DUE_RETRIES = 100_000;
const POLL_OPTIONS = { timeoutMs: 300_000 };

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
async function drain({ service, receivers }: Parts, targets: readonly Target[]): Promise<Drain> {
  const load = await receivers.reset();
  process.kill(service.pid, 'SIGSTOP');
  const events = Array.from({ length: EVENTS }, (_, n) => eventFor(nth(targets, n), load));
  await service.publisher.publish(events);
  const before = await cpuSeconds(service.pid);
  process.kill(service.pid, 'SIGCONT');
  const { fresh, repeated, seconds } = await poll(async () => {
    const report = await receivers.report();
    return report.fresh === EVENTS ? report : undefined;
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
  const failed = { number: 1, started_at: at, duration_ms: 5, status_code: 500 };
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
