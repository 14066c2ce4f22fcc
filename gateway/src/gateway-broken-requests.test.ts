import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestGateway, type TestGateway } from './testing/test-gateway.ts';
import { sendRaw, type TestHandler } from './testing/test-server.ts';

const replyAtOnce: TestHandler = (_request, response) => response.end('from the service');

let gateway: TestGateway;
let backend: TestHandler;
let seen = 0;

beforeAll(async () => {
  gateway = await createTestGateway((request, response) => {
    seen += 1;
    return backend(request, response);
  });
  gateway.grants.set('tenant-1/user-1', ['surveys:read', 'surveys:write']);
});
beforeEach(() => {
  seen = 0;
  backend = replyAtOnce;
});
afterAll(() => gateway.close());

async function authorization(): Promise<string> {
  return `Authorization: Bearer ${await gateway.issuer.sign()}\r\n`;
}

describe('a malformed request', () => {
  it('is rejected with both Content-Length and Transfer-Encoding', async () => {
    const head = `POST /v1/surveys HTTP/1.1\r\nHost: a\r\n${await authorization()}`;
    const reply = await sendRaw(
      gateway.port,
      `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/me HTTP/1.1\r\nHost: a\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1.1 400 .*application\/problem\+json.*"detail":"The request is not valid HTTP"/s);
    expect(reply.match(/HTTP\/1.1/g)).toHaveLength(1);
    expect(seen).toBe(0);
  });

  it.each([
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n'],
    ['another last encoding than chunked', 'Transfer-Encoding: chunked, gzip\r\n'],
    ['a header with a line break inside', 'X-A: 1\nX-B\r\n'],
  ])('is rejected with %s', async (_case, lines) => {
    const reply = await sendRaw(
      gateway.port,
      `POST /v1/surveys HTTP/1.1\r\nHost: a\r\n${await authorization()}${lines}\r\n12345`,
    );
    expect(reply).toMatch(/^HTTP\/1.1 400 /);
    expect(seen).toBe(0);
  });

  it.each([
    ['/v1/surveys', 'no Host header', ''],
    ['/v1/surveys', 'two Host headers', 'Host: a\r\nHost: b\r\n'],
    ['/health', 'no Host header', ''],
    ['/health', 'two Host headers', 'Host: a\r\nHost: b\r\n'],
  ])('is rejected at %s with %s', async (path, _case, lines) => {
    const head = `GET ${path} HTTP/1.1\r\n${lines}X-Request-Id: order-77\r\nConnection: close\r\n`;
    const reply = await sendRaw(gateway.port, `${head}${await authorization()}\r\n`);
    expect(reply).toMatch(/^HTTP\/1.1 400 .*X-Request-Id: order-77\r\n.*"detail":"There must be one Host header"/is);
    expect(seen).toBe(0);
  });

  it('is rejected with headers over 16 kB', async () => {
    const reply = await sendRaw(
      gateway.port,
      `GET /v1/surveys HTTP/1.1\r\nHost: a\r\nX-A: ${'x'.repeat(17_000)}\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1.1 400 .*application\/problem\+json/s);
  });
});

describe('an unusual request', () => {
  it('needs no Host header in HTTP/1.0', async () => {
    const reply = await sendRaw(gateway.port, `GET /v1/surveys HTTP/1.0\r\n${await authorization()}\r\n`);
    expect(reply).toMatch(/^HTTP\/1.1 200 .*from the service$/s);
  });

  it('is accepted with an unknown Expect header', async () => {
    const head = `GET /v1/surveys HTTP/1.1\r\nHost: a\r\nExpect: magic\r\nConnection: close\r\n`;
    const reply = await sendRaw(gateway.port, `${head}${await authorization()}\r\n`);
    expect(reply).toMatch(/^HTTP\/1.1 200 .*from the service$/s);
  });

  it('is 404 if it requests a tunnel', async () => {
    const head = 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\nX-Request-Id: order-77\r\n';
    const reply = await sendRaw(gateway.port, `${head}\r\n`);
    expect(reply).toMatch(/^HTTP\/1.1 404 Not Found\r\n.*x-request-id: order-77\r\n.*"code":"ROUTE_NOT_FOUND"/s);
  });

  it('gets no reply if it asks for a tunnel after pending requests, which could take it for theirs', async () => {
    const head = `GET /v1/surveys HTTP/1.1\r\nHost: a\r\n${await authorization()}\r\n`;
    const reply = await sendRaw(gateway.port, `${head}${head}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`);
    expect(reply).toBe('');
  });
});

describe('malformed HTTP after a valid request', () => {
  const garbage = 'GARBAGE\r\n\r\n';

  it.each(['GET', 'POST'])('keeps the reply to a %s, and sends no other', async (method) => {
    const replied = Promise.withResolvers<void>();
    backend = async (_request, response) => {
      await replied.promise;
      response.end('from the service');
    };
    const body = method === 'POST' ? 'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}' : '\r\n';
    const head = `${method} /v1/surveys HTTP/1.1\r\nHost: a\r\n${await authorization()}`;
    const socket = connect(gateway.port, '127.0.0.1', () => socket.write(head + body));
    const reply = text(socket);
    await poll(() => seen === 1);
    socket.write(garbage);
    socket.write(garbage, () => replied.resolve());
    expect(await reply).toMatch(/^HTTP\/1.1 200 .*from the service$/s);
    expect((await reply).match(/HTTP\/1.1/g)).toHaveLength(1);
  });

  it.each([
    ['garbage', garbage],
    ['a body that breaks', 'POST /health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n'],
  ])('leaves earlier requests their replies: %s', async (_case, last) => {
    const head = `GET /v1/surveys HTTP/1.1\r\nHost: a\r\n${await authorization()}\r\n`;
    const reply = await sendRaw(gateway.port, head + head + last);
    expect(reply.match(/HTTP\/1.1 200/g)).toHaveLength(2);
    expect(reply.match(/from the service/g)).toHaveLength(2);
  });

  it('gets a reply after the replies to earlier requests', async () => {
    const head = `GET /v1/surveys HTTP/1.1\r\nHost: a\r\n${await authorization()}\r\n`;
    const socket = connect(gateway.port, '127.0.0.1', () => socket.write(head));
    socket.once('data', () => socket.write(garbage));
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 .*from the service\r?\n?.*HTTP\/1.1 400 .*problem\+json/s);
  });

  it('aborts the reply to a request whose body breaks after the reply has begun', async () => {
    backend = (_request, response) => response.write('begun');
    const head = `POST /v1/surveys HTTP/1.1\r\nHost: a\r\n${await authorization()}`;
    const chunked = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n';
    const socket = connect(gateway.port, '127.0.0.1', () => socket.write(head + chunked));
    socket.once('data', () => socket.write('no chunk\r\n'));
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 (?!.*HTTP\/1.1)/s);
  });
});
