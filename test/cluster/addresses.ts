import { once } from 'node:events';
import { connect } from 'node:net';
import type { ServiceInfo, StackInfo } from '@survey/local/stack/stack-file';
import { hostOfPods, NAMESPACE, processNames, RELEASE } from '@survey/tools/cluster/names';
import { apply, kubectl } from './commands.ts';

const PORTS = { http: 8080, grpc: 9090, admin: 9464 };
const MONGODB_PORT = 27_017;
const KUBERNETES_PORT = 443;
const exposedName = (name: string) => `test-${name}`;

/** The address of this machine for pods: that of its connections to Services. */
export async function findOwnAddress(): Promise<string> {
  const host = await clusterIp('kubernetes', 'default');
  const socket = connect({ host, port: KUBERNETES_PORT, timeout: 5_000 });
  socket.on('timeout', () => socket.destroy(new Error('connection timed out')));
  try {
    await once(socket, 'connect');
    return String(socket.localAddress);
  } catch (cause) {
    throw new Error(`this machine must be able to reach the Services of the cluster, but cannot connect to ${host}`, {
      cause,
    });
  } finally {
    socket.destroy();
  }
}

/** The addresses of the platform in the cluster. Creates additional Services for processes without a public one. */
export async function exposeProcesses(): Promise<StackInfo> {
  const toPorts = (ports: Readonly<Record<string, number>>) =>
    Object.entries(ports).map(([name, port]) => ({ name, port }));
  const expose = (name: string, selector: object, ports: object) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: exposedName(name) },
    spec: { selector, ports },
  });
  await apply([
    ...processNames.map((name) =>
      expose(name, { 'app.kubernetes.io/instance': RELEASE, 'app.kubernetes.io/component': name }, toPorts(PORTS)),
    ),
    expose('mongodb', { 'app.kubernetes.io/name': 'mongodb' }, toPorts({ mongodb: MONGODB_PORT })),
  ]);
  const services = await Promise.all(
    processNames.map(async (name): Promise<[string, ServiceInfo]> => {
      const ip = await clusterIp(exposedName(name));
      const { http, grpc, admin } = PORTS;
      const addresses = { http: `http://${ip}:${http}`, grpc: `${ip}:${grpc}`, admin: `http://${ip}:${admin}` };
      return [name, { ...addresses, tls_name: hostOfPods(name) }];
    }),
  );
  return {
    gateway: `http://${await clusterIp(`${RELEASE}-gateway`)}`,
    services: Object.fromEntries(services),
    mongodb: {},
    kafka: {},
    mongodb_uri: `mongodb://${await clusterIp(exposedName('mongodb'))}:${MONGODB_PORT}/?directConnection=true`,
    // The broker's advertised address is only valid inside the cluster.
    kafka_brokers: '',
  };
}

function clusterIp(service: string, namespace = NAMESPACE): Promise<string> {
  return kubectl(['--namespace', namespace, 'get', 'service', service, '--output', 'jsonpath={.spec.clusterIP}']);
}
