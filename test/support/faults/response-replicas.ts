import { createHost, type Host } from '@survey/local/process/host';
import { toPaths } from '@survey/local/stack/folder';
import type { Plan } from '@survey/local/stack/plan-processes';
import type { ServiceInfo } from '@survey/local/stack/stack-file';
import { startProcesses } from '@survey/local/stack/start-processes';
import { poll } from '@survey/runtime/testing/poll';
import { inject } from 'vitest';
import { SHORT_WAITS } from '../stack.ts';
import { planBesideStack, toAddressVariables } from './processes-beside-stack.ts';
import { startRoundRobin } from './round-robin.ts';
import { type Supervised, toSupervised } from './supervised.ts';

/** Three replicas of the response service, one of them from the stack, and a gateway that balances between them. */
export interface ResponseReplicas {
  readonly gateway: string;
  readonly all: readonly Supervised[];
  close(): Promise<void>;
}

const OTHER_REPLICAS = ['response-2', 'response-3'];

export async function startResponseReplicas(): Promise<ResponseReplicas> {
  const host = createHost();
  const balancer = await startRoundRobin();
  const plan = await planBeside(host, balancer.url);
  const paths = toPaths(inject('stackFolder'));
  const processes = await startProcesses(plan, { paths, env: SHORT_WAITS, host, log: () => {}, onRestarted: () => {} });
  const others = OTHER_REPLICAS.map((name) => ({
    name,
    pid: async () => processes.info()[name]?.pid ?? 0,
    admin: processes.info()[name]?.admin,
  }));
  balancer.spreadOver(
    [inject('stack').services['response'], ...OTHER_REPLICAS.map((name) => processes.info()[name])].map(portOf),
  );
  return {
    gateway: plan.gateway.http,
    all: [toSupervised('response'), ...others],
    async close() {
      await processes.stop();
      await balancer.close();
      await host.close();
    },
  };
}

/** Plans a gateway and response services that use the other services of the stack. */
async function planBeside(host: Host, responseUrl: string): Promise<Plan> {
  const addresses = toAddressVariables();
  const plan = await planBesideStack(host);
  const others: Plan['services'][number][] = [];
  for (const name of OTHER_REPLICAS) {
    const response = (await planBesideStack(host)).services.find((service) => service.name === 'response');
    if (response === undefined) throw new Error('the plan has no response service');
    others.push({ ...response, name, env: { ...response.env, ...addresses } });
  }
  const env = { ...plan.gateway.env, ...addresses, RESPONSE_URL: responseUrl };
  return { ...plan, gateway: { ...plan.gateway, name: 'gateway-2', env }, services: others };
}

function portOf(service: ServiceInfo | undefined): number {
  return Number(new URL(service?.http ?? '').port);
}

/** The replica that currently publishes response events. */
export async function findRelaying(replicas: readonly Supervised[]): Promise<Supervised> {
  const before = await Promise.all(replicas.map(countPublished));
  return poll(
    async () => {
      const now = await Promise.all(replicas.map(countPublished));
      return replicas.find((_, index) => (now[index] ?? 0) > (before[index] ?? 0));
    },
    { intervalMs: 100 },
  );
}

/** The number of responses that a replica has stored. */
export const countTaken = (replica: Pick<Supervised, 'admin'>): Promise<number> =>
  sumOf(replica, 'survey_responses_total{');

const countPublished = (replica: Pick<Supervised, 'admin'>): Promise<number> =>
  sumOf(replica, 'outbox_published_events_total{collection="responses"');

/** The number of gRPC calls that a process has handled. */
export const countRpcs = (replica: Pick<Supervised, 'admin'>): Promise<number> =>
  sumOf(replica, 'rpc_server_duration_seconds_count{binding="grpc"');

async function sumOf({ admin }: Pick<Supervised, 'admin'>, start: string): Promise<number> {
  return sumSeries(await (await fetch(`${admin}/metrics`)).text(), start);
}

/** The sum of all series of a metrics page that start with this text. */
export function sumSeries(page: string, start: string): number {
  const series = page.split('\n').filter((line) => line.startsWith(start));
  return series.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}
