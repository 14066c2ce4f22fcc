import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that balances connections like a Kubernetes Service, and simulates network failures. */
export interface RoundRobin {
  readonly port: number;
  readonly url: string;
  /** Distributes new connections over these local ports; skips ports that refuse. */
  spreadOver(ports: readonly number[]): void;
  /** Cuts all connections and rejects new ones until `restore`. */
  cut(): void;
  /** Delays all bytes until `restore`; connections stay open and nothing is lost. */
  pause(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function startRoundRobin(): Promise<RoundRobin> {
  const sockets = new Set<Socket>();
  const pairs = new Set<readonly [Socket, Socket]>();
  /** New connections while paused. */
  const waiting = new Set<Socket>();
  let state: 'open' | 'cut' | 'paused' = 'open';
  let servers: readonly number[] = [];
  let offset = 0;

  async function dialNext(): Promise<Socket | undefined> {
    offset += 1;
    for (const index of servers.keys()) {
      const port = servers[(offset + index) % servers.length];
      const socket = port === undefined ? undefined : await dial(port);
      if (socket !== undefined) return socket;
    }
    return undefined;
  }

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      sockets.delete(socket);
      waiting.delete(socket);
    });
  }

  async function join(near: Socket): Promise<void> {
    const far = await dialNext();
    if (far === undefined) return void near.destroy();
    keep(far);
    if (near.destroyed || state === 'cut') {
      near.destroy();
      far.destroy();
      return;
    }
    const pair = [near, far] as const;
    pairs.add(pair);
    // Deliver the remaining bytes before closing.
    near.once('close', () => far.destroySoon());
    far.once('close', () => near.destroySoon());
    near.once('close', () => pairs.delete(pair));
    if (state === 'open') flow(pair);
  }

  const server = createServer((near) => {
    keep(near);
    if (state === 'cut') near.destroy();
    else if (state === 'paused') waiting.add(near);
    else void join(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    spreadOver(ports) {
      servers = ports;
    },
    cut() {
      state = 'cut';
      for (const socket of sockets) socket.destroy();
    },
    pause() {
      state = 'paused';
      for (const [near, far] of pairs) {
        near.unpipe(far).pause();
        far.unpipe(near).pause();
      }
    },
    restore() {
      const wasPaused = state === 'paused';
      state = 'open';
      if (!wasPaused) return;
      for (const pair of pairs) flow(pair);
      for (const near of waiting) void join(near);
      waiting.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function flow([near, far]: readonly [Socket, Socket]): void {
  near.pipe(far);
  far.pipe(near);
}

/** Returns undefined if the connection is refused. */
function dial(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket)).once('error', () => resolve(undefined));
  });
}
