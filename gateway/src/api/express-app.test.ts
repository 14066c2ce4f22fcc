import document from '@survey/proto/openapi.json' with { type: 'json' };
import { testLog } from '@survey/runtime/testing/test-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send, startServer, type TestServer } from '../testing/test-server.ts';
import { createExpressApp } from './express-app.ts';

const fail = () => Promise.reject(new Error('mongodb://user:secret@inside:27017 rejected'));

let server: TestServer;
beforeAll(async () => {
  const app = createExpressApp({
    api: fail,
    health: fail,
    metricsPage: fail,
    docs: new Map(),
    findWebAppPage: () => undefined,
    observe: () => undefined,
    enter: () => undefined,
    log: testLog,
  });
  server = await startServer(app);
});
afterAll(() => server.close());

describe('an unexpected error', () => {
  it.each(['/health', '/metrics', '/v1/surveys'])('of %s does not reveal its message', async (path) => {
    const { status, headers, body } = await send(`${server.url}${path}`, { headers: { 'x-request-id': 'r-1' } });
    expect([status, headers['content-type'], headers['x-request-id']]).toEqual([
      500,
      'application/problem+json',
      'r-1',
    ]);
    expect(JSON.parse(body)).toEqual({ ...document.components.examples.INTERNAL.value, request_id: 'r-1' });
  });
});
