import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestGateway, type TestGateway } from './testing/test-gateway.ts';
import { sendRaw } from './testing/test-server.ts';

interface Seen {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly trailers: IncomingMessage['trailers'];
  readonly body: string;
}

let gateway: TestGateway;
let authorization: string;
/** Requests that reached a service. */
let seen: Seen[];

beforeAll(async () => {
  gateway = await createTestGateway(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const { method, url, headers, trailers } = request;
    seen.push({ line: `${method} ${url}`, headers, trailers, body });
    response.end(`reply ${seen.length}`);
  });
  gateway.grants.set('tenant-1/user-1', ['surveys:read', 'surveys:write']);
  authorization = `Authorization: Bearer ${await gateway.issuer.sign()}\r\n`;
});
beforeEach(() => {
  seen = [];
});
afterAll(() => gateway.close());

const HIDDEN = 'GET /v1/surveys/hidden HTTP/1.1\r\nHost: a\r\n\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const CLOSE = 'Connection: close\r\n';

/** A request with a token and exactly these header lines and body. */
function post(lines: string, body: string, version = '1.1'): Promise<string> {
  const head = `POST /v1/surveys HTTP/${version}\r\nHost: a\r\n${authorization}`;
  return sendRaw(gateway.port, `${head}${lines}\r\n${body}`);
}

function repliesIn(received: string): number {
  return received.match(/HTTP\/1\.1 \d/g)?.length ?? 0;
}

function expectRejected(received: string): void {
  expect(received).toMatch(/^HTTP\/1.1 400 .*application\/problem\+json.*"code":"INVALID_REQUEST"/s);
  expect(repliesIn(received)).toBe(1);
  expect(seen).toEqual([]);
}

describe('an ambiguous request is rejected with', () => {
  it.each([
    ['a length and chunks', `Content-Length: 5\r\n${CHUNKED}`],
    ['chunks and a length', `${CHUNKED}Content-Length: 5\r\n`],
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 52\r\n'],
    ['one length twice', 'Content-Length: 5\r\nContent-Length: 5\r\n'],
    ['a list of lengths', 'Content-Length: 5, 5\r\n'],
    ['a length with a sign', 'Content-Length: +5\r\n'],
    ['a length below zero', 'Content-Length: -5\r\n'],
    ['a length in another notation', 'Content-Length: 0x5\r\n'],
    ['an empty length', 'Content-Length: \r\n'],
    ['a length over all bounds', `Content-Length: ${'9'.repeat(30)}\r\n`],
    ['no chunks but identity', 'Transfer-Encoding: identity\r\n'],
    ['chunks before another encoding', 'Transfer-Encoding: chunked, identity\r\n'],
    ['chunks behind another encoding', 'Transfer-Encoding: gzip, chunked\r\n'],
    ['chunks twice', 'Transfer-Encoding: chunked, chunked\r\n'],
    ['chunks in two headers', `${CHUNKED}${CHUNKED}`],
    ['chunks and no chunks in two headers', `${CHUNKED}Transfer-Encoding: identity\r\n`],
    ['what is nearly chunks', 'Transfer-Encoding: xchunked\r\n'],
    ['chunks in quotes', 'Transfer-Encoding: "chunked"\r\n'],
    ['chunks behind a vertical tab', 'Transfer-Encoding: \x0bchunked\r\n'],
    ['chunks behind a space in the name', 'Transfer-Encoding : chunked\r\n'],
    ['chunks in a folded line', 'Transfer-Encoding:\r\n chunked\r\n'],
    ['an empty encoding', 'Transfer-Encoding: \r\n'],
  ])('%s', async (_case, lines) => {
    expectRejected(await post(lines, `0\r\n\r\n${HIDDEN}`));
  });

  it('chunks in HTTP/1.0', async () => {
    expectRejected(await post(CHUNKED, '0\r\n\r\n', '1.0'));
  });
});

describe('a request is rejected if its headers have', () => {
  it.each([
    ['a folded line', 'X-A: 1\r\n 2\r\n'],
    ['a bare line feed', 'X-A: 1\nX-B: 2\r\n'],
    ['a bare carriage return', 'X-A: 1\rX-B: 2\r\n'],
    ['a NUL in a value', 'X-A: 1\0\r\n'],
    ['a NUL in a name', 'X\0A: 1\r\n'],
    ['a space in a name', 'X A: 1\r\n'],
    ['a name that is empty', ': 1\r\n'],
    ['a line without a colon', 'X-A\r\n'],
    ['a second Host', 'Host: b\r\nConnection: close\r\n'],
  ])('%s', async (_case, lines) => {
    expectRejected(await post(`${lines}Content-Length: 0\r\n`, ''));
  });
});

describe('a request is rejected if its chunks have', () => {
  it.each([
    ['a size that is no number', 'five\r\n12345\r\n0\r\n\r\n'],
    ['a size with a prefix', '0x5\r\n12345\r\n0\r\n\r\n'],
    ['a size below zero', '-5\r\n12345\r\n0\r\n\r\n'],
    ['a size over all bounds', `${'F'.repeat(17)}\r\n12345\r\n0\r\n\r\n`],
    ['a bare line feed behind the size', '5\n12345\r\n0\r\n\r\n'],
    ['more bytes than they say', '5\r\n123456\r\n0\r\n\r\n'],
    ['an extension over 16 kB', `5;x=${'y'.repeat(17_000)}\r\n12345\r\n0\r\n\r\n`],
    ['trailers over 16 kB', `5\r\n12345\r\n0\r\nX-A: ${'y'.repeat(17_000)}\r\n\r\n`],
  ])('%s', async (_case, body) => {
    expectRejected(await post(CHUNKED, body));
  });
});

