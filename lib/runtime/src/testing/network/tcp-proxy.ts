import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between client and server, so that tests can cut connections. */
export interface TcpProxy {
  readonly port: number;
  readonly connections: () => number;
  /** Drops all further bytes on the existing connections, which stay open. */
  silence(): void;
  /** Closes all connections and accepts no new ones. */
  close(): Promise<void>;
}

/** Forwards bytes to `address` (host:port) and back. */
export async function startTcpProxy(address: string): Promise<TcpProxy> {
  const [host = '', port = ''] = address.split(':');
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    const target = connect(Number(port), host);
    for (const [from, to] of [
      [client, target],
      [target, client],
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
