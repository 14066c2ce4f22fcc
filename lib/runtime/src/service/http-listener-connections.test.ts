import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { poll } from '../testing/poll.ts';
import { createHttpListener, type HttpListener } from './http-listener.ts';

let listener: HttpListener;
let agent: Agent;
afterEach(async () => {
  agent.destroy();
  await listener.close();
});

/**
 * Serves with a maximum age of connections. Returns a function that sends a request, and returns the number of its
 * connection (from 1) and the `connection` header of the reply.
 */
async function serve(maxAgeMs?: number) {
  let connections = 0;
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
  listener = createHttpListener(
    (_, response) => response.end('served'),
    undefined,
    maxAgeMs === undefined ? {} : { maxAgeMs },
  );
  listener.server.on('connection', () => {
    connections += 1;
  });
  const port = await listener.listen(0, '127.0.0.1');
  return async () => {
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ port, host: '127.0.0.1', agent }, resolve).once('error', reject);
    });
    expect(await text(reply)).toBe('served');
    return { connection: connections, says: reply.headers.connection };
  };
}

describe('a connection', () => {
  it('is reused while it is young', async () => {
    const ask = await serve();
    for (let round = 0; round < 3; round += 1) expect(await ask()).toEqual({ connection: 1, says: 'keep-alive' });
  });

  it('ends with a reply when it is old, so that the next request uses a new one', async () => {
    const ask = await serve(50);
    const last = await poll(async () => {
      const reply = await ask();
      return reply.says === 'close' && reply;
    });
    expect((await ask()).connection).toBe(last.connection + 1);
  });

  it('ends with a reply when the listener drains', async () => {
    const ask = await serve();
    await ask();
    listener.drain();
    expect(await ask()).toEqual({ connection: 1, says: 'close' });
  });
});
