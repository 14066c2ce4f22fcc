import { once } from 'node:events';
import { Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { startProxy } from '../testing/test-proxy.ts';
import { send, sendRaw, startServer, type TestHandler, type TestServer } from '../testing/test-server.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((part) => part.close()));
});

type ProxyOptions = Parameters<typeof startProxy>[1];

async function open(backend: TestHandler, options?: ProxyOptions): Promise<{ backend: TestServer; proxy: TestServer }> {
  const server = await startServer(backend);
  const proxy = await startProxy(server.url, options);
  opened.push(proxy, server);
  return { backend: server, proxy };
}

/** A backend that replies with these bytes. */
async function openRaw(reply: (socket: Socket) => void): Promise<TestServer> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => reply(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const proxy = await startProxy(`http://127.0.0.1:${port}`);
  opened.push(proxy, server);
  return proxy;
}

function begin(proxy: TestServer, method: string, agent?: Agent) {
  return sendRequest(proxy.url, { method, agent: agent ?? false });
}

/** A backend that replies to the first request, and destroys the connections of later ones. */
async function openBreaking() {
  let seen = 0;
  const { proxy } = await open((request, response) => {
    seen += 1;
    if (seen === 1) response.end('ok');
    else request.socket.resetAndDestroy();
  });
  return { proxy, seen: () => seen };
}

/** A backend that replies once over each connection, with the body if there is one. The second request destroys it. */
function openLeaving(options?: ProxyOptions) {
  let last: Socket | undefined;
  return open(async (request, response) => {
    if (last === request.socket) {
      request.socket.resetAndDestroy();
      return;
    }
    last = request.socket;
    response.end((await text(request)) || 'ok');
  }, options);
}

describe('a backend that does not reply', () => {
  it('is 503 with Retry-After if the connection is refused, without the address of the service', async () => {
    const { backend, proxy } = await open(() => undefined);
    await backend.close();
    const reply = await send(`${proxy.url}/path`, { method: 'POST', body: '{}' });
    expect(reply).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1', 'content-type': 'application/problem+json' },
    });
    expect(JSON.parse(reply.body)).toMatchObject({ code: 'UNAVAILABLE', request_id: reply.headers['x-request-id'] });
    expect(reply.body).not.toMatch(/127\.0\.0\.1|ECONN|path/);
  });

  it('is 503 when its name is unknown', async () => {
    const proxy = await startProxy('http://nobody.invalid:80');
    opened.push(proxy);
    expect((await send(proxy.url)).status).toBe(503);
  });

  it('is 503 when it resets the connection', async () => {
    const proxy = await openRaw((socket) => socket.resetAndDestroy());
    expect((await send(proxy.url, { method: 'POST', body: '{}' })).status).toBe(503);
  });

  it('is 504 when it sends nothing', async () => {
    const { proxy } = await open(() => undefined, { idleTimeoutMs: 100 });
    const reply = await send(proxy.url);
    expect([reply.status, JSON.parse(reply.body).code]).toEqual([504, 'DEADLINE_EXCEEDED']);
  });

  it('is 502 when it does not speak HTTP', async () => {
    const proxy = await openRaw((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    const reply = await send(proxy.url);
    expect([reply.status, JSON.parse(reply.body).code]).toEqual([502, 'UPSTREAM_INVALID']);
  });
});

describe('an aborted exchange', () => {
  it('is aborted for the client when the backend dies during the reply', async () => {
    let backend: Socket | null = null;
    const { proxy } = await open((_request, response) => {
      backend = response.socket;
      response.writeHead(200, { 'content-length': '1000' });
      response.write('some');
    });
    const [reply] = (await once(begin(proxy, 'GET').end(), 'response')) as [IncomingMessage];
    reply.once('data', () => backend?.resetAndDestroy());
    await expect(text(reply)).rejects.toThrow('aborted');
  });

  it('is ended for the backend when the client disconnects before the reply', async () => {
    const gone = Promise.withResolvers<void>();
    const { proxy } = await open((_request, response) => {
      response.once('close', () => gone.resolve());
      client.destroy();
    });
    const client = begin(proxy, 'GET').on('error', () => undefined);
    client.end();
    await gone.promise;
  });

  it('is ended for the backend when the client disconnects during the body', async () => {
    const gone = Promise.withResolvers<void>();
    const { proxy } = await open((request) => {
      request.once('data', () => client.destroy());
      request.once('error', () => gone.resolve());
    });
    const client = begin(proxy, 'POST').on('error', () => undefined);
    client.write('half');
    await gone.promise;
  });

  it('is ended for the backend when the client disconnects during the reply', async () => {
    const gone = Promise.withResolvers<void>();
    const { proxy } = await open((_request, response) => {
      response.once('close', () => gone.resolve());
      response.write('some');
    });
    const client = begin(proxy, 'GET').on('error', () => undefined);
    client.once('response', () => client.destroy()).end();
    await gone.promise;
  });
});

