import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, surveyCreated, type TestService } from './testing/test-service.ts';

let service: TestService;
/** One origin for all webhooks. Requests to /mute get no reply until the end of the test. */
const muted: ServerResponse[] = [];
let isEnding = false;
const healthy: string[] = [];
const server = createServer((request, response) => {
  request.resume();
  if (request.url?.startsWith('/mute') && !isEnding) {
    muted.push(response);
    return;
  }
  healthy.push(request.url ?? '');
  response.end();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // No attempt ends during the test.
  service = await startTestService({ timeoutMs: 600_000 });
});

afterAll(async () => {
  isEnding = true;
  for (const response of muted) response.end();
  await service.close();
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
});

async function createWebhook(tenantId: string, path: string): Promise<void> {
  // A listening TCP server has an AddressInfo.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const body = { url, event_types: ['survey.*'] };
  expect((await service.call('POST', '/v1/webhooks', { tenantId, body })).status).toBe(201);
}

describe('webhooks that never reply', () => {
  it('delay neither other webhooks of their tenant nor those of other tenants, all on one origin', async () => {
    const [noisy, quiet] = [randomUUID(), randomUUID()];
    const mute = Array.from({ length: 40 }, (_, n) => createWebhook(noisy, `/mute/${n}`));
    await Promise.all([...mute, createWebhook(noisy, '/noisy'), createWebhook(quiet, '/quiet')]);
    const events = Array.from({ length: 10 }, () => surveyCreated(noisy));
    await service.publisher.publish(events);
    await poll(() => muted.length >= 40);
    await service.publisher.publish([...events.map(() => surveyCreated(noisy)), surveyCreated(quiet)]);
    await poll(() => healthy.filter((path) => path === '/noisy').length === 20);
    await poll(() => healthy.includes('/quiet'));
    const { body } = await service.call('GET', '/v1/webhooks?limit=100', { tenantId: noisy });
    expect(body).toHaveLength(41);
    // Each of the others has one attempt, because it has not replied yet.
    expect(muted).toHaveLength(40);
  });
});
