import { lookup } from 'node:dns/promises';
import type { Registry } from 'prom-client';
import { type ProcessMetrics, toProcessMetrics } from './process-metrics.ts';

/** All replicas of a part of the platform. */
export interface MetricsSource {
  readonly name: string;
  /** Starts to read every replica; rejects when there are none to be found. */
  readonly read: () => Promise<readonly Promise<ProcessMetrics>[]>;
}

const TIMEOUT_MS = 2_000;

/** Finds the addresses of a name. */
export type ResolveAddresses = (host: string) => Promise<readonly { address: string; family: number }[]>;

/** The processes that a name resolves to, each asked on its own. */
export function createRemoteSource(
  name: string,
  adminUrl: string,
  resolve: ResolveAddresses = (host) => lookup(host, { all: true }),
): MetricsSource {
  const { protocol, hostname, port } = new URL(adminUrl);
  return {
    name,
    async read() {
      const found = await resolve(hostname.replace(/^\[(.*)\]$/, '$1'));
      // One family only: with both, every process would be there twice.
      const family = found.some((item) => item.family === 4) ? 4 : 6;
      const addresses = new Set(found.filter((item) => item.family === family).map(({ address }) => address));
      return [...addresses].map((address) =>
        fetchMetrics(`${protocol}//${family === 6 ? `[${address}]` : address}:${port || '80'}/metrics.json`),
      );
    },
  };
}

/** This process alone. */
export function createLocalSource(name: string, registry: Registry): MetricsSource {
  return { name, read: async () => [registry.getMetricsAsJSON().then(toProcessMetrics)] };
}

async function fetchMetrics(url: string): Promise<ProcessMetrics> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return toProcessMetrics(await response.json());
}
