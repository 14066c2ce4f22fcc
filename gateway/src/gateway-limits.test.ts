import { once } from 'node:events';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { poll } from '@survey/runtime/testing/poll';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestGateway, type TestGateway } from './testing/test-gateway.ts';
import { type Reply, send, type TestHandler } from './testing/test-server.ts';

let gateway: TestGateway | undefined;
afterEach(() => gateway?.close());

const LIMITED = { CLIENT_UNLIMITED_RANGES: '' };
const PUBLIC = '/v1/public/surveys/01a1ff7d-845e-7692-bfce-bcd685c447c1';
const EXPORT = '/v1/surveys/01a1ff7d-845e-7692-bfce-bcd685c447c1/responses/export';

async function start(
  env: Readonly<Record<string, string>>,
  backend: TestHandler = (_request, response) => response.end('[]'),
) {
  const started = await createTestGateway(backend, env);
  gateway = started;
  started.grants.set('tenant-1/user-1', ['surveys:read', 'responses:export']);
  const authorization = `Bearer ${await started.issuer.sign()}`;
  const call = (path = '/v1/surveys', headers: Record<string, string> = { authorization }) =>
    send(`${started.url}${path}`, { headers });
  return { ...started, call };
}

async function times(count: number, call: () => Promise<Reply>): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  for (let index = 0; index < count; index += 1) replies.push(await call());
  return replies;
}

const statusesOf = (replies: readonly Reply[]) => replies.map(({ status }) => status);

describe('a tenant', () => {
  it('gets rate limit headers with each reply, and 429 when no request is left', async () => {
    const { call } = await start({ TENANT_REQUESTS_PER_MINUTE: '3' });
    const replies = await times(4, call);
    expect(statusesOf(replies)).toEqual([200, 200, 200, 429]);
    expect(replies.map(({ headers }) => headers['ratelimit-policy'])).toEqual(Array(4).fill('"default";q=3;w=60'));
    expect(replies.map(({ headers }) => headers['ratelimit'])).toEqual(
      [2, 1, 0, 0].map((left) => expect.stringMatching(new RegExp(`^"default";r=${left};t=(29|30)$`))),
    );
    const rejected = replies[3];
    expect(rejected?.headers['retry-after']).toMatch(/^(29|30)$/);
    expect(rejected?.headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(rejected?.body ?? '')).toEqual({
      type: '/docs/errors/TOO_MANY_REQUESTS',
      title: 'Too many requests',
      status: 429,
      detail: 'Too many requests: the policy default allows 3 in 60 seconds',
      policy: 'default',
      code: 'TOO_MANY_REQUESTS',
      request_id: rejected?.headers['x-request-id'],
    });
  });

  it('has individual limits from identity, and a change takes effect within seconds', async () => {
    const { call, limits } = await start({ TENANT_REQUESTS_PER_MINUTE: '1000' });
    limits.set('tenant-1', { requestsPerMinute: 2000 });
    expect((await call()).headers['ratelimit-policy']).toBe('"default";q=2000;w=60');
    limits.set('tenant-1', { requestsPerMinute: 500 });
    await poll(async () => (await call()).headers['ratelimit-policy'] === '"default";q=500;w=60');
  });

  it('is also limited for requests without permission', async () => {
    const { call } = await start({ TENANT_REQUESTS_PER_MINUTE: '2' });
    expect(statusesOf(await times(3, () => call('/v1/webhooks')))).toEqual([403, 403, 429]);
  });

  it('has a lower limit for exports than for other requests', async () => {
    const { call } = await start({ TENANT_REQUESTS_PER_MINUTE: '8' });
    const replies = await times(3, () => call(EXPORT));
    expect(statusesOf(replies)).toEqual([200, 200, 429]);
    expect(replies[0]?.headers['ratelimit-policy']).toBe('"default";q=8;w=60, "heavy";q=2;w=60');
    expect(replies[2]?.headers['ratelimit-policy']).toBe('"heavy";q=2;w=60');
    expect((await call()).status).toBe(200);
  });

  it('has a concurrency limit', async () => {
    const replies: (() => void)[] = [];
    const { call } = await start({ TENANT_CONCURRENT_REQUESTS: '2' }, (_request, response) => {
      replies.push(() => response.end('[]'));
    });
    const running = [call(), call()];
    await poll(() => replies.length === 2);
    const rejected = await call();
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([429, '1']);
    expect(rejected.headers['ratelimit-policy']).toBe('"concurrent";q=2;qu="concurrent-requests"');
    for (const reply of replies) reply();
    expect(statusesOf(await Promise.all(running))).toEqual([200, 200]);
    const again = call();
    await poll(() => replies.length === 3);
    replies[2]?.();
    expect((await again).status).toBe(200);
  });

  it('is limited locally while identity is down, which the metrics report', async () => {
    const { call, stopIdentity, adminUrl } = await start({ TENANT_REQUESTS_PER_MINUTE: '120' });
    expect((await call()).status).toBe(200);
    await stopIdentity();
    const metric = async () => {
      const page = await (await fetch(`${adminUrl}/metrics`)).text();
      return Number(/^gateway_limit_lease_failures_total(?:\{[^}]*\})? (\d+)$/m.exec(page)?.[1]);
    };
    await poll(async () => (await call()).status === 429 && (await metric()) > 0, { intervalMs: 1 });
    await poll(async () => (await call()).status === 200);
  });
});

