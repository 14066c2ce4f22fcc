import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Route } from './route.ts';
import { createRestContext } from './transcoder.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());

it('the time that is left does not depend on the system clock', async () => {
  // The context reads only these members.
  const route = { method: { parent: {} } } as unknown as Route;
  const context = createRestContext({
    route,
    request: { headers: {} } as IncomingMessage,
    response: new EventEmitter() as ServerResponse,
    timeoutMs: 30_000,
  });
  await vi.advanceTimersByTimeAsync(10_000);
  vi.setSystemTime(Date.now() + 3_600_000);
  expect(context.timeoutMs()).toBe(20_000);
  context.end();
});
