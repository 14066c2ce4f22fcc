import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const TIMEOUT_MS = 15_000;

/** Opens a connection. Readers get its errors. */
export function openSocket(origin: string): Socket {
  const { hostname, port } = new URL(origin);
  return connect(Number(port), hostname).on('error', () => undefined);
}

/** Waits for the start of a reply. Throws on another status. */
export async function expectReply(socket: Socket, status: number): Promise<void> {
  const [reply] = (await once(socket, 'data', { signal: AbortSignal.timeout(TIMEOUT_MS) })) as [Buffer];
  const [line = ''] = reply.toString('latin1').split('\r\n', 1);
  if (!line.startsWith(`HTTP/1.1 ${status} `)) throw new Error(line);
}