describe('a client that does not read its public replies', () => {
  const SURVEY = Buffer.alloc(300_000);
  /** Requests on one connection: more than the system takes replies for. */
  const ATTACK = `GET ${PUBLIC} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.66\r\n\r\n`.repeat(40);

  it('takes no slot from tenants, and none from a school behind one address', async () => {
    const { url, call, port } = await start({ ...LIMITED, TRUSTED_PROXIES: '1' }, ({ url: path }, response) => {
      const reply = path === PUBLIC ? SURVEY : '[]';
      response.setHeader('content-length', reply.length).end(reply);
    });
    const attackers: Socket[] = [];
    try {
      for (let count = 0; count < 60; count += 1) {
        const socket = connect(port, '127.0.0.1').on('error', () => undefined);
        attackers.push(socket.pause());
        socket.write(ATTACK);
        expect((await call()).status).toBe(200);
      }
      const school = Array.from({ length: 200 }, () => readSlowly(`${url}${PUBLIC}`, '192.0.2.1'));
      expect(await Promise.all(school)).toEqual(Array(200).fill(`200 ${SURVEY.length}`));
      expect((await call()).status).toBe(200);
    } finally {
      for (const socket of attackers) socket.destroy();
    }
  });

  /** Reads a reply at about one megabit per second. Returns status and length. */
  async function readSlowly(address: string, client: string): Promise<string> {
    const request = sendRequest(address, { agent: false, headers: { 'x-forwarded-for': client } });
    const [reply] = (await once(request.end(), 'response')) as [IncomingMessage];
    let bytes = 0;
    for await (const part of reply) {
      bytes += part.length;
      await new Promise((resolve) => setTimeout(resolve, part.length / 125));
    }
    return `${reply.statusCode} ${bytes}`;
  }
});

describe('a client', () => {
  it('that guesses tokens soon gets 429, while known clients at its address are served', async () => {
    const { call, grants, issuer, url } = await start({ ...LIMITED, CLIENT_FAILED_TOKENS_PER_MINUTE: '6' });
    expect((await call()).status).toBe(200);
    const guess = () => call('/v1/surveys', { authorization: 'Bearer a.b.c' });
    const replies = await times(4, guess);
    expect(statusesOf(replies)).toEqual([401, 401, 401, 429]);
    expect(replies[3]?.headers['ratelimit-policy']).toBe('"failures";q=6;w=60');
    expect((await call()).status).toBe(200);
    grants.set('tenant-1/newcomer', ['surveys:read']);
    const authorization = `Bearer ${await issuer.sign({ sub: 'newcomer' })}`;
    expect((await send(`${url}/v1/surveys`, { headers: { authorization } })).status).toBe(429);
  });

  it('is limited on public routes, by the address that trusted proxies report', async () => {
    const env = { ...LIMITED, CLIENT_PUBLIC_REQUESTS_PER_MINUTE: '6', TRUSTED_PROXIES: '1' };
    const { call } = await start(env);
    const from = (address: string) => () => call(PUBLIC, { 'x-forwarded-for': `192.0.2.99, ${address}` });
    const replies = await times(4, from('192.0.2.1'));
    expect(statusesOf(replies)).toEqual([200, 200, 200, 429]);
    expect(replies[3]?.headers['ratelimit-policy']).toBe('"public";q=6;w=60');
    expect(replies[3]?.headers['retry-after']).toMatch(/^(9|10)$/);
    expect((await from('192.0.2.2')()).status).toBe(200);
  });

  it('has a limit of arriving bodies that does not affect others', async () => {
    let begun = 0;
    const { url } = await start({ ...LIMITED, TRUSTED_PROXIES: '1' }, (request, response) => {
      begun += 1;
      request.resume().once('end', () => response.end('{}'));
    });
    const begin = (address: string) => {
      const body = sendRequest(`${url}${PUBLIC}/responses`, {
        method: 'POST',
        agent: false,
        headers: { 'x-forwarded-for': address, 'transfer-encoding': 'chunked' },
      });
      const reply = once(body, 'response').then(([reply]: IncomingMessage[]) => reply?.resume());
      body.write('{');
      return { body, reply };
    };
    const slow = Array.from({ length: 64 }, () => begin('192.0.2.1'));
    await poll(() => begun === 64);
    const rejected = begin('192.0.2.1');
    const reply = await rejected.reply;
    expect([reply?.statusCode, reply?.headers['ratelimit-policy']]).toEqual([
      429,
      '"concurrent-bodies";q=64;qu="concurrent-requests"',
    ]);
    rejected.body.destroy();
    for (const { body } of [begin('192.0.2.2'), ...slow]) body.end('}');
    for (const { reply } of slow) expect((await reply)?.statusCode).toBe(200);
    await poll(() => begun === 65);
    const again = begin('192.0.2.1');
    again.body.end('}');
    expect((await again.reply)?.statusCode).toBe(200);
  });

  it.each([
    ['/docs', 'GET', 200],
    ['/openapi.json', 'HEAD', 200],
    ['/metrics', 'GET', 401],
    ['/docs', 'POST', 405],
    ['/docs', 'OPTIONS', 204],
    ['/no/such/path', 'GET', 404],
    ['/v1/surveys', 'TRACE', 405],
    ['/v1/surveys', 'OPTIONS', 204],
  ])('is also limited for requests without an operation: %s by %s', async (path, method, status) => {
    const { url } = await start({ ...LIMITED, CLIENT_PUBLIC_REQUESTS_PER_MINUTE: '6', METRICS_TOKEN: 'x'.repeat(32) });
    const replies = await times(4, () => send(`${url}${path}`, { method }));
    expect(statusesOf(replies)).toEqual([status, status, status, 429]);
    expect(replies[3]?.headers['ratelimit-policy']).toBe('"public";q=6;w=60');
  });

  it('is not limited for `/health`', async () => {
    const { url } = await start({ ...LIMITED, CLIENT_PUBLIC_REQUESTS_PER_MINUTE: '2' });
    const replies = await times(5, () => send(`${url}/health`));
    expect(statusesOf(replies)).not.toContain(429);
  });
});
