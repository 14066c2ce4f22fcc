import { afterEach, expect, it, vi } from 'vitest';
import { createClient } from './create-client.ts';
import type { ClientOptions } from './options.ts';

afterEach(() => void vi.useRealTimers());

/** A client whose requests get the same reply, and these requests. */
function start(options: Partial<ClientOptions> = {}) {
  const sent: Headers[] = [];
  const send: typeof fetch = async (_url, init) => {
    sent.push(new Headers(init?.headers));
    return Response.json({ id: 's1' });
  };
  return { client: createClient({ baseUrl: 'http://gateway', fetch: send, ...options }), sent };
}

/** A `fetch` that gets no reply. */
const hang: typeof fetch = (_url, { signal } = {}) =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

it('an idempotency key without a value is replaced by a random one', async () => {
  const { client, sent } = start();
  // Compilers accept this without `exactOptionalPropertyTypes`.
  await client.projects.create({ name: 'a' }, { idempotencyKey: undefined } as object);
  expect(sent[0]?.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
});

it('the error of the function for the token is passed on, without a request', async () => {
  const token = vi.fn(() => Promise.reject(new Error('the session has ended')));
  const { client, sent } = start({ token });
  await expect(client.surveys.get('s1')).rejects.toThrow('the session has ended');
  const changes = client.responses.follow('s1')[Symbol.asyncIterator]();
  await expect(changes.next()).rejects.toThrow('the session has ended');
  expect([token.mock.calls.length, sent.length]).toEqual([2, 0]);
});

it('a value that no header can have is not sent', async () => {
  const { client, sent } = start();
  await expect(client.projects.create({ name: 'a' }, { idempotencyKey: 'schlüssel 日' })).rejects.toThrow(TypeError);
  expect(sent).toEqual([]);
});

it('a file has 30 minutes, other requests one', async () => {
  vi.useFakeTimers();
  const { client } = start({ fetch: hang, maxRetries: 0 });
  const outcomes: string[] = [];
  const note = (name: string, call: Promise<unknown>) =>
    call.catch(({ code }: { readonly code: string }) => outcomes.push(`${name} ${code}`));
  void note('file', client.imports.importResponses('s1', new Blob(['a']), { format: 'csv' }));
  void note('JSON', client.imports.importResponses('s1', { format: 'json', responses: [] }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(outcomes).toEqual(['JSON TIMEOUT']);
  await vi.advanceTimersByTimeAsync(29 * 60_000);
  expect(outcomes).toEqual(['JSON TIMEOUT', 'file TIMEOUT']);
});

it('a request without a time limit waits', async () => {
  vi.useFakeTimers();
  const caller = new AbortController();
  const { client } = start({ fetch: hang, maxRetries: 0, timeoutMs: Number.POSITIVE_INFINITY });
  const call = client.surveys.get('s1', { signal: caller.signal });
  call.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  caller.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
});
