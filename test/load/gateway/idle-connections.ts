import type { Socket } from 'node:net';
import type { Figure } from '../bench-report.ts';
import { mostOpenFiles } from '../open-files.ts';
import { residentBytes } from '../resident-memory.ts';
import type { Hop, Post } from './hops.ts';
import { expectReply, openSocket } from './raw-client.ts';

const CONNECTIONS = 10_000;
/** Other open files of a process. */
const OTHER_FILES = 500;
const CONCURRENCY = 100;
const MOST_MB = 200;
const LOAD = { kind: 'closed', connections: 64 } as const;
const LOAD_SECONDS = 10;

/**
 * Measures the gateway's memory for idle keep-alive connections. Memory is read under load with and without them,
 * because idle processes keep garbage.
 */
export async function keepIdle({ origin, pid }: Hop, post: Post, request: string): Promise<readonly Figure[]> {
  const name = `${CONNECTIONS} idle connections`;
  const most = Math.min(await mostOpenFiles(pid), await mostOpenFiles(process.pid));
  const needed = CONNECTIONS + OTHER_FILES;
  if (most < needed) return [tooFewFiles(name, most, needed)];
  const memoryUnderLoad = async () => {
    await post('gateway', LOAD, LOAD_SECONDS);
    return (await residentBytes(pid)) / 1e6;
  };
  const without = await memoryUnderLoad();
  const sockets: Socket[] = [];
  try {
    while (sockets.length < CONNECTIONS)
      sockets.push(...(await Promise.all(Array.from({ length: CONCURRENCY }, () => useOnce(origin, request)))));
    const withThem = await memoryUnderLoad();
    const closed = sockets.filter(({ readyState }) => readyState !== 'open').length;
    const taken = withThem - without;
    return [
      { name: `${name}: closed`, value: closed, unit: 'connections', atMost: 0 },
      { name: `${name}: memory of gateway without them`, value: without, unit: 'MB' },
      { name: `${name}: memory of gateway with them`, value: withThem, unit: 'MB' },
      { name: `${name}: memory that they take`, value: taken, unit: 'MB', atMost: MOST_MB },
    ];
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

function tooFewFiles(name: string, most: number, needed: number): Figure {
  const reason = 'NOT MEASURED, the limit of open files is';
  return { name: `${name}: ${reason}`, value: most, unit: 'files', atLeast: needed };
}

async function useOnce(origin: string, request: string): Promise<Socket> {
  const socket = openSocket(origin);
  socket.write(request);
  await expectReply(socket, 201);
  return socket;
}
