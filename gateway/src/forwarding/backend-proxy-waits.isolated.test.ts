import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startProxy } from '../testing/test-proxy.ts';
import { send, startServer } from '../testing/test-server.ts';
import { IDLE_TIMEOUT_MS } from './forwarder.ts';

// Isolated, because all connections of a process share the timer of the HTTP client, which is faked here.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterAll(() => void vi.useRealTimers());

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const part of opened.splice(0)) await part.close();
});

describe('the reply to the test of a webhook', () => {
  const timeout = JSON.stringify({ status: 'failed', attempts: [{ number: 1, error: 'timeout' }] });

  it.each([
    ['after 29 s is passed on', 29_000, { status: 200, body: timeout }],
    ['that does not come becomes 504', 2 * IDLE_TIMEOUT_MS, { status: 504 }],
  ])('%s', async (_title, silenceMs, expected) => {
    const asked = Promise.withResolvers<() => void>();
    const service = await startServer((_request, response) => asked.resolve(() => void response.end(timeout)));
    const proxy = await startProxy(service.url, { kind: 'wait' });
    opened.push(proxy, service);
    const received = send(`${proxy.url}/v1/webhooks/w/test`, { method: 'POST' });
    const reply = await asked.promise;
    await vi.advanceTimersByTimeAsync(silenceMs);
    reply();
    expect(await received).toMatchObject(expected);
  });
});
