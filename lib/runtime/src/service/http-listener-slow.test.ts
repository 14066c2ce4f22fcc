import type { RequestListener, Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { poll } from '@survey/runtime/testing/poll';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpListener } from './http-listener.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** Milliseconds, in the place of seconds and minutes. */
async function start(handler: RequestListener, { headMs = 15_000, bodyMs = 60_000, silentMs = 60_000 } = {}) {
  const { server, listen, close } = createHttpListener(handler, undefined, { silentMs });
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

/** All that comes until the connection is closed, or reset: which it is when bytes are under way to who closes it. */
async function answerOn(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(parts).toString();
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}

describe('a caller is not waited for that', () => {
  it('sends nothing', async () => {
    const { port } = await start(() => undefined, { headMs: 100 });
    expect(await answerOn(open(port))).toMatch(/^(HTTP\/1.1 408 |$)/);
  });

  it('sends its headers bit by bit', async () => {
    const { port } = await start(() => undefined, { headMs: 100 });
    const socket = open(port);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n');
    const timer = setInterval(() => socket.write('X-A: 1\r\n'), 10);
    opened.unshift(() => clearInterval(timer));
    expect(await answerOn(socket)).toMatch(/^HTTP\/1.1 408 /);
  });

  it('sends its body bit by bit', async () => {
    const { port } = await start((request) => request.resume(), { headMs: 50, bodyMs: 100 });
    const socket = open(port);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n');
    const timer = setInterval(() => socket.write('x'), 10);
    opened.unshift(() => clearInterval(timer));
    expect(await answerOn(socket)).toMatch(/^HTTP\/1.1 408 /);
  });

  it('reads nothing of its answer', async () => {
    const closed = Promise.withResolvers<void>();
    const { server, port } = await start(
      (_request, response) => {
        response.once('close', closed.resolve);
        response.end(Buffer.alloc(64 * 1024 * 1024));
      },
      { silentMs: 100 },
    );
    open(port).pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await closed.promise;
    await poll(async () => (await connectionsOf(server)) === 0);
  });
});

describe('a caller is waited for that', () => {
  it('gets its answer bit by bit, for longer than one that is silent', async () => {
    const silentMs = 1_000;
    const everyMs = 20;
    const { port } = await start(
      (_request, response) => {
        const timer = setInterval(() => response.write('x'), everyMs);
        response.once('close', () => clearInterval(timer));
      },
      { silentMs },
    );
    const socket = open(port);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    let bits = 0;
    socket.on('data', (part: Buffer) => {
      bits += part.toString().split('x').length - 1;
    });
    await poll(() => bits > (2 * silentMs) / everyMs);
    expect(socket.destroyed).toBe(false);
  });
});
