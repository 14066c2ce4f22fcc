import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startProxy } from '../testing/test-proxy.ts';
import { type Reply, send, type TestServer } from '../testing/test-server.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const part of opened.splice(0)) await part.close();
});

const KINDS = ['message', 'stream'] as const;

/** A backend that replies to each request with the next of these texts, and then repeats the last. */
async function open(kind: (typeof KINDS)[number], ...replies: readonly string[]): Promise<TestServer> {
  let count = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    socket.on('data', () => {
      socket.write(replies[Math.min(count, replies.length - 1)] ?? '');
      count += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const proxy = await startProxy(`http://127.0.0.1:${port}`, { kind, idleTimeoutMs: 300, bodylessTimeoutMs: 300 });
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  opened.push(proxy, { close });
  return proxy;
}

const reply = (body: string, lines = '') => `HTTP/1.1 200 OK\r\n${lines}Content-Length: ${body.length}\r\n\r\n${body}`;

/** The reply to the client after an invalid reply of a service: it reveals nothing about the service. */
function expectProblem({ status, headers, body }: Reply, code: string): void {
  expect(headers['content-type']).toBe('application/problem+json');
  expect(Object.keys(JSON.parse(body)).sort()).toEqual(['code', 'detail', 'request_id', 'status', 'title', 'type']);
  expect(JSON.parse(body)).toMatchObject({ code, status, request_id: headers['x-request-id'] });
  expect(body).not.toMatch(/127\.0\.0\.1|localhost|ECONN|UND_ERR|Parse|HPE|socket|at /);
}

describe.each(KINDS)('a reply to a %s', (kind) => {
  it('is not used for the next request if a service sends several replies', async () => {
    const proxy = await open(kind, reply('mine') + reply('poison'), reply('next'));
    expect((await send(proxy.url)).body).toBe('mine');
    expect((await send(proxy.url)).body).toBe('next');
    expect((await send(proxy.url)).body).toBe('next');
  });

  it.each([
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['no status', 'HTTP/1.1 OK\r\n\r\n'],
    ['a NUL in a header', 'HTTP/1.1 200 OK\r\nX-A: 1\0\r\n\r\n'],
    ['headers over all bounds', `HTTP/1.1 200 OK\r\nX-A: ${'x'.repeat(100_000)}\r\n\r\n`],
  ])('with %s becomes 502', async (_case, bytes) => {
    const proxy = await open(kind, bytes);
    const received = await send(proxy.url, { method: 'POST' });
    expect(received.status).toBe(502);
    expectProblem(received, 'UPSTREAM_INVALID');
  });

  it('that does not arrive becomes 504', async () => {
    const proxy = await open(kind, '');
    const received = await send(proxy.url, { method: 'POST' });
    expect(received.status).toBe(504);
    expectProblem(received, 'DEADLINE_EXCEEDED');
  });

  it('that stops in its headers becomes 504', async () => {
    const proxy = await open(kind, 'HTTP/1.1 200 OK\r\nX-A: ');
    const received = await send(proxy.url, { method: 'POST' });
    expect(received.status).toBe(504);
    expectProblem(received, 'DEADLINE_EXCEEDED');
  });

  it('that stops in its body is aborted', async () => {
    const proxy = await open(kind, 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome');
    await expect(send(proxy.url)).rejects.toThrow('aborted');
  });

  it('hides the internal headers of services', async () => {
    const internal = [
      'Connection: keep-alive, X-Private',
      'X-Private: 1',
      'Keep-Alive: timeout=5',
      'Proxy-Authenticate: Basic',
      'X-Internal-Host: pod-7',
      'X-Survey-Tenant: tenant-1',
      'X-Tenant-Id: tenant-1',
      'X-User-Id: anna',
      'Access-Control-Allow-Origin: *',
      'Access-Control-Allow-Credentials: true',
      'X-Request-Id: of-the-service',
    ];
    const proxy = await open(kind, reply('mine', [...internal, 'ETag: "1"', ''].join('\r\n')));
    const { headers } = await send(proxy.url);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    const names = ['connection', 'content-length', 'date', 'etag', 'x-request-id'];
    expect(Object.keys(headers).sort()).toEqual(names);
  });
});
