import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a client and a server, so that a test can cut the line. */
export interface TcpProxy {
  readonly port: number;
  /** How many connections there have been. */
  readonly connections: () => number;
  /** Lets nothing through any more on the connections that there are; they stay open. */
  silence(): void;
  /** Cuts all connections and takes no new ones. */
  close(): Promise<void>;
}

/** Passes bytes on to `address` (host:port) in both directions. */
export async function startTcpProxy(address: string): Promise<TcpProxy> {
  const [host = '', port = ''] = address.split(':');
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((near) => {
    connections += 1;
    const far = connect(Number(port), host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // A listening TCP server has an AddressInfo.
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    silence() {
      for (const socket of sockets) socket.unpipe().resume();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