describe('connections to a backend', () => {
  it('are reused', async () => {
    const sockets = new Set<unknown>();
    const { proxy } = await open((request, response) => {
      sockets.add(request.socket);
      response.end();
    });
    for (let count = 0; count < 20; count += 1) {
      // Each request of the client has a connection of its own.
      await send(proxy.url, { method: count % 2 === 0 ? 'GET' : 'POST', headers: { connection: 'close' } });
    }
    expect(sockets.size).toBe(1);
  });

  it('leave no listener on a reused connection of a client', async () => {
    const { proxy } = await open((_request, response) => response.end());
    const warnings: Error[] = [];
    const warned = (warning: Error) => void warnings.push(warning);
    process.on('warning', warned);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let count = 0; count < 30; count += 1) {
      const [reply] = (await once(begin(proxy, 'GET', agent).end(), 'response')) as [IncomingMessage];
      await once(reply.resume(), 'end');
    }
    await yieldToEventLoop();
    process.off('warning', warned);
    agent.destroy();
    expect(warnings).toEqual([]);
  });

  it('closed by the backend do not fail a request that only reads', async () => {
    const { proxy } = await openLeaving();
    await send(proxy.url);
    expect(await send(proxy.url)).toMatchObject({ status: 200, body: 'ok' });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'that the backend closed meanwhile fail a %s, which is sent once',
    async (method) => {
      const { proxy, seen } = await openBreaking();
      await send(proxy.url);
      expect((await send(proxy.url, { method })).status).toBe(503);
      expect(seen()).toBe(2);
    },
  );

  it('fail a request that only reads if two break in a row', async () => {
    const { proxy, seen } = await openBreaking();
    await send(proxy.url);
    expect((await send(proxy.url)).status).toBe(503);
    expect(seen()).toBe(3);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['reset', (socket) => socket.resetAndDestroy()],
    ['closed', (socket) => socket.end()],
  ])(
    'that are new and %s in the middle of a request that only reads fail it, which is sent once',
    async (_how, lose) => {
      let seen = 0;
      const { proxy } = await open((request) => {
        seen += 1;
        lose(request.socket);
      });
      expect((await send(proxy.url)).status).toBe(503);
      expect(seen).toBe(1);
    },
  );

  it('closed by the backend do not fail a request that only reads and has a short body', async () => {
    const { proxy } = await openLeaving({ route: { isRead: true } });
    const reading = { method: 'POST', headers: { 'content-length': '2' }, body: '{}' };
    await send(proxy.url, reading);
    expect(await send(proxy.url, reading)).toMatchObject({ status: 200, body: '{}' });
  });

  it('closed by the backend fail a request whose body was forwarded while it arrived', async () => {
    const { proxy } = await openLeaving({ kind: 'stream' });
    await send(proxy.url);
    const client = begin(proxy, 'GET');
    client.setHeader('content-length', '2');
    client.end('{}');
    const [reply] = (await once(client, 'response')) as [IncomingMessage];
    expect(reply.statusCode).toBe(503);
  });
});

describe('a body', () => {
  it('reaches the backend while the caller is still sending it', async () => {
    const { proxy } = await open((request, response) => {
      request.once('data', (chunk) => response.end(`got ${chunk}`));
    });
    const client = begin(proxy, 'POST');
    client.write('first');
    const [reply] = (await once(client, 'response')) as [IncomingMessage];
    const [chunk] = await once(reply, 'data');
    expect(String(chunk)).toBe('got first');
    client.end('second');
  });

  it('that is short reaches the backend unchanged, in one piece', async () => {
    const { proxy } = await open(async (request, response) => response.end(await text(request)));
    const client = begin(proxy, 'POST');
    client.setHeader('content-length', '6');
    client.write('abc');
    await yieldToEventLoop();
    client.end('def');
    const [reply] = (await once(client, 'response')) as [IncomingMessage];
    expect(await text(reply)).toBe('abcdef');
  });

  it('in chunks reaches an HTTP/1.0 client without chunk sizes', async () => {
    const { proxy } = await open((_request, response) => {
      response.write('first ');
      response.end('second');
    });
    const received = await sendRaw(proxy.port, 'GET / HTTP/1.0\r\nHost: a\r\n\r\n');
    expect(received.split('\r\n\r\n')[1]).toBe('first second');
  });

  it('arrives after an informational (1xx) reply', async () => {
    const { proxy } = await open((_request, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' }, () => response.end('the reply'));
    });
    expect(await send(proxy.url)).toMatchObject({ status: 200, body: 'the reply' });
  });

  it('reaches the caller while the backend is still sending it', async () => {
    const more = Promise.withResolvers<void>();
    const { proxy } = await open(async (_request, response) => {
      response.write('first');
      await more.promise;
      response.end('second');
    });
    const [reply] = (await once(begin(proxy, 'GET').end(), 'response')) as [IncomingMessage];
    const [first] = await once(reply, 'data');
    more.resolve();
    const [second] = await once(reply, 'data');
    expect([String(first), String(second)]).toEqual(['first', 'second']);
  });
});
