import { type ClientRequest, ServerResponse, request as sendRequest } from 'node:http';
import { type Server, Socket } from 'node:net';
import { queryObjects } from 'node:v8';
import { poll } from '@survey/runtime/testing/poll';
import { afterEach, describe, expect, it } from 'vitest';
import { startProxy } from '../testing/test-proxy.ts';
import { send, startServer, type TestHandler, type TestServer } from '../testing/test-server.ts';
import type { ExchangeKind } from './forwarder.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const part of opened.splice(0)) await part.close();
});

/** Aborted exchanges: concurrent, and in total. */
const CONCURRENCY = 20;
const ROUNDS = 2;

/** Ways to abort an exchange: behaviour of the service and of the client. */
interface Break {
  readonly method: 'GET' | 'POST';
  readonly backend: TestHandler;
  readonly caller: (request: ClientRequest) => void;
}

const bytes = Buffer.alloc(256 * 1024);

/** Client requests, by a header. The client aborts a request when the service receives it. */
const leaving = new Map<unknown, ClientRequest>();

const breaks: Readonly<Record<string, Break>> = {
  'the caller leaves before the reply': {
    method: 'GET',
    backend: ({ headers }) => leaving.get(headers['x-caller'])?.destroy(),
    caller: (request) => request.end(),
  },
  'the caller leaves in the middle of the reply': {
    method: 'GET',
    backend: (_request, response) => response.write(bytes),
    caller: (request) => request.once('response', () => request.destroy()).end(),
  },
  'the caller leaves in the middle of the body': {
    method: 'POST',
    backend: (request) => request.resume(),
    caller: (request) => request.write(bytes, () => request.destroy()),
  },
  'the service hangs up before the reply': {
    method: 'GET',
    backend: ({ socket }) => socket.destroy(),
    caller: (request) => request.end(),
  },
  'the service hangs up in the middle of the reply': {
    method: 'GET',
    backend: ({ socket }, response) => response.write(bytes, () => socket.destroy()),
    caller: (request) => request.end(),
  },
  'the service hangs up in the middle of the body': {
    method: 'POST',
    backend: (request) => request.once('data', () => request.socket.destroy()),
    caller: (request) => request.write(bytes),
  },
};

/** Resolves when the exchange has ended. */
function breakOne(url: string, how: string): Promise<void> {
  const caller = String(Math.random());
  const headers = { 'x-break': how, 'x-caller': caller };
  const request = sendRequest(url, { method: breaks[how]?.method ?? 'GET', agent: false, headers });
  leaving.set(caller, request);
  return new Promise((resolve) => {
    request
      .on('error', () => undefined)
      .once('response', (reply) => reply.on('error', () => undefined).resume())
      .once('close', () => {
        leaving.delete(caller);
        resolve();
      });
    breaks[how]?.caller(request);
  });
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}

/** Counts responses and sockets that are still referenced after a garbage collection. */
function countHeld(): number {
  const options = { format: 'count' } as const;
  return queryObjects(ServerResponse, options) + queryObjects(Socket, options);
}

async function open(kind: ExchangeKind): Promise<{ backend: TestServer; proxy: TestServer }> {
  const backend = await startServer((request, response) => {
    const how = breaks[String(request.headers['x-break'])];
    return how === undefined ? response.end('ok') : how.backend(request, response);
  });
  const proxy = await startProxy(backend.url, { kind, maxInFlight: CONCURRENCY, maxStreams: CONCURRENCY });
  opened.push(proxy, backend);
  return { backend, proxy };
}

describe.each<ExchangeKind>(['message', 'stream'])('after exchanges that broke in every way, each a %s,', (kind) => {
  it('no connection, slot, listener or object is left', async () => {
    const { backend, proxy } = await open(kind);
    const warnings: Error[] = [];
    await send(proxy.url);
    const before = countHeld();
    const warned = (warning: Error) => void (warning.name === 'ExperimentalWarning' || warnings.push(warning));
    process.on('warning', warned);

    for (const how of Object.keys(breaks)) {
      for (let round = 0; round < ROUNDS; round += 1)
        await Promise.all(Array.from({ length: CONCURRENCY }, () => breakOne(proxy.url, how)));
    }

    await poll(async () => (await connectionsOf(proxy.server)) === 0);
    // All slots are free: the highest number of requests is admitted at once.
    await poll(async () => {
      const replies = await Promise.all(Array.from({ length: CONCURRENCY }, () => send(proxy.url)));
      return replies.every(({ status }) => status === 200);
    });
    expect(await connectionsOf(backend.server)).toBeLessThanOrEqual(CONCURRENCY);
    // Each idle connection has two ends in this process, which reference their last exchange.
    await poll(() => countHeld() - before <= 3 * CONCURRENCY, { intervalMs: 1_000 });
    process.off('warning', warned);
    expect(warnings).toEqual([]);
  });
});
