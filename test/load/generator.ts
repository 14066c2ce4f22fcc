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
setTimeout(() => {
  cpuAtStart = process.cpuUsage();
  process.send?.('measuring');
}, warmUpMs);

async function client(): Promise<void> {
  for (;;) {
    const sent = performance.now();
    if (sent >= end) return;
    const response = await pool.request({
      method: 'POST',
      path,
      body,
      headers: { 'content-type': 'application/json' },
    });
    await response.body.dump();
    const answered = performance.now();
    if (sent < start || answered > end) continue;
    if (response.statusCode === 201) latencies.push(answered - sent);
    else failed += 1;
  }
}

await Promise.all(Array.from({ length: connections }, client));
await pool.close();
const { user, system } = process.cpuUsage(cpuAtStart);
latencies.sort((a, b) => a - b);
const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
const outcome: LoadOutcome = {
  succeeded: latencies.length,
  failed,
  p50Ms: at(0.5),
  p99Ms: at(0.99),
  cpuSeconds: (user + system) / 1e6,
};
process.send?.(outcome);
process.disconnect?.();
