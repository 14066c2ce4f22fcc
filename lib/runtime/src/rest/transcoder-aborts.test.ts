import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Implementation } from '../rpc/implementation.ts';
import { poll } from '../testing/poll.ts';
import { type RestServer, serveRest } from '../testing/rpc/rest-server.ts';
import { anyone, createTestService } from '../testing/rpc/test-contract.ts';

let began: PromiseWithResolvers<AbortSignal>;
let reply: PromiseWithResolvers<{ text: string }>;
const implementation: Implementation = {
  service: createTestService([
    { name: 'Write', http: { pattern: { case: 'post', value: '/things' }, body: '*' }, access: anyone },
  ]),
  handlers: {
    write: (_: unknown, { signal }: { signal: AbortSignal }) => {
      began.resolve(signal);
      return reply.promise;
    },
  },
};

let server: RestServer;
let client: Socket;
beforeEach(async () => {
  began = Promise.withResolvers();
  reply = Promise.withResolvers();
  server = await serveRest([implementation]);
  client = connect(server.port, '127.0.0.1');
});
afterEach(() => {
  client.destroy();
  return server.close();
});

const head =
  'POST /v1/things HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer public.x.x\r\nContent-Type: application/json\r\n';
const failures = () => server.logged.filter(({ level }) => level >= 40);
const ended = (code: string) => poll(async () => (await server.codes())[code] === 1);
const received = () => poll(() => server.connections().then((count) => count > 0));

describe('a client that disconnects', () => {
  it.each([
    ['with a length', 'Content-Length: 100\r\n\r\n{"'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{"\r\n'],
    ['in the middle of a chunk', 'Transfer-Encoding: chunked\r\n\r\n20\r\n{"'],
  ])('while it sends its body %s cancels the call', async (_, body) => {
    client.write(head + body);
    await received();
    client.end();
    await ended('Canceled');
    expect(failures()).toEqual([]);
    expect(server.logged.at(-1)).toMatchObject({ msg: 'call rejected', error_code: 'CANCELLED' });
  });

  it('while the handler runs aborts its signal, and its failure does not count', async () => {
    client.write(`${head}Content-Length: 2\r\n\r\n{}`);
    const signal = await began.promise;
    client.destroy();
    await poll(() => signal.aborted);
    reply.reject(new DOMException('The operation was aborted', 'AbortError'));
    await ended('Canceled');
    expect(failures()).toEqual([]);
  });

  it('while the reply is written causes no failure', async () => {
    client.write(`${head}Content-Length: 2\r\n\r\n{}`);
    await began.promise;
    client.pause();
    reply.resolve({ text: 'x'.repeat(32 * 1024 * 1024) });
    await ended('OK');
    client.destroy();
    await poll(() => server.connections().then((count) => count === 0));
    expect(failures()).toEqual([]);
  });
});

describe('a handler that fails while its client is connected', () => {
  it('counts as failed, with any error', async () => {
    client.write(`${head}Content-Length: 2\r\n\r\n{}`);
    await began.promise;
    reply.reject(new DOMException('The operation was aborted', 'AbortError'));
    await ended('Internal');
    expect(failures()).toHaveLength(1);
  });
});

describe('a body that never ends', () => {
  it('is aborted after the request timeout of the server', async () => {
    const impatient = await serveRest([implementation], { requestTimeout: 200, connectionsCheckingInterval: 50 });
    try {
      expect(await impatient.send(`${head}Content-Length: 100\r\n\r\n{"`)).toMatch(/^HTTP\/1.1 408 /);
      await poll(async () => (await impatient.codes())['Canceled'] === 1);
      expect(impatient.logged.filter(({ level }) => level >= 40)).toEqual([]);
    } finally {
      await impatient.close();
    }
  });
});
