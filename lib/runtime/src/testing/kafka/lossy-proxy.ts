import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { ISocketFactory } from 'kafkajs';

/** A proxy for a Kafka broker that drops replies to produce requests, after the broker has stored the messages. */
export interface LossyProxy {
  /** Connects all clients through the proxy, for every broker. */
  readonly socketFactory: ISocketFactory;
  /** Drops the next reply to a produce request: with its connection (`cut`), or alone (`swallowed`). */
  dropNextReply(how: 'cut' | 'swallowed'): void;
  droppedReplies(): number;
  close(): Promise<void>;
}

const PRODUCE = 0;

/** @param address host:port of the broker */
export async function startLossyProxy(address: string): Promise<LossyProxy> {
  const [host = '', port = ''] = address.split(':');
  const sockets = new Set<Socket>();
  let dropping: 'cut' | 'swallowed' | undefined;
  let dropped = 0;

  const server = createServer((client) => {
    const broker = connect(Number(port), host);
    const produces = new Set<number>();
    for (const [from, to] of [
      [client, broker],
      [broker, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    // A request begins with length, API key, version and correlation id; a reply with length and correlation id.
    forEachFrame(client, (frame) => {
      if (frame.readInt16BE(4) === PRODUCE) produces.add(frame.readInt32BE(8));
      broker.write(frame);
    });
    forEachFrame(broker, (frame) => {
      if (dropping === undefined || !produces.has(frame.readInt32BE(4))) {
        client.write(frame);
        return;
      }
      if (dropping === 'cut') client.destroy();
      dropping = undefined;
      dropped += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxyPort = (server.address() as AddressInfo).port;

  return {
    socketFactory: ({ onConnect }) => connect({ host: '127.0.0.1', port: proxyPort }, onConnect),
    dropNextReply(how) {
      dropping = how;
    },
    droppedReplies: () => dropped,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function forEachFrame(socket: Socket, take: (frame: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE(0)) {
      const end = 4 + rest.readInt32BE(0);
      take(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  });
}
