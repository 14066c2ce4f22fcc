import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** Spreads connections over servers, as a Service of Kubernetes does. */
export interface RoundRobin {
  readonly url: string;
  /** From now on each connection goes to the next of these ports of this machine that takes it. */
  spreadOver(ports: readonly number[]): void;
  close(): Promise<void>;
}

export async function startRoundRobin(): Promise<RoundRobin> {
  const open = new Set<Socket>();
  let servers: readonly number[] = [];
  let turn = 0;

  async function dialNext(): Promise<Socket | undefined> {
    turn += 1;
    for (const index of servers.keys()) {
      const port = servers[(turn + index) % servers.length];
      const socket = port === undefined ? undefined : await dial(port);
      if (socket !== undefined) return socket;
    }
    return undefined;
  }

  async function pass(near: Socket): Promise<void> {
    open.add(near);
    near.once('close', () => open.delete(near)).on('error', () => near.destroy());
    const far = await dialNext();
    if (far === undefined) near.destroy();
    // Either side may break it off.
    else await Promise.allSettled([pipeline(near, far), pipeline(far, near)]);
  }

  const server = createServer((near) => void pass(near));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // A listening TCP server has an AddressInfo.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spreadOver(ports) {
      servers = ports;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/** Undefined when nobody listens. */
function dial(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket)).once('error', () => resolve(undefined));
  });
}
