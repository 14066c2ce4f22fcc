import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createConsoleClient } from './session.tsx';

beforeEach(() => vi.stubGlobal('location', { origin: 'https://console.example' }));
afterEach(() => vi.unstubAllGlobals());

const deleteKey = (rules: Parameters<typeof createConsoleClient>[1]) =>
  createConsoleClient(async () => 'token', rules).apiKeys.delete('1');

/** Replies to requests with a status for each token, and records the tokens. */
function stubReplies(statuses: Readonly<Record<string, number>>): readonly string[] {
  const tokens: string[] = [];
  vi.stubGlobal('fetch', async (_address: string, { headers }: RequestInit) => {
    const token = new Headers(headers).get('authorization')?.replace('Bearer ', '') ?? '';
    tokens.push(token);
    const status = statuses[token] ?? 401;
    return status === 204 ? new Response(null, { status }) : Response.json({}, { status });
  });
  return tokens;
}

it.each([
  [401, 1],
  [403, 0],
])('a client reports replies with the status %i %i times', async (status, times) => {
  const onRejected = vi.fn();
  const tokens = stubReplies({ token: status });
  await expect(deleteKey({ onRejected })).rejects.toMatchObject({ status });
  expect(onRejected).toHaveBeenCalledTimes(times);
  expect(tokens).toEqual(['token']);
});

it('a client renews a rejected token, and sends the request again', async () => {
  const onRejected = vi.fn();
  const renew = vi.fn(async () => 'renewed');
  const tokens = stubReplies({ renewed: 204 });
  await deleteKey({ renew, onRejected });
  expect(tokens).toEqual(['token', 'renewed']);
  expect(renew).toHaveBeenCalledExactlyOnceWith('token');
  expect(onRejected).not.toHaveBeenCalled();
});

it('a client gives up after the platform rejected the renewed token, too', async () => {
  const onRejected = vi.fn();
  const tokens = stubReplies({});
  await expect(deleteKey({ renew: async () => 'renewed', onRejected })).rejects.toMatchObject({ status: 401 });
  expect(tokens).toEqual(['token', 'renewed']);
  expect(onRejected).toHaveBeenCalledOnce();
});
