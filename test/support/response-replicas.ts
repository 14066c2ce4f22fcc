import { createHost, type Host } from '@survey/local/process/host';
import { toPaths } from '@survey/local/stack/folder';
import { toKeyFiles } from '@survey/local/stack/keys';
import { type Plan, planParts } from '@survey/local/stack/parts';
import type { ServiceInfo } from '@survey/local/stack/stack-file';
import { startParts } from '@survey/local/stack/start-parts';
import { poll } from '@survey/runtime/testing/poll';
import { inject } from 'vitest';
import { toSupervised } from './parts.ts';
import { startRoundRobin } from './round-robin.ts';
import type { Supervised } from './supervised.ts';

/** The response service of the stack, another process of it, and a gateway that spreads requests over both. */
export interface ResponseReplicas {
  readonly gateway: string;
  readonly both: readonly [Supervised, Supervised];
  close(): Promise<void>;
}

const OTHER = 'response-2';
const USUAL_GATEWAY_PORT = 8180;

export async function startResponseReplicas(): Promise<ResponseReplicas> {
  const host = createHost();
  const balancer = await startRoundRobin();
  const plan = await planBeside(host, balancer.url);
  const paths = toPaths(inject('stackFolder'));
  const parts = await startParts(plan, { paths, host, log: () => {}, onRestarted: () => {} });
  const first = toSupervised('response');
  const other = { name: OTHER, pid: async () => parts.info()[OTHER]?.pid ?? 0, admin: parts.info()[OTHER]?.admin };
  balancer.spreadOver([inject('stack').services['response'], parts.info()[OTHER]].map(portOf));
  return {
    gateway: plan.gateway.http,
    both: [first, other],
    async close() {
      await parts.stop();
      await balancer.close();
      await host.close();
    },
  };
}

/** A gateway and a response service that work with the other services of the stack. */
async function planBeside(host: Host, responseUrl: string): Promise<Plan> {
  const { mongodb_uri: mongodbUri, kafka_brokers: kafkaBrokers, services } = inject('stack');
  const around = { mongodbUri, kafkaBrokers, keys: toKeyFiles(toPaths(inject('stackFolder')).keys) };
  const plan = await planParts(host.ports, await host.ports.claim(USUAL_GATEWAY_PORT), around);
  const addresses = Object.fromEntries(Object.entries(services).flatMap(toVariables));
  return {
    ...plan,
    gateway: {
      ...plan.gateway,
      name: 'gateway-2',
      env: { ...plan.gateway.env, ...addresses, RESPONSE_URL: responseUrl },
    },
    services: plan.services
      .filter(({ name }) => name === 'response')
      .map((response) => ({ ...response, name: OTHER, env: { ...response.env, ...addresses } })),
  };
}

function toVariables([name, { http, grpc, admin }]: readonly [string, ServiceInfo]): [string, string][] {
  const prefix = name.toUpperCase();
  return [
    [`${prefix}_URL`, http],
    [`${prefix}_ADMIN_URL`, admin],
    ...(grpc === undefined ? [] : [[`${prefix}_GRPC_ADDRESS`, grpc] satisfies [string, string]]),
  ];
}

function portOf(service: ServiceInfo | undefined): number {
  return Number(new URL(service?.http ?? '').port);
}

/** The replica that brings the events of responses to Kafka, while there are some. */
export async function findRelaying(replicas: readonly Supervised[]): Promise<Supervised> {
  const before = await Promise.all(replicas.map(countPublished));
  return poll(
    async () => {
      const now = await Promise.all(replicas.map(countPublished));
      return replicas.find((_, index) => (now[index] ?? 0) > (before[index] ?? 0));
    },
    { timeoutMs: 30_000, everyMs: 100 },
  );
}

/** How many responses a replica has stored. */
export const countTaken = (replica: Supervised): Promise<number> => sumOf(replica, 'survey_responses_total{');

const countPublished = (replica: Supervised): Promise<number> =>
  sumOf(replica, 'outbox_published_events_total{collection="responses"');

/** The sum of a metric over all series that begin like this. */
async function sumOf({ admin }: Supervised, start: string): Promise<number> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  const series = text.split('\n').filter((line) => line.startsWith(start));
  return series.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}
