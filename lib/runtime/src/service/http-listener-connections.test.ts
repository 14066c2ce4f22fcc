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

/** Serves on connections of this age, and asks: which connection, from 1, answers and what it says of its end. */
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
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ port, host: '127.0.0.1', agent }, resolve).once('error', reject);
    });
    expect(await text(answer)).toBe('served');
    return { connection: connections, says: answer.headers.connection };
  };
}

describe('a connection', () => {
  it('is used again and again while it is young', async () => {
    const ask = await serve();
    for (let turn = 0; turn < 3; turn += 1) expect(await ask()).toEqual({ connection: 1, says: 'keep-alive' });
  });

  it('ends with an answer when it is old, so that the next request goes over a new one', async () => {
    const ask = await serve(50);
    const last = await poll(async () => {
      const answer = await ask();
      return answer.says === 'close' && answer;
    });
    expect((await ask()).connection).toBe(last.connection + 1);
  });

  it('ends with an answer once the listener drains', async () => {
    const ask = await serve();
    await ask();
    listener.drain();
    expect(await ask()).toEqual({ connection: 1, says: 'close' });
  });
});
