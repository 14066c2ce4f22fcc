import type { Ports } from '@survey/local/process/ports';
import type { ServiceInfo, StackInfo } from '@survey/local/stack/stack-file';
import { forwardGateway, forwardPod, GATEWAY_PORT } from './chart-commands.ts';
import type { Command } from './command.ts';
import { hostOfPods, processNames, type Target } from './names.ts';

/** Local ports that are forwarded to the platform in a cluster. */
interface Forwards {
  /** Each command forwards one port as long as it runs. */
  readonly commands: readonly Command[];
  /** The forwarded addresses, for `npm run admin`. MongoDB and Kafka are not forwarded. */
  readonly info: StackInfo;
}

const FIRST_PORT = 19_090;
const LOOPBACK = '127.0.0.1';

/** Plans one local port for the gateway, and the ports of all processes that `npm run admin` connects to. */
export async function planForwards(ports: Ports, target: Target): Promise<Forwards> {
  const commands: Command[] = [forwardGateway(target)];
  const services: [string, ServiceInfo][] = [];
  const forward = async (name: string, port: 'grpc' | 'admin') => {
    const localPort = await ports.claim(FIRST_PORT);
    commands.push(forwardPod(name, port, localPort, target));
    return `${LOOPBACK}:${localPort}`;
  };
  for (const name of processNames) {
    const grpc = name === 'gateway' ? {} : { grpc: await forward(name, 'grpc') };
    const admin = `http://${await forward(name, 'admin')}`;
    services.push([name, { http: '', admin, ...grpc, tls_name: hostOfPods(name, target) }]);
  }
  return {
    commands,
    info: {
      gateway: `http://${LOOPBACK}:${GATEWAY_PORT}`,
      services: Object.fromEntries(services),
      mongodb: {},
      kafka: {},
      mongodb_uri: '',
      kafka_brokers: '',
    },
  };
}
