// A load generator in a process of its own: posts one body again and again over keep-alive connections, each as soon as
// the answer before is in. Reads its task from the first argument, prints its outcome as JSON.
import { Pool } from 'undici';
import type { LoadOutcome, LoadTask } from './load-task.ts';

const task: LoadTask = JSON.parse(process.argv[2] ?? '{}');
const { origin, path, body, connections, warmUpMs, measureMs } = task;
const pool = new Pool(origin, { connections, pipelining: 1 });

const start = performance.now() + warmUpMs;
const end = start + measureMs;
let failed = 0;
const latencies: number[] = [];
let cpuAtStart = process.cpuUsage();
let cpu = cpuAtStart;
setTimeout(() => {
  cpuAtStart = process.cpuUsage();
  process.send?.('measuring');
}, warmUpMs);
setTimeout(() => {
  cpu = process.cpuUsage(cpuAtStart);
  process.send?.('measured');
}, warmUpMs + measureMs);

async function client(): Promise<void> {
  for (;;) {
    const sent = performance.now();
    if (sent >= end) return;
    const status = await post();
    const answered = performance.now();
    if (sent < start || answered > end) continue;
    if (status === 201) latencies.push(answered - sent);
    else failed += 1;
  }
}

/** The status of the answer; undefined when there is none. */
async function post(): Promise<number | undefined> {
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await pool.request({ method: 'POST', path, body, headers });
    await response.body.dump();
    return response.statusCode;
  } catch {
    return undefined; // counted as failed by the caller
  }
}

await Promise.all(Array.from({ length: connections }, client));
await pool.close();
latencies.sort((a, b) => a - b);
const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
const outcome: LoadOutcome = {
  succeeded: latencies.length,
  failed,
  p50Ms: at(0.5),
  p99Ms: at(0.99),
  cpuSeconds: (cpu.user + cpu.system) / 1e6,
};
process.send?.(outcome);
process.disconnect?.();
