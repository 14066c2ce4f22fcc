import { createHost, type Host } from '@survey/local/process/host';
import { toPaths } from '@survey/local/stack/folder';
import { toKeyFiles } from '@survey/local/stack/keys';
import { type Plan, planProcesses, type Variables } from '@survey/local/stack/plan-processes';
import type { ServiceInfo } from '@survey/local/stack/stack-file';
import { startProcesses } from '@survey/local/stack/start-processes';
import { inject } from 'vitest';
import { SHORT_WAITS } from '../stack.ts';

const DEFAULT_GATEWAY_PORT = 8180;

/** Plans processes with free ports, which use the databases and keys of the stack. */
export async function planBesideStack(host: Host): Promise<Plan> {
  const { mongodb_uri: mongodbUri, kafka_brokers: kafkaBrokers } = inject('stack');
  const keys = toKeyFiles(toPaths(inject('stackFolder')).keys);
  return planProcesses(host.ports, await host.ports.claim(DEFAULT_GATEWAY_PORT), { mongodbUri, kafkaBrokers, keys });
}

/** Environment variables with the addresses of the services of the stack. */
export function toAddressVariables(): Variables {
  return Object.fromEntries(Object.entries(inject('stack').services).flatMap(toVariables));
}

/** Starts another gateway for the services of the stack. */
export async function startGatewayBesideStack(name: string, env: Variables = {}) {
  const host = createHost();
  const { gateway: planned, ...plan } = await planBesideStack(host);
  const gateway = { ...planned, name, env: { ...planned.env, ...toAddressVariables(), ...env } };
  const processes = await startProcesses(
    { ...plan, gateway, services: [] },
    { paths: toPaths(inject('stackFolder')), env: SHORT_WAITS, host, log: () => {}, onRestarted: () => {} },
  );
  return {
    url: gateway.http,
    async close() {
      await processes.stop();
      await host.close();
    },
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
