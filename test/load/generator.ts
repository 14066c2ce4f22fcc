// A load generator in a child process: posts one body repeatedly over keep-alive connections. It reads its task from
// the first argument, and sends marks and its outcome to the parent.
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTokenMinter } from '@survey/runtime/auth/internal-token';
import { headerNames } from '@survey/runtime/rpc/headers';
import { disablePretenuring } from '@survey/runtime/service/run-process';
import { Client } from 'undici';
import type { LoadModel, LoadOutcome, LoadTask } from './load-task.ts';

// GC pauses of the generator would count as latency.
disablePretenuring();

const task: LoadTask = JSON.parse(process.argv[2] ?? '{}');
const { origins, path, body, model, warmUpMs, measureMs } = task;
const clients = Array.from(
  { length: model.connections },
  // Shorter than the idle timeout of the servers.
  (_, index) => new Client(origins[index % origins.length] ?? '', { pipelining: 1, keepAliveTimeout: 60_000 }),
);
const headersOf = await headerSource();

const start = performance.now() + warmUpMs;
const end = start + measureMs;
const latencies: number[] = [];
const failures: Record<string, number> = {};
let shed = 0;

/** The headers of requests, including a token for internal calls. */
async function headerSource(): Promise<() => Promise<Record<string, string>>> {
  const common = { 'content-type': 'application/json', ...task.headers };
  if (task.internalKey === undefined) return async () => common;
  const { file, caller, audience } = task.internalKey;
  const minter = await createTokenMinter({ service: caller, privateKey: JSON.parse(await readFile(file, 'utf8')) });
  return async () => ({
    ...common,
    authorization: `Bearer ${await minter.mint(audience, {})}`,
    [headerNames.clientAddress]: '127.0.0.1',
  });
}

/** Sends one request. Its result counts if it was due during the measurement. */
async function post(client: Client, dueAt: number, headers: Record<string, string>): Promise<void> {
  let seen: string;
  try {
    const response = await client.request({ method: 'POST', path, body, headers });
    await response.body.dump();
    const isShed = response.statusCode === 503 && response.headers['retry-after'] !== undefined;
    seen = isShed ? 'shed' : response.statusCode < 300 ? 'good' : String(response.statusCode);
  } catch (error) {
    seen = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
  if (dueAt < start || dueAt >= end) return;
  if (seen === 'good') latencies.push(performance.now() - dueAt);
  else if (seen === 'shed') shed += 1;
  else failures[seen] = (failures[seen] ?? 0) + 1;
}

/** Each connection sends requests one after the other. */
async function runClosed(): Promise<void> {
  const loop = async (client: Client) => {
    for (let now = performance.now(); now < end; now = performance.now()) await post(client, now, await headersOf());
  };
  await Promise.all(clients.map(loop));
}

/** Sends all due requests repeatedly on the connections that were idle longest. */
async function runOpen({ perSecond }: LoadModel & { kind: 'open' }): Promise<void> {
  const free = [...clients];
  const waiting: number[] = [];
  const running = new Set<Promise<void>>();
  const send = (headers: Record<string, string>) => {
    while (waiting.length > 0 && free.length > 0) {
      // Both arrays are not empty.
      const [client, dueAt] = [free.shift() as Client, waiting.shift() as number];
      const sent: Promise<void> = post(client, dueAt, headers).finally(() => {
        running.delete(sent);
        free.push(client);
        send(headers);
      });
      running.add(sent);
    }
  };
  const begin = performance.now();
  for (let due = 0; performance.now() < end; await sleep(1)) {
    const headers = await headersOf();
    for (; begin + (due * 1000) / perSecond <= performance.now(); due += 1)
      waiting.push(begin + (due * 1000) / perSecond);
    send(headers);
  }
  // Waiting requests are sent when a connection becomes free.
  while (running.size > 0) await Promise.all(running);
}

let cpuAtStart = process.cpuUsage();
let cpu = cpuAtStart;
setTimeout(() => {
  cpuAtStart = process.cpuUsage();
  process.send?.('measuring');
}, warmUpMs);
const measured = sleep(warmUpMs + measureMs).then(() => {
  cpu = process.cpuUsage(cpuAtStart);
  process.send?.('measured');
});

// On a busy machine, the timer can be later than the requests.
await Promise.all([model.kind === 'closed' ? runClosed() : runOpen(model), measured]);
await Promise.all(clients.map((client) => client.close()));
latencies.sort((a, b) => a - b);
const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
const outcome: LoadOutcome = {
  succeeded: latencies.length,
  shed,
  failed: Object.values(failures).reduce((sum, count) => sum + count, 0),
  failures,
  p50Ms: at(0.5),
  p99Ms: at(0.99),
  maxMs: latencies.at(-1) ?? 0,
  cpuSeconds: (cpu.user + cpu.system) / 1e6,
};
process.send?.(outcome);
process.disconnect?.();
