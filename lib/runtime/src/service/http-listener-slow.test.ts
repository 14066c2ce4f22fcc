import type { RequestListener, Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { poll } from '@survey/runtime/testing/poll';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpListener, type ReadingSpeed } from './http-listener.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** Starts a listener with timeouts that a test can shorten. */
async function start(
  handler: RequestListener,
  { headMs = 15_000, bodyMs = 60_000, idleTimeoutMs = 60_000 } = {},
  minReadingSpeed?: ReadingSpeed,
) {
  const { server, listen, close } = createHttpListener(handler, undefined, {
    idleTimeoutMs,
    ...(minReadingSpeed === undefined ? {} : { minReadingSpeed }),
  });
  const limits = { headersTimeout: headMs, requestTimeout: bodyMs, connectionsCheckingInterval: 20 };
  Object.assign(server, limits);
  const port = await listen(0, '127.0.0.1');
  opened.push(() => close(0));
  return { server, port };
}

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  opened.unshift(() => socket.destroy());
  return socket;
}

/** Reads until the connection is closed or reset. Closing it with unread bytes in flight causes a reset. */
async function readAll(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(parts).toString();
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}

describe('closes the connection of a caller that', () => {
  it('sends nothing', async () => {
    const { port } = await start(() => undefined, { headMs: 100 });
    expect(await readAll(open(port))).toMatch(/^(HTTP\/1.1 408 |$)/);
  });

  it('sends its headers byte by byte', async () => {
    const { port } = await start(() => undefined, { headMs: 100 });
    const socket = open(port);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n');
    const timer = setInterval(() => socket.write('X-A: 1\r\n'), 10);
    opened.unshift(() => clearInterval(timer));
    expect(await readAll(socket)).toMatch(/^HTTP\/1.1 408 /);
  });

  it('sends its body byte by byte', async () => {
    const { port } = await start((request) => request.resume(), { headMs: 50, bodyMs: 100 });
    const socket = open(port);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n');
    const timer = setInterval(() => socket.write('x'), 10);
    opened.unshift(() => clearInterval(timer));
    expect(await readAll(socket)).toMatch(/^HTTP\/1.1 408 /);
  });

  it('does not read its reply', async () => {
    const closed = Promise.withResolvers<void>();
    const { server, port } = await start(
      (_request, response) => {
        response.once('close', closed.resolve);
        response.end(Buffer.alloc(64 * 1024 * 1024));
      },
      { idleTimeoutMs: 100 },
    );
    open(port).pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await closed.promise;
    await poll(async () => (await connectionsOf(server)) === 0);
  });
});

describe('with a minimum speed of reading', () => {
  const CHUNK = Buffer.alloc(64 * 1024);

  /** Sends 64 MiB, and tells when the response is closed. */
  async function startLarge(speed: ReadingSpeed) {
    const closed = Promise.withResolvers<boolean>();
    const { port } = await start(
      (_request, response) => {
        response.once('close', () => closed.resolve(response.writableFinished));
        response.end(Buffer.alloc(64 * 1024 * 1024));
      },
      {},
      speed,
    );
    const socket = open(port);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    return { socket, isComplete: closed.promise };
  }

  it('a caller that reads more slowly is disconnected', async () => {
    const { socket, isComplete } = await startLarge({ graceMs: 0, bytesPerMs: 1_000_000 });
    const timer = setInterval(() => socket.read(1), 10);
    opened.unshift(() => clearInterval(timer));
    expect(await isComplete).toBe(false);
  });

  it('a caller that reads much fast, and then nothing, is disconnected', async () => {
    const closed = Promise.withResolvers<void>();
    const { port } = await start(
      (_request, response) => {
        response.once('close', closed.resolve);
        const send = () => {
          while (!response.destroyed && response.write(CHUNK));
        };
        response.on('drain', send);
        send();
      },
      { idleTimeoutMs: 600_000 },
      { graceMs: 0, bytesPerMs: 1_000 },
    );
    const socket = open(port);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    socket.on('data', () => socket.bytesRead < 2_000 * CHUNK.length || socket.pause());
    await closed.promise;
    expect(socket.bytesRead).toBeGreaterThanOrEqual(2_000 * CHUNK.length);
  });

  it('a caller that reads gets the whole reply', async () => {
    const { socket, isComplete } = await startLarge({ graceMs: 0, bytesPerMs: 1 });
    socket.resume();
    expect(await isComplete).toBe(true);
  });
});

describe('a caller is waited for that', () => {
  it('gets its reply byte by byte, for longer than the idle timeout', async () => {
    const idleTimeoutMs = 1_000;
    const everyMs = 20;
    const { port } = await start(
      (_request, response) => {
        const timer = setInterval(() => response.write('x'), everyMs);
        response.once('close', () => clearInterval(timer));
      },
      { idleTimeoutMs },
    );
    const socket = open(port);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    let bits = 0;
    socket.on('data', (part: Buffer) => {
      bits += part.toString().split('x').length - 1;
    });
    await poll(() => bits > (2 * idleTimeoutMs) / everyMs);
    expect(socket.destroyed).toBe(false);
  });
});
