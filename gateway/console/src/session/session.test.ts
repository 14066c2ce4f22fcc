import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createConsoleClient } from './session.tsx';

beforeEach(() => vi.stubGlobal('location', { origin: 'https://console.example' }));
afterEach(() => vi.unstubAllGlobals());

it.each([
  [401, 1],
  [403, 0],
])('a client reports replies with the status %i %i times', async (status, times) => {
  const onRejected = vi.fn();
  vi.stubGlobal('fetch', async () => Response.json({}, { status }));
  const client = createConsoleClient(async () => 'token', onRejected);
  await expect(client.apiKeys.delete('1')).rejects.toMatchObject({ status });
  expect(onRejected).toHaveBeenCalledTimes(times);
});
