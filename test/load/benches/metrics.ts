import { fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { type Figure, median } from '../bench-report.ts';
import { residentBytes, watchMemory } from '../resident-memory.ts';

const ROUNDS = 15;
const MAX_SERIES = 20_000;
const LONGEST_MS = 20;
/** Pause around a measurement, so that the timer of the event loop notices its beginning and end. */
const SETTLE_MS = 50;
const MIB = 1024 * 1024;

interface Shown {
  readonly bytes: number;
  readonly series: number;
}

/** An iteration of the event loop, in milliseconds of the clock and of CPU time. */
interface Iteration {
  readonly clock: number;
  readonly cpu: number;
}

/** Starts a process with the requests of many tenants. */
export async function startMetricsProcess(tenants: number, maxSeries = MAX_SERIES) {
  const args = [String(tenants), String(maxSeries)];
  const script = join(import.meta.dirname, '../metrics-process.ts');
  const child = fork(script, args, { execArgv: ['--expose-gc'] });
  const receive = async <T>() => ((await once(child, 'message')) as [T])[0];
  const { port } = await receive<{ port: number }>();

  async function ask<T>(message: string): Promise<T> {
    const reply = receive<T>();
    child.send(message);
    return reply;
  }

  return {
    pid: child.pid ?? 0,
    ask,
    /** The longest iteration of the event loop meanwhile. */
    async longestIterationOf(work: () => Promise<unknown>): Promise<Iteration> {
      await ask('reset');
      await pause(SETTLE_MS);
      await work();
      await pause(SETTLE_MS);
      return ask<Iteration>('read');
    },
    async scrape(headers: Record<string, string>): Promise<Shown & { readonly sent: number }> {
      const [reply] = await once(get({ port, host: '127.0.0.1', path: '/metrics', headers, agent: false }), 'response');
      const sent = await buffer(reply);
      const body = headers['accept-encoding'] === undefined ? sent : gunzipSync(sent);
      const series = body
        .toString()
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#')).length;
      return { sent: sent.length, bytes: body.length, series };
    },
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function measure(tenants: number): Promise<readonly Figure[]> {
  const label = `${tenants.toLocaleString('en')} tenants`;
  const target = await startMetricsProcess(tenants);
  try {
    const before = await residentBytes(target.pid);
    const memory = watchMemory(target.pid);
    const zipped = { 'accept-encoding': 'gzip' };
    const shown = await target.scrape(zipped);
    const plain: Iteration[] = [];
    const gzip: Iteration[] = [];
    const openMetrics: Iteration[] = [];
    const platform: Iteration[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      plain.push(await target.longestIterationOf(() => target.scrape({})));
      gzip.push(await target.longestIterationOf(() => target.scrape(zipped)));
      openMetrics.push(
        await target.longestIterationOf(() => target.scrape({ ...zipped, accept: 'application/openmetrics-text' })),
      );
      platform.push(await target.longestIterationOf(() => target.ask('platform page')));
    }
    const most = await memory.stop();
    const block = (name: string, iterations: readonly Iteration[]): readonly Figure[] => {
      const value = median(iterations.map(({ cpu }) => cpu));
      const clock = median(iterations.map((iteration) => iteration.clock));
      const long = `${label}: longest iteration of the event loop, ${name}`;
      return [
        { name: `${long}, CPU time`, value, unit: 'ms', atMost: LONGEST_MS },
        { name: `${long}, by the clock`, value: clock, unit: 'ms' },
      ];
    };
    return [
      { name: `${label}: series`, value: shown.series, unit: 'lines' },
      { name: `${label}: page`, value: shown.bytes / MIB, unit: 'MiB' },
      { name: `${label}: page, compressed`, value: shown.sent / MIB, unit: 'MiB' },
      ...block('plain', plain),
      ...block('compressed', gzip),
      ...block('OpenMetrics', openMetrics),
      ...block('page of the gateway over two replicas', platform),
      { name: `${label}: memory before the scrapes`, value: before / MIB, unit: 'MiB' },
      { name: `${label}: memory, at most`, value: most / MIB, unit: 'MiB' },
    ];
  } finally {
    await target.stop();
  }
}

/** The same requests without a limit, and a page that is made all at once. */
async function measureWithoutLimit(tenants: number): Promise<readonly Figure[]> {
  const label = `${tenants.toLocaleString('en')} tenants without a limit, all at once`;
  const target = await startMetricsProcess(tenants, 1_000_000);
  try {
    const memory = watchMemory(target.pid);
    let bytes = 0;
    const iterations: Iteration[] = [];
    for (let round = 0; round < 5; round += 1) {
      iterations.push(
        await target.longestIterationOf(async () => {
          bytes = (await target.ask<{ bytes: number }>('former page')).bytes;
        }),
      );
    }
    return [
      { name: `${label}: page`, value: bytes / MIB, unit: 'MiB' },
      {
        name: `${label}: longest iteration of the event loop, CPU time`,
        value: median(iterations.map(({ cpu }) => cpu)),
        unit: 'ms',
      },
      { name: `${label}: memory, at most`, value: (await memory.stop()) / MIB, unit: 'MiB' },
    ];
  } finally {
    await target.stop();
  }
}

/** Scrapes of a gateway that counts requests of many tenants to 20 routes each. */
export const bench = async (): Promise<readonly Figure[]> => [
  ...(await measure(1_000)),
  ...(await measure(100_000)),
  ...(await measureWithoutLimit(1_000)),
];
