import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { createYieldIfDue } from '@survey/runtime/flow/yielding';
import { type MetricPart, readMetricParts, SLICE_MS } from '@survey/runtime/telemetry/metrics-text';
import type { Registry } from 'prom-client';

/** All replicas of a service or of the gateway. */
export interface MetricsSource {
  readonly name: string;
  /** Passes failures to `onFailure`, and never rejects. A failed replica has its last metrics or none. */
  readonly read: (onFailure: (error: unknown) => void) => Promise<readonly ProcessMetrics[]>;
}

const TIMEOUT_MS = 2_000;
/** Time for which the last metrics of a failed replica still count. Without them, sums would drop and rise again. */
const STALE_MS = 10_000;

type ResolveAddresses = (host: string) => Promise<readonly { address: string; family: number }[]>;

interface Options {
  readonly resolve?: ResolveAddresses;
  /** Milliseconds that never decrease. */
  readonly now?: () => number;
}

/** Reads the metrics of each process to which the host name of `adminUrl` resolves. */
export function createRemoteSource(name: string, adminUrl: string, options: Options = {}): MetricsSource {
  const { resolve = (host) => lookup(host, { all: true }), now = () => performance.now() } = options;
  const { hostname } = new URL(adminUrl);
  /** The last metrics of each address. */
  const latest = new Map<string, { readonly metrics: ProcessMetrics; readonly until: number }>();

  async function readReplica(address: string): Promise<void> {
    const metrics = await fetchMetrics(metricsUrl(adminUrl, address));
    latest.set(address, { metrics, until: now() + STALE_MS });
  }

  return {
    name,
    async read(onFailure) {
      try {
        const addresses = toAddresses(await resolve(hostname.replace(/^\[(.*)\]$/, '$1')));
        for (const address of latest.keys()) if (!addresses.has(address)) latest.delete(address);
        await Promise.all([...addresses].map((address) => readReplica(address).catch(onFailure)));
      } catch (error) {
        onFailure(error);
      }
      return [...latest.values()].flatMap(({ metrics, until }) => (until < now() ? [] : [metrics]));
    },
  };
}

/** The URL of the metrics of one replica, at the port of `adminUrl`. */
export function metricsUrl(adminUrl: string, address: string): string {
  const { protocol, port } = new URL(adminUrl);
  const host = isIPv6(address) ? `[${address}]` : address;
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}/metrics.json`;
}

/** Returns the addresses of one IP version: with both versions, each process would count twice. */
function toAddresses(found: Awaited<ReturnType<ResolveAddresses>>): ReadonlySet<string> {
  const family = found.some((item) => item.family === 4) ? 4 : 6;
  return new Set(found.filter((item) => item.family === family).map(({ address }) => address));
}

export function createLocalSource(name: string, registry: Registry): MetricsSource {
  async function read(): Promise<ProcessMetrics> {
    const parts: MetricPart[] = [];
    for await (const part of readMetricParts(registry)) parts.push(...toProcessMetrics([part]));
    return parts;
  }
  return { name, read: async () => [await read()] };
}

async function fetchMetrics(url: string): Promise<ProcessMetrics> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status !== 200) throw new Error(`${url} replied with status ${response.status}`);
  return parseProcessMetrics(await response.text());
}

/** The metrics of one process, as in its `/metrics.json`. A metric with many series has several parts. */
export type ProcessMetrics = readonly MetricPart[];

const AGGREGATORS = ['sum', 'first', 'min', 'max', 'average', 'omit'];

/** Parses the text of `/metrics.json` line by line, so that a long text does not block. Throws if it is malformed. */
async function parseProcessMetrics(text: string): Promise<ProcessMetrics> {
  const yieldIfDue = createYieldIfDue(SLICE_MS);
  const parts: MetricPart[] = [];
  for (const line of text.split('\n')) {
    const json = line.replace(/,$/, '');
    if (json === '[' || json === ']' || json === '') continue;
    // Processes of earlier releases send all metrics in one line.
    const parsed: unknown = JSON.parse(json);
    parts.push(...toProcessMetrics(Array.isArray(parsed) ? parsed : [parsed]));
    await yieldIfDue();
  }
  return parts;
}

function toProcessMetrics(json: unknown): ProcessMetrics {
  if (!Array.isArray(json) || !json.every(isMetric)) throw new Error('the metrics of the process are malformed');
  // JSON has no NaN, so NaN arrives as null.
  return json.map((metric) => ({ ...metric, values: metric.values.filter(({ value }) => Number.isFinite(value)) }));
}

function isMetric(value: unknown): value is ProcessMetrics[number] {
  if (typeof value !== 'object' || value === null) return false;
  const { name, help, type, aggregator, values } = value as Record<string, unknown>; // any object can be read like this
  return (
    [name, help, type].every((text) => typeof text === 'string') &&
    typeof aggregator === 'string' &&
    AGGREGATORS.includes(aggregator) &&
    Array.isArray(values) &&
    values.every((item) => typeof item === 'object' && item !== null)
  );
}
