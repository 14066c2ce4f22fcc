import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import type { Registry } from 'prom-client';
import { type ProcessMetrics, toProcessMetrics } from './process-metrics.ts';

/** All replicas of a part of the platform. */
export interface MetricsSource {
  readonly name: string;
  /** What each of them tells. Never rejects: what cannot be read is told, and left out. */
  readonly read: (onFailure: (error: unknown) => void) => Promise<readonly ProcessMetrics[]>;
}

const TIMEOUT_MS = 2_000;
/** For so long a replica that is only late does not seem to be gone: sums would go down, and up again. */
const HELD_MS = 10_000;

/** Finds the addresses of a name. */
type ResolveAddresses = (host: string) => Promise<readonly { address: string; family: number }[]>;

interface Options {
  readonly resolve?: ResolveAddresses;
  /** Milliseconds that only ever grow. */
  readonly now?: () => number;
}

/** The processes that a name resolves to, each asked on its own; what one told last holds for ten seconds. */
export function createRemoteSource(name: string, adminUrl: string, options: Options = {}): MetricsSource {
  const { resolve = (host) => lookup(host, { all: true }), now = () => performance.now() } = options;
  const { protocol, hostname, port } = new URL(adminUrl);
  const told = new Map<string, { readonly metrics: ProcessMetrics; readonly until: number }>();

  async function readReplica(address: string): Promise<void> {
    const host = isIPv6(address) ? `[${address}]` : address;
    const metrics = await fetchMetrics(`${protocol}//${host}:${port || '80'}/metrics.json`);
    told.set(address, { metrics, until: now() + HELD_MS });
  }

  return {
    name,
    async read(onFailure) {
      try {
        const addresses = toAddresses(await resolve(hostname.replace(/^\[(.*)\]$/, '$1')));
        for (const address of told.keys()) if (!addresses.has(address)) told.delete(address);
        await Promise.all([...addresses].map((address) => readReplica(address).catch(onFailure)));
      } catch (error) {
        onFailure(error);
      }
      return [...told.values()].flatMap(({ metrics, until }) => (until < now() ? [] : [metrics]));
    },
  };
}

/** Of one family only: with both, every process would be there twice. */
function toAddresses(found: Awaited<ReturnType<ResolveAddresses>>): ReadonlySet<string> {
  const family = found.some((item) => item.family === 4) ? 4 : 6;
  return new Set(found.filter((item) => item.family === family).map(({ address }) => address));
}

/** This process alone. */
export function createLocalSource(name: string, registry: Registry): MetricsSource {
  return { name, read: async () => [toProcessMetrics(await registry.getMetricsAsJSON())] };
}

async function fetchMetrics(url: string): Promise<ProcessMetrics> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return toProcessMetrics(await response.json());
}
