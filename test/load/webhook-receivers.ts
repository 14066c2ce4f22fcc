// Receivers of webhooks in a process of its own, one at each address of 127.0.0.0/8. What comes to a path that begins
// with /mute is never answered; of the others it is told when asked how many came, when, and how long after `data.at`.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReceiverReport } from './receiver-report.ts';

let delays: number[] = [];
let times: number[] = [];
let mute = 0;
let ids = new Set<string>();
let since = 0;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url?.startsWith('/mute')) {
      mute += 1;
      return;
    }
    const now = performance.timeOrigin + performance.now();
    const { data, delivery_id } = JSON.parse(Buffer.concat(chunks).toString());
    response.end();
    times.push(now);
    ids.add(delivery_id);
    // What was published before is sent again, or late: not what is measured now.
    if (request.url?.startsWith('/ok') && data.at >= since) delays.push(now - data.at);
  });
});
// Nothing but the sender ends a connection.
server.requestTimeout = 0;
server.headersTimeout = 0;
server.keepAliveTimeout = 60_000;

process.on('message', (message) => {
  if (message === 'reset') {
    [delays, times, mute, ids] = [[], [], 0, new Set()];
    since = performance.timeOrigin + performance.now();
  }
  const sorted = delays.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const report: ReceiverReport = {
    received: times.length,
    repeated: times.length - ids.size,
    mute,
    seconds: ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
  };
  process.send?.(report);
});
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));

server.listen(0, '0.0.0.0', 65_535, () => {
  // A listening TCP server has an AddressInfo.
  process.send?.({ port: (server.address() as AddressInfo).port });
});
