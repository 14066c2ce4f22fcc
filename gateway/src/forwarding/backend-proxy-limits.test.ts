import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import { connect } from 'node:net';
import { createKeyedSemaphore } from '@survey/runtime/flow/keyed-semaphore';
import { poll } from '@survey/runtime/testing/poll';
import { afterEach, describe, expect, it } from 'vitest';
import { startProxy } from '../testing/test-proxy.ts';
import { send, startServer, type TestHandler, type TestServer } from '../testing/test-server.ts';

const opened: TestServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function open(backend: TestHandler, options: Parameters<typeof startProxy>[1]) {
  const server = await startServer(backend);
  const proxy = await startProxy(server.url, options);
  opened.push(proxy, server);
  return proxy;
}

describe('a backend that hangs', () => {
  it('is not sent more than it may have at a time: the rest is rejected immediately, until some have ended', async () => {
    const waiting: ServerResponse[] = [];
    const proxy = await open((_request, response) => void waiting.push(response), { maxInFlight: 2 });
    const first = [send(proxy.url), send(proxy.url)];
    await poll(() => waiting.length === 2);
    expect(await send(proxy.url)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    for (const response of waiting) response.end('late');
    expect(await Promise.all(first)).toMatchObject([{ body: 'late' }, { body: 'late' }]);
    const next = send(proxy.url);
    await poll(() => waiting.length === 3);
    waiting[2]?.end('next');
    expect(await next).toMatchObject({ status: 200, body: 'next' });
  });

  it('gets fewer streams than messages at a time', async () => {
    const waiting: ServerResponse[] = [];
    const hang: TestHandler = (_request, response) => void waiting.push(response);
    const limits = { maxInFlight: 2, maxStreams: 1 };
    const streams = await open(hang, { ...limits, kind: 'stream' });
    const messages = await open(hang, limits);
    const first = [send(streams.url), send(messages.url), send(messages.url)];
    await poll(() => waiting.length === 3);
    expect(await send(streams.url)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    for (const response of waiting) response.end('late');
    await Promise.all(first);
  });

  it('gets no more streams if several continue at the same time', async () => {
    const waiting: ServerResponse[] = [];
    const continued = Promise.withResolvers<void>();
    let held = 0;
    const proxy = await open((_request, response) => void waiting.push(response), {
      maxStreams: 1,
      kind: 'stream',
      before: () => {
        held += 1;
        return continued.promise;
      },
    });
    const both = [send(proxy.url), send(proxy.url)];
    await poll(() => held === 2);
    continued.resolve();
    expect(await Promise.race(both)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    await poll(() => waiting.length === 1);
    waiting[0]?.end();
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 503]);
  });

  it('gets requests that wait for a change in addition to all others, up to a limit', async () => {
    const waiting: ServerResponse[] = [];
    const proxy = await open((_request, response) => void waiting.push(response), {
      maxInFlight: 1,
      maxWaits: 2,
      kind: (request) => (request.url === '/changes' ? 'wait' : 'message'),
    });
    const waits = [send(`${proxy.url}/changes`), send(`${proxy.url}/changes`)];
    await poll(() => waiting.length === 2);
    expect(await send(`${proxy.url}/changes`)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    const message = send(proxy.url);
    await poll(() => waiting.length === 3);
    for (const response of waiting) response.end('late');
    expect(await Promise.all([...waits, message])).toMatchObject(Array(3).fill({ status: 200 }));
  });

  it('has its waiting requests ended with 503 when the gateway stops', async () => {
    let left = 0;
    const proxy = await open(
      (_request, response) => {
        left += 1;
        response.once('close', () => {
          left -= 1;
        });
      },
      { kind: 'wait' },
    );
    const waits = [send(proxy.url), send(proxy.url)];
    await poll(() => left === 2);
    proxy.endWaits();
    expect(await Promise.all(waits)).toMatchObject(Array(2).fill({ status: 503, headers: { 'retry-after': '1' } }));
    await poll(() => left === 0);
  });

  it('keeps no slot for a client that disconnected before its request was forwarded', async () => {
    const gone = Promise.withResolvers<void>();
    const left = async (request: IncomingMessage, response: ServerResponse) => {
      if (request.method !== 'DELETE') return;
      client.destroy();
      await once(response, 'close');
      gone.resolve();
    };
    const proxy = await open((_request, response) => response.end('ok'), { maxInFlight: 1, before: left });
    const client = sendRequest(proxy.url, { method: 'DELETE' }).on('error', () => undefined);
    client.end();
    await gone.promise;
    expect(await send(proxy.url)).toMatchObject({ status: 200, body: 'ok' });
  });
});

describe('a slot of a backend', () => {
  it('is acquired for a short body only when it is complete', async () => {
    const proxy = await open((_request, response) => response.end('ok'), { maxInFlight: 1 });
    const slow = sendRequest(proxy.url, { method: 'POST', headers: { 'content-length': '6' } });
    const replied = once(slow, 'response') as Promise<[IncomingMessage]>;
    slow.write('abc');
    expect(await send(proxy.url, { method: 'POST', body: '{}' })).toMatchObject({ status: 200 });
    slow.end('def');
    const [reply] = await replied;
    expect(reply.resume().statusCode).toBe(200);
  });

  it('is acquired by one of two requests whose bodies complete at the same time', async () => {
    const asked: ServerResponse[] = [];
    const proxy = await open((_request, response) => void asked.push(response), { maxInFlight: 1 });
    const begin = () => {
      const body = sendRequest(proxy.url, { method: 'POST', headers: { 'content-length': '6' } });
      body.write('abc');
      return { body, replied: once(body, 'response') as Promise<[IncomingMessage]> };
    };
    const both = [begin(), begin()];
    // Both requests have been admitted when the reply to the later one arrives.
    const third = send(proxy.url);
    await poll(() => asked.length === 1);
    asked[0]?.end();
    await third;
    for (const { body } of both) body.end('def');
    const [rejected] = await Promise.race(both.map(({ replied }) => replied));
    expect([rejected.resume().statusCode, rejected.headers['retry-after']]).toEqual([503, '1']);
    await poll(() => asked.length === 2);
    asked[1]?.end();
    const replies = await Promise.all(both.map(({ replied }) => replied));
    expect(replies.map(([reply]) => reply.resume().statusCode).sort()).toEqual([200, 503]);
  });

  it('is not acquired for a short body that does not arrive in time: 504', async () => {
    const proxy = await open((_request, response) => response.end('ok'), { exchangeMs: 100 });
    const slow = sendRequest(proxy.url, { method: 'POST', headers: { 'content-length': '6' } });
    slow.on('error', () => undefined).write('abc');
    const [reply] = (await once(slow, 'response')) as [IncomingMessage];
    expect(reply.resume().statusCode).toBe(504);
    slow.destroy();
  });

  it('is released when the client has disconnected', async () => {
    const asked: ServerResponse[] = [];
    const proxy = await open((_request, response) => void asked.push(response), {
      maxInFlight: 1,
      before: ({ url }) => (url === '/held' ? new Promise(() => undefined) : Promise.resolve()),
    });
    const requests = ['/held', '/behind'].map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const socket = connect(proxy.port, '127.0.0.1', () => socket.write(requests.join('')));
    await poll(() => asked.length === 1);
    // Without a listener, Node closes the connection but not its pending responses.
    socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n');
    await once(socket.resume(), 'close');
    asked[0]?.end('late');
    const next = poll(async () => (await send(proxy.url)).status === 200);
    await poll(() => asked.length === 2);
    asked[1]?.end();
    await next;
  });
});

describe('a reply that its client does not read', () => {
  const LARGE = Buffer.alloc(16 * 1024 * 1024);
  const sendLarge: TestHandler = ({ url }, response) =>
    response.setHeader('content-length', url === '/large' ? LARGE.length : 2).end(url === '/large' ? LARGE : 'ok');

  /** Sends a request and reads nothing. */
  function ask(proxy: TestServer): Promise<IncomingMessage> {
    const client = sendRequest(`${proxy.url}/large`, { agent: false }).on('error', () => undefined);
    return once(client.end(), 'response').then(([reply]: IncomingMessage[]) => reply as IncomingMessage);
  }

  it('gives its slot back when it is complete here', async () => {
    const proxy = await open(sendLarge, { maxInFlight: 1 });
    const unread = await ask(proxy);
    await poll(async () => (await send(proxy.url)).status === 200);
    let bytes = 0;
    for await (const part of unread) bytes += part.length;
    expect(bytes).toBe(LARGE.length);
  });

  it('keeps its slot if its caller has no memory left here, until it is read', async () => {
    const replyMemory = createKeyedSemaphore({ perKey: LARGE.length });
    const proxy = await open(sendLarge, { maxInFlight: 1, replyMemory });
    const buffered = await ask(proxy);
    await poll(async () => (await send(proxy.url)).status === 200);
    const second = await ask(proxy);
    expect((await send(proxy.url)).status).toBe(503);
    second.resume();
    await poll(async () => (await send(proxy.url)).status === 200);
    buffered.destroy();
    await poll(() => replyMemory.totalHeld() === 0);
  });
});

describe('the slots of a backend', () => {
  const waitIn =
    (waiting: ServerResponse[]): TestHandler =>
    (_request, response) =>
      void waiting.push(response);

  it.each(['message', 'stream'] as const)('for a %s are never used up by one caller', async (kind) => {
    const waiting: ServerResponse[] = [];
    const proxy = await open(waitIn(waiting), {
      maxInFlight: 8,
      maxStreams: 8,
      kind,
      caller: ({ url }) => url,
    });
    const six = Array.from({ length: 6 }, () => send(`${proxy.url}/a`));
    await poll(() => waiting.length === 6);
    expect(await send(`${proxy.url}/a`)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    const other = send(`${proxy.url}/b`);
    await poll(() => waiting.length === 7);
    for (const response of waiting) response.end('late');
    expect((await Promise.all([...six, other])).map(({ status }) => status)).toEqual(Array(7).fill(200));
  });

  it('for messages are not used by streams, nor by long bodies', async () => {
    const waiting: ServerResponse[] = [];
    const proxy = await open(waitIn(waiting), {
      maxInFlight: 1,
      maxStreams: 2,
      kind: ({ url }) => (url === '/stream' ? 'stream' : 'message'),
    });
    const stream = send(`${proxy.url}/stream`);
    const long = send(proxy.url, { method: 'POST', body: 'x'.repeat(100_000) });
    await poll(() => waiting.length === 2);
    const message = send(proxy.url);
    await poll(() => waiting.length === 3);
    for (const response of waiting) response.end('ok');
    expect((await Promise.all([stream, long, message])).map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

describe('an exchange that takes too long', () => {
  it('is 504 without a reply', async () => {
    const proxy = await open(() => undefined, { exchangeMs: 100 });
    const reply = await send(proxy.url);
    expect([reply.status, JSON.parse(reply.body).code]).toEqual([504, 'DEADLINE_EXCEEDED']);
  });

  const trickle: TestHandler = (_request, response) => {
    response.flushHeaders();
    const timer = setInterval(() => response.write('.'), 10);
    response.once('close', () => clearInterval(timer));
  };

  it('is aborted if its reply arrives slowly', async () => {
    const proxy = await open(trickle, { exchangeMs: 500 });
    await expect(send(proxy.url)).rejects.toThrow('aborted');
  });

  it('continues if its reply is a stream', async () => {
    const proxy = await open(trickle, { exchangeMs: 1, kind: 'stream' });
    const client = sendRequest(proxy.url).on('error', () => undefined);
    const [reply] = (await once(client.end(), 'response')) as [IncomingMessage];
    let received = 0;
    reply.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    reply.on('error', () => undefined);
    await poll(() => received >= 10);
    expect(reply.destroyed).toBe(false);
    client.destroy();
  });
});
