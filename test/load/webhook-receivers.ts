// Webhook receivers in one process, on all addresses of 127.0.0.0/8. Requests to paths with /mute get no reply. For the
// others, it reports counts, times and the delay since `data.at` of events of the measured load.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReceiverReport, ToReceivers } from './receiver-report.ts';
import './end-with-parent.ts';

let delays: number[] = [];
let times: number[] = [];
let mute = 0;
let ids = new Set<string>();
let repeated = 0;
let load = 0;

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
    // Late and repeated events of an earlier load do not count.
    if (data.load !== load) return;
    if (ids.has(delivery_id)) repeated += 1;
    else delays.push(now - data.at);
    ids.add(delivery_id);
  });
});
// Only the sender closes connections.
server.requestTimeout = 0;
server.headersTimeout = 0;
server.keepAliveTimeout = 60_000;

process.on('message', (message: ToReceivers) => {
  if (message !== 'report') {
    [delays, times, mute, ids, repeated] = [[], [], 0, new Set(), 0];
    load = message.load;
  }
  const sorted = delays.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  const report: ReceiverReport = {
    received: times.length,
    fresh: ids.size,
    repeated,
    mute,
    seconds: ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
  };
  process.send?.(report);
});
process.on('SIGTERM', () => process.exit(0));

server.listen(0, '0.0.0.0', 65_535, () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
