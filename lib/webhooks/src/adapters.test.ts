import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import testVectors from '../test-vectors.json' with { type: 'json' };
import { expressHandler } from './express.ts';
import { fastifyPlugin } from './fastify.ts';
import { fetchHandler } from './fetch.ts';
import type { EventHandler, HandlerOptions } from './receive.ts';

const [vector] = testVectors.vectors;
if (vector === undefined) throw new Error('no vectors');
const { body, now, secret } = vector;
const headers = { ...(vector.headers as Record<string, string>), 'content-type': 'application/json' };
const genuine: RequestInit = { method: 'POST', headers, body };

type Send = (request: RequestInit) => Promise<Response>;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Serves on a free port, and returns a client. */
async function serve(listener: RequestListener): Promise<Send> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => server.close());
  const { port } = server.address() as AddressInfo;
  return (request) => fetch(`http://127.0.0.1:${port}/hook`, request);
}

const adapters: Readonly<Record<string, (options: HandlerOptions, onEvent: EventHandler) => Promise<Send>>> = {
  express: (options, onEvent) => {
    const app = express();
    app.post('/hook', expressHandler(options, onEvent));
    return serve(app);
  },
  'express behind express.raw()': (options, onEvent) => {
    const app = express();
    app.post('/hook', express.raw({ type: '*/*', limit: options.maxBytes }), expressHandler(options, onEvent));
    return serve(app);
  },
  'node:http': (options, onEvent) => {
    const handle = expressHandler(options, onEvent);
    return serve((request, response) => void handle(request, response));
  },
  fastify: async (options, onEvent) => {
    const app = fastify();
    app.register(fastifyPlugin({ ...options, path: '/hook' }, onEvent));
    app.post('/json', async ({ body: parsed }) => parsed);
    await app.listen({ port: 0, host: '127.0.0.1' });
    closing.push(() => app.close());
    const { port } = app.server.address() as AddressInfo;
    const other = await fetch(`http://127.0.0.1:${port}/json`, { ...genuine, body: '{"a":1}' });
    expect(await other.json()).toEqual({ a: 1 });
    return (request) => fetch(`http://127.0.0.1:${port}/hook`, request);
  },
  fetch: async (options, onEvent) => {
    const handle = fetchHandler(options, onEvent);
    return (request) =>
      handle(new Request('http://receiver/hook', request)).catch(() => new Response(null, { status: 500 }));
  },
};

describe.each(Object.keys(adapters))('the adapter %s', (name) => {
  const options: HandlerOptions = { secret, now: () => now * 1000, maxBytes: 2000 };
  const start = (onEvent: EventHandler) => adapters[name]?.(options, onEvent) ?? Promise.reject(new Error(name));

  it('replies 204 to a genuine request, after its event is handled', async () => {
    const handled: string[] = [];
    const send = await start(async (event) => {
      await new Promise((resolve) => setImmediate(resolve));
      handled.push(event.event);
    });
    const { status } = await send(genuine);
    expect([status, handled]).toEqual([204, ['survey.published']]);
  });

  it('replies 401 to a request that is not genuine, and does not handle it', async () => {
    const send = await start(() => expect.unreachable());
    expect((await send({ ...genuine, body: `${body} ` })).status).toBe(401);
    expect((await send({ method: 'POST', headers: { 'content-type': 'application/json' } })).status).toBe(401);
  });

  it('replies 413 to a large body', async () => {
    const send = await start(() => expect.unreachable());
    expect((await send({ ...genuine, body: body.padEnd(3000) })).status).toBe(413);
  });

  it('replies 500 if the event cannot be handled', async () => {
    const send = await start(() => Promise.reject(new Error('the database is down')));
    expect((await send(genuine)).status).toBe(500);
  });
});

it('the adapter express reports a body that express.json() has parsed', async () => {
  const app = express();
  const errors: unknown[] = [];
  app.use(express.json());
  app.post(
    '/hook',
    expressHandler({ secret }, () => expect.unreachable()),
  );
  app.use(((error, _request, response, _next) => {
    errors.push(error.message);
    response.sendStatus(500);
  }) satisfies express.ErrorRequestHandler);
  const send = await serve(app);
  expect((await send(genuine)).status).toBe(500);
  expect(errors).toEqual(['The body is parsed already: mount the webhook handler before express.json()']);
});
