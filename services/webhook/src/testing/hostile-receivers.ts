// Hostile receivers in a process of their own. The path selects a behaviour: `/endless/1` never ends its body. On a
// message, the process sends the bytes written, the number of requests, and the behaviours of open connections.
// Argument: the bytes that are written to each connection at full speed. Later bytes are written slowly.
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

const DRIP_MS = 50;
const FAST_BYTES = Number(process.argv[2]);
const LINE = '\r\n';
const head = (status: string, ...headers: string[]) => [`HTTP/1.1 ${status}`, ...headers, '', ''].join(LINE);

let poured = 0;
let messages = 0;
const open = new Map<Socket, string>();

function write(socket: Socket, data: string | Buffer): boolean {
  poured += data.length;
  return socket.write(data);
}

/** Writes until the connection is closed. */
function pour(socket: Socket, chunk: Buffer): void {
  let left = FAST_BYTES;
  const more = () => {
    while (left > 0) {
      if (socket.destroyed) return;
      left -= chunk.length;
      if (!write(socket, chunk)) return;
    }
    socket.off('drain', more);
    writeSlowly(socket, () => chunk);
  };
  socket.on('drain', more);
  more();
}

function drip(socket: Socket, text: string): void {
  let at = 0;
  writeSlowly(socket, () => text[at++ % text.length] ?? '');
}

function writeSlowly(socket: Socket, next: () => string | Buffer): void {
  const timer = setInterval(() => write(socket, next()), DRIP_MS);
  socket.on('close', () => clearInterval(timer));
}

function bomb(socket: Socket, encoding: string, compressed: Buffer): void {
  write(socket, head('200 OK', `Content-Encoding: ${encoding}`, `Content-Length: ${compressed.length}`));
  write(socket, compressed);
}

/** Writes `before`, and resets the connection later: a reset discards data that the sender has not read yet. */
function reset(socket: Socket, before: string, delayMs: number): void {
  if (before === '') socket.resetAndDestroy();
  else socket.write(before, () => setTimeout(() => socket.resetAndDestroy(), delayMs));
}

const zeros = Buffer.alloc(50 * 1024 * 1024);
const bombs = { gzip: gzipSync(zeros), br: brotliCompressSync(zeros), deflate: deflateSync(zeros) };
const chunk = Buffer.from(`10000${LINE}${'a'.repeat(0x10000)}${LINE}`);
const plain = Buffer.alloc(0x10000, 'a');

