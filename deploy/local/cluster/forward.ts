import type { Ports } from '../process/ports.ts';
import { serviceNames } from '../stack/services.ts';
import type { StackInfo } from '../stack/stack-file.ts';
import { type Command, forwardGateway, forwardGrpc, GATEWAY_PORT } from './plan.ts';

/** Ports of this machine that lead to the platform in a cluster. */
interface Forwards {
  /** Each runs for as long as its port is to be there. */
  readonly commands: readonly Command[];
  /** What is at the ports: enough for all of `npm run admin` but dead letters, which take KAFKA_BROKERS. */
  readonly info: StackInfo;
}

const FIRST_PORT = 19_090;
const LOOPBACK = '127.0.0.1';

/** Plans ports for the gateway and for the gRPC of every service. */
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
