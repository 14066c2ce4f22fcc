import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestGateway, type TestGateway } from './testing/test-gateway.ts';
import { sendRaw } from './testing/test-server.ts';

let gateway: TestGateway;
let seen = 0;

beforeAll(async () => {
  gateway = await createTestGateway((_request, response) => {
    seen += 1;
    response.end();
  });
  gateway.grants.set('tenant-1/user-1', ['surveys:read', 'surveys:write']);
});
beforeEach(() => {
  seen = 0;
});
afterAll(() => gateway.close());

async function authorization(): Promise<string> {
  return `Authorization: Bearer ${await gateway.issuer.sign()}\r\n`;
}

describe('a request that is no sound HTTP', () => {
  it('is refused with both Content-Length and Transfer-Encoding', async () => {
    const head = `POST /v1/surveys HTTP/1.1\r\nHost: a\r\n${await authorization()}`;
    const answer = await sendRaw(
      gateway.port,
      `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/me HTTP/1.1\r\nHost: a\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 400 .*application\/problem\+json.*"detail":"The request is no valid HTTP"/s);
    expect(answer.match(/HTTP\/1.1/g)).toHaveLength(1);
    expect(seen).toBe(0);
  });

  it.each([
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n'],
    ['another last encoding than chunked', 'Transfer-Encoding: chunked, gzip\r\n'],
    ['a header with a line break inside', 'X-A: 1\nX-B\r\n'],
  ])('is refused with %s', async (_case, lines) => {
    const answer = await sendRaw(
      gateway.port,
      `POST /v1/surveys HTTP/1.1\r\nHost: a\r\n${await authorization()}${lines}\r\n12345`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(seen).toBe(0);
  });

  it('is refused with two Host headers', async () => {
    const answer = await sendRaw(
      gateway.port,
      `GET /v1/surveys HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n${await authorization()}\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 400 .*"detail":"There is more than one Host header"/s);
    expect(seen).toBe(0);
  });

  it('is refused with headers over 16 kB', async () => {
    const answer = await sendRaw(
      gateway.port,
      `GET /v1/surveys HTTP/1.1\r\nHost: a\r\nX-A: ${'x'.repeat(17_000)}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 400 .*application\/problem\+json/s);
  });
});
