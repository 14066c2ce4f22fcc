import type { Ports } from '../process/ports.ts';
import { serviceNames } from '../stack/services.ts';
import type { StackInfo } from '../stack/stack-file.ts';
import { type Command, forwardGateway, forwardGrpc, GATEWAY_PORT } from './plan.ts';

/** Local ports that are forwarded to the platform in a cluster. */
interface Forwards {
  /** Commands that run as long as their port is forwarded. */
  readonly commands: readonly Command[];
  /** The forwarded addresses: enough for `npm run admin`, except dead letters, which need KAFKA_BROKERS. */
  readonly info: StackInfo;
}

const FIRST_PORT = 19_090;
const LOOPBACK = '127.0.0.1';

export async function planForwards(ports: Ports): Promise<Forwards> {
  const services: [name: string, port: number][] = [];
  for (const name of serviceNames) services.push([name, await ports.claim(FIRST_PORT)]);
  return {
    commands: [forwardGateway(), ...services.map(([name, port]) => forwardGrpc(name, port))],
    info: {
      gateway: `http://${LOOPBACK}:${GATEWAY_PORT}`,
      services: Object.fromEntries(
        services.map(([name, port]) => [name, { http: '', admin: '', grpc: `${LOOPBACK}:${port}` }]),
      ),
      mongodb: {},
      kafka: {},
      mongodb_uri: '',
      kafka_brokers: '',
    },
  };
}
