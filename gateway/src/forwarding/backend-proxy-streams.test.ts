import { once } from 'node:events';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { poll } from '@survey/runtime/testing/poll';
import type { Request } from 'express';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { startProxy } from '../testing/test-proxy.ts';
import { send, startServer, type TestHandler, type TestServer } from '../testing/test-server.ts';
import type { ExchangeKind } from './forwarder.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const part of opened.splice(0)) await part.close();
});

const TOTAL = (inject('testScope') === 'all' ? 128 : 64) * 1024 * 1024;
const chunk = Buffer.alloc(64 * 1024);

async function open(backend: TestHandler, kind: ExchangeKind): Promise<TestServer> {
  const server = await startServer(backend);
  const proxy = await startProxy(server.url, { kind });
  opened.push(proxy, server);
  return proxy;
}

/** Writes as fast as the receiver reads. Returns the number of bytes written so far. */
function pour(stream: NodeJS.WritableStream): () => number {
  let written = 0;
  const more = () => {
    while (written < TOTAL) {
      written += chunk.length;
      if (!stream.write(chunk)) {
        stream.once('drain', more);
        return;
      }
    }
    stream.end();
  };
  more();
  return () => written;
}

/** Waits until the number of bytes stops growing, and returns it. */
async function settled(taken: () => number): Promise<number> {
  let seen = -1;
  await poll(
    () => {
      const isStill = taken() === seen;
      seen = taken();
      return isStill;
    },
    { intervalMs: 100 },
  );
  return seen;
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<number> {
  let size = 0;
  for await (const part of stream) size += part.length;
  return size;
}

describe('a body of any size takes no memory', () => {
  it.each<ExchangeKind>(['message', 'stream'])(
    'however slow the caller reads it, as the reply to a %s',
    async (kind) => {
      let written = () => 0;
      const proxy = await open((_request, response) => {
        written = pour(response);
      }, kind);
      const [reply] = (await once(sendRequest(proxy.url).end(), 'response')) as [IncomingMessage];
      // The client does not read yet, so all bytes that the service has written are in buffers.
      expect(await settled(written)).toBeLessThan(TOTAL / 4);
      expect(await readAll(reply)).toBe(TOTAL);
    },
  );

  it.each<ExchangeKind>(['message', 'stream'])('however slow the service reads it, in a %s', async (kind) => {
    const read = Promise.withResolvers<void>();
    const proxy = await open(async (request, response) => {
      await read.promise;
      response.end(String(await readAll(request)));
    }, kind);
    const client = sendRequest(proxy.url, { method: 'POST', headers: { 'content-length': TOTAL } });
    expect(await settled(pour(client))).toBeLessThan(TOTAL / 4);
    read.resolve();
    const [reply] = (await once(client, 'response')) as [IncomingMessage];
    expect(Buffer.concat(await Array.fromAsync(reply as AsyncIterable<Buffer>)).toString()).toBe(String(TOTAL));
  });
});

describe('a stream', () => {
  const idleTimeoutMs = 100;

  it.each<[string, Parameters<typeof send>[1]]>([
    ['without a body', {}],
    // As in the query form of an export.
    ['whose short body the service reads first', { method: 'POST', body: '{}' }],
  ])('%s may be silent while the service searches, before its reply and in it', async (_case, sent) => {
    const pause = () => setTimeout(3 * idleTimeoutMs);
    const service = await startServer(async (_request, response) => {
      await pause();
      response.write('heading\n');
      await pause();
      response.end('row\n');
    });
    // The listener of the gateway limits clients in this way, too.
    const limitClient = async ({ socket }: Request) => socket.setTimeout(idleTimeoutMs, () => socket.destroy());
    const route = { handlerReadsBody: false };
    const proxy = await startProxy(service.url, { kind: 'stream', route, idleTimeoutMs, before: limitClient });
    opened.push(proxy, service);
    expect(await send(proxy.url, sent)).toMatchObject({ status: 200, body: 'heading\nrow\n' });
  });

  it('without a body ends when the service is silent for longer than any search', async () => {
    const service = await startServer((_request, response) => response.write('heading\n'));
    const proxy = await startProxy(service.url, { kind: 'stream', bodylessTimeoutMs: idleTimeoutMs });
    opened.push(proxy, service);
    await expect(send(proxy.url)).rejects.toThrow('aborted');
  });

  it('with a body that does not arrive in time is 504, even if the service could search', async () => {
    const service = await startServer((request) => void request.resume());
    const proxy = await startProxy(service.url, { kind: 'stream', route: { handlerReadsBody: false }, idleTimeoutMs });
    opened.push(proxy, service);
    const client = sendRequest(proxy.url, { method: 'POST', headers: { 'content-length': 2 } });
    client.flushHeaders();
    const [reply] = (await once(client, 'response')) as [IncomingMessage];
    expect(reply.statusCode).toBe(504);
    client.on('error', () => undefined).destroy();
  });

  it('with a body is 504 when the service does not reply in time', async () => {
    const service = await startServer((request) => void request.resume());
    const proxy = await startProxy(service.url, { kind: 'stream', idleTimeoutMs });
    opened.push(proxy, service);
    expect((await send(proxy.url, { method: 'POST', body: 'file' })).status).toBe(504);
  });
});