const behaviours: Readonly<Record<string, (socket: Socket) => unknown>> = {
  silent: () => undefined,
  'dripping-status': (socket) => drip(socket, `HTTP/1.1 200 OK${LINE}X: ${'a'.repeat(60_000)}`),
  'dripping-headers': (socket) => write(socket, `HTTP/1.1 200 OK${LINE}`) && drip(socket, `X: y${LINE}`),
  'dripping-body': (socket) => write(socket, head('200 OK', 'Content-Length: 60000')) && drip(socket, 'a'),
  'dripping-chunks': (socket) =>
    write(socket, head('200 OK', 'Transfer-Encoding: chunked')) && drip(socket, `1${LINE}a${LINE}`),
  'dripping-failure': (socket) => write(socket, head('500 No', 'Content-Length: 60000')) && drip(socket, 'a'),
  endless: (socket) => write(socket, head('200 OK', 'Transfer-Encoding: chunked')) && pour(socket, chunk),
  'endless-length': (socket) => write(socket, head('200 OK', 'Content-Length: 10737418240')) && pour(socket, plain),
  'endless-close': (socket) => write(socket, head('200 OK')) && pour(socket, plain),
  'endless-header': (socket) => write(socket, `HTTP/1.1 200 OK${LINE}X: `) && pour(socket, plain),
  'endless-headers': (socket) =>
    write(socket, `HTTP/1.1 200 OK${LINE}`) && pour(socket, Buffer.from(`X: y${LINE}`.repeat(1_000))),
  'endless-trailers': (socket) =>
    write(socket, `${head('200 OK', 'Transfer-Encoding: chunked')}0${LINE}`) &&
    pour(socket, Buffer.from(`X: y${LINE}`.repeat(1_000))),
  'endless-chunk-extension': (socket) =>
    write(socket, `${head('200 OK', 'Transfer-Encoding: chunked')}1;`) && pour(socket, plain),
  'gzip-bomb': (socket) => bomb(socket, 'gzip', bombs.gzip),
  'brotli-bomb': (socket) => bomb(socket, 'br', bombs.br),
  'deflate-bomb': (socket) => bomb(socket, 'deflate', bombs.deflate),
  'reset-unread': (socket) => reset(socket, '', 0),
  'reset-in-headers': (socket) => reset(socket, `HTTP/1.1 200 OK${LINE}X: `, 2_000),
  'reset-in-body': (socket) => reset(socket, `${head('200 OK', 'Content-Length: 100')}half`, 2_000),
  'reset-after': (socket) => reset(socket, `${head('200 OK', 'Content-Length: 4')}whole`.slice(0, -1), 10_000),
  'closed-without-reply': (socket) => socket.end(),
  'closed-in-body': (socket) => socket.end(`${head('200 OK', 'Content-Length: 100')}half`),
  'closed-in-failure': (socket) => socket.end(`${head('503 No', 'Content-Length: 100')}half`),
  'flood-of-100': (socket) => pour(socket, Buffer.from(head('100 Continue').repeat(1_000))),
  'flood-of-102': (socket) => pour(socket, Buffer.from(head('102 Processing').repeat(1_000))),
  'flood-of-103': (socket) => pour(socket, Buffer.from(head('103 Early Hints', 'Link: </a>').repeat(1_000))),
  'dripping-103': (socket) => drip(socket, head('103 Early Hints', 'Link: </a>')),
  switching: (socket) => write(socket, head('101 Switching Protocols', 'Connection: upgrade', 'Upgrade: h2c')),
  'other-protocol': (socket) => socket.end(`SSH-2.0-OpenSSH_9.6${LINE}`),
  'http-0.9': (socket) => socket.end('<html>hello</html>'),
  'http-2': (socket) => socket.end(Buffer.from('00000c04000000000000030000006400040000ffff', 'hex')),
  'no-status': (socket) => socket.end(`HTTP/1.1 OK${LINE}${LINE}`),
  'two-lengths': (socket) => socket.end(`${head('200 OK', 'Content-Length: 1', 'Content-Length: 2')}ab`),
  'length-below-zero': (socket) => socket.end(`${head('200 OK', 'Content-Length: -1')}ab`),
  'wrong-chunk': (socket) => socket.end(`${head('200 OK', 'Transfer-Encoding: chunked')}zz${LINE}`),
  'no-content-with-body': (socket) => write(socket, `${head('204 No Content', 'Content-Length: 5')}hello`),
  'two-replies': (socket) => write(socket, head('200 OK', 'Content-Length: 0').repeat(2)),
  unreadable: (socket) => {
    const body = Buffer.from('6100ff62eda08063f09f98', 'hex');
    write(socket, Buffer.concat([Buffer.from(head('200 OK', `Content-Length: ${body.length}`)), body]));
  },
};

const server = createServer((socket) => {
  open.set(socket, '');
  socket.on('error', () => socket.destroy());
  socket.on('close', () => open.delete(socket));
  socket.on('data', (data) => {
    const kind = /^POST \/([^/]+)\//.exec(data.toString('latin1'))?.[1];
    if (kind === undefined) return;
    messages += 1;
    open.set(socket, kind);
    behaviours[kind]?.(socket);
  });
});

process.on('message', () => process.send?.({ poured, messages, open: [...open.values()] }));
process.on('disconnect', () => process.exit(0));

server.listen(0, '127.0.0.1', 65_535, () => {
  // A listening TCP server has an AddressInfo.
  process.send?.({ port: (server.address() as AddressInfo).port });
});
