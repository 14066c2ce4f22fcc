// The upstream of the compared proxies: a minimal node:http process. Most requests get a short reply; `/count` is slow,
// `/export` is long and respects backpressure.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import './end-with-parent.ts';

const ANSWER = JSON.stringify({ id: '01890a5d-ac96-774b-bcce-b302099a8057', status: 'completed' });
const HEAD = { 'content-type': 'application/json', 'content-length': ANSWER.length, 'cache-control': 'no-store' };
const SLOW_MS = 500;
const PIECE = Buffer.alloc(64 * 1024, 'a');
const PIECES = 64;

function reply(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url?.split('?')[0] ?? '';
  if (path.endsWith('/export')) {
    response.writeHead(200, { 'content-type': 'text/csv' });
    // The client can disconnect.
    pipeline(Readable.from(Array<Buffer>(PIECES).fill(PIECE)), response).catch(() => undefined);
    return;
  }
  const send = () => response.writeHead(201, HEAD).end(ANSWER);
  if (path.endsWith('/count')) setTimeout(send, SLOW_MS);
  else request.resume().once('end', send);
}

// Longer than the idle timeout of the proxies.
const server = createServer({ keepAliveTimeout: 65_000 }, reply);
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  process.disconnect?.();
});
