import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectReply, openSocket } from './raw-client.ts';
import { BODY, type Requests } from './requests.ts';

const SHORTLY_MS = 50;
/** Long enough not to overload a slow gateway. */
const BETWEEN_MS = 250;

/** Uses a new connection, which is destroyed afterwards. Throws on an unexpected reply. */
export type Client = (socket: Socket) => Promise<unknown>;

/** Clients that disconnect at any moment, and slow clients. */
export function createBadClients({ post, upload, slowReply, long }: Requests): readonly Client[] {
  const [half, rest] = [post + BODY.slice(0, BODY.length / 2), BODY.slice(BODY.length / 2)];
  const leavesAfter = (text: string) => async (socket: Socket) => {
    socket.write(text);
    await sleep(SHORTLY_MS);
  };
  return [
    leavesAfter(post.slice(0, -4)),
    leavesAfter(half),
    leavesAfter(`${upload}10000\r\n${'a'.repeat(0x10000)}\r\n`),
    leavesAfter(slowReply),
    async function leavesInTheAnswer(socket) {
      socket.write(long);
      await expectReply(socket, 200);
    },
    async function writesSlowly(socket) {
      const replied = expectReply(socket, 201);
      socket.write(half);
      for (let at = 0; at < rest.length; at += 50) {
        await sleep(SHORTLY_MS);
        socket.write(rest.slice(at, at + 50));
      }
      await replied;
    },
    async function readsSlowly(socket) {
      socket.write(long);
      await expectReply(socket, 200);
      for (let n = 0; n < 20; n += 1) {
        socket.pause();
        await sleep(SHORTLY_MS);
        socket.resume();
      }
    },
  ];
}

/** Runs a client on new connections repeatedly, and passes on its errors. Returns the number of connections. */
export async function runRepeatedly(
  client: Client,
  { origin, isOver, onError }: { origin: string; isOver: () => boolean; onError: (error: unknown) => void },
): Promise<number> {
  let count = 0;
  for (; !isOver(); count += 1) {
    const socket = openSocket(origin);
    await client(socket).catch(onError);
    socket.destroy();
    await sleep(BETWEEN_MS);
  }
  return count;
}