describe('a request line', () => {
  it.each([
    ['of HTTP/0.9', 'GET /v1/surveys\r\n\r\n'],
    ['of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['of a version that is not there', 'GET /v1/surveys HTTP/1.9\r\nHost: a\r\n\r\n'],
    ['with a method in lower case', 'get /v1/surveys HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['with a method that nobody knows', 'SMUGGLE /v1/surveys HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['with a NUL', 'GET /v1/surveys\0 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['with a header in it', 'GET /v1/surveys HTTP/1.1\nX-A: 1\r\nHost: a\r\n\r\n'],
  ])('%s is rejected', async (_case, bytes) => {
    expectRejected(await sendRaw(gateway.port, bytes));
  });

  it('for another host finds nothing', async () => {
    const head = `GET http://elsewhere.example/v1/surveys HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`;
    expect(await sendRaw(gateway.port, `${head}${authorization}\r\n`)).toMatch(/^HTTP\/1.1 404 /);
    expect(seen).toEqual([]);
  });
});

describe('a second token', () => {
  it('in a header of its own is 401', async () => {
    const received = await post(`${authorization}Content-Length: 0\r\n${CLOSE}`, '');
    expect(received).toMatch(/^HTTP\/1.1 401 .*"detail":"Invalid token"/s);
    expect(seen).toEqual([]);
  });
});

describe('a request within the body of another', () => {
  it('stays a body', async () => {
    const received = await post(`Content-Length: ${HIDDEN.length}\r\n${CLOSE}`, HIDDEN);
    expect(repliesIn(received)).toBe(1);
    expect(seen).toMatchObject([{ line: 'POST /v1/surveys', body: HIDDEN }]);
  });

  it('stays a body even if its request should have none', async () => {
    const head = `GET /v1/surveys HTTP/1.1\r\nHost: a\r\n${authorization}Connection: close\r\n`;
    const received = await sendRaw(gateway.port, `${head}Content-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`);
    expect(repliesIn(received)).toBe(1);
    expect(seen).toMatchObject([{ line: 'GET /v1/surveys', body: HIDDEN }]);
  });

  it.each([
    ['rejected for its token', '/v1/surveys', 'Authorization: Bearer none\r\n', 401],
    ['rejected for its address', '/v1/nothing', '', 404],
    ['handled by the gateway itself', '/health', '', 405],
  ])('gets no reply if the outer request is %s', async (_case, path, line, status) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\n${line}Content-Length: ${HIDDEN.length + 1}\r\n\r\n`;
    const received = await sendRaw(gateway.port, `${head}${HIDDEN}`);
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(repliesIn(received)).toBe(1);
    expect(seen).toEqual([]);
  });

  it('gets no reply if the outer request is too long', async () => {
    const received = await post(`Content-Length: ${3 * 1024 * 1024}\r\n`, HIDDEN);
    expect(received).toMatch(/^HTTP\/1.1 413 /);
    expect(repliesIn(received)).toBe(1);
    expect(seen).toEqual([]);
  });
});

describe('pipelined requests', () => {
  it('have their own tokens and replies, in order', async () => {
    const first = `GET /v1/surveys HTTP/1.1\r\nHost: a\r\n${authorization}\r\n`;
    const last = `GET /v1/surveys HTTP/1.1\r\nHost: a\r\n${authorization}Connection: close\r\n\r\n`;
    const received = await sendRaw(gateway.port, `${first}${HIDDEN}${last}`);
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(['200', '401', '200']);
    expect(received.indexOf('reply 1')).toBeLessThan(received.indexOf('Invalid token'));
    expect(received.indexOf('Invalid token')).toBeLessThan(received.indexOf('reply 2'));
  });
});

describe('metadata of a chunked body', () => {
  it('is removed: extensions and trailers', async () => {
    const trailers = 'X-Survey-Tenant: other\r\nAuthorization: Bearer other\r\n';
    const body = `5;name="value"\r\n12345\r\n0\r\n${trailers}\r\n`;
    expect(await post(`${CHUNKED}${CLOSE}Trailer: X-Survey-Tenant\r\n`, body)).toMatch(/^HTTP\/1.1 200 /);
    expect(seen).toMatchObject([{ body: '12345', trailers: {} }]);
    expect(seen[0]?.headers).not.toHaveProperty('x-survey-tenant');
    expect(seen[0]?.headers).not.toHaveProperty('trailer');
  });
});

describe('a request to upgrade the protocol', () => {
  it('is handled without the upgrade and its settings', async () => {
    const upgrade =
      'Connection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n';
    const received = await post(`${upgrade}Content-Length: 2\r\n`, '{}');
    expect(received).toMatch(/^HTTP\/1.1 200 /);
    expect(seen).toHaveLength(1);
    expect(Object.keys(seen[0]?.headers ?? {})).not.toEqual(expect.arrayContaining(['upgrade']));
    expect(Object.keys(seen[0]?.headers ?? {})).not.toEqual(expect.arrayContaining(['http2-settings']));
  });
});
