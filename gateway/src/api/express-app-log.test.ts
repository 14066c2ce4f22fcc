import { request as sendRequest } from 'node:http';
import { Writable } from 'node:stream';
import { poll } from '@survey/runtime/testing/poll';
import express from 'express';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { beginCall, callOf } from '../http/call.ts';
import { send, startServer, type TestServer } from '../testing/test-server.ts';
import { recordRequests } from './express-app.ts';

let server: TestServer;
afterEach(() => server.close());

/** A server that logs requests, and its log entries. */
async function start(reply: express.RequestHandler): Promise<object[]> {
  const lines: object[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const app = express();
  app.use((request, response, next) => {
    beginCall(request, response);
    next();
  });
  app.use(recordRequests(pino({ base: null, timestamp: false }, sink)), reply);
  server = await startServer(app);
  return lines;
}

describe('the log of requests', () => {
  it('has a line for each request, with id, route, status, tenant and duration, without its address', async () => {
    const lines = await start((_request, response) => {
      Object.assign(callOf(response), { endpoint: '/v1/surveys/{survey_id}', tenantId: 't-1' });
      response.status(404).end();
    });
    await send(`${server.url}/v1/surveys/private?q=private`, { headers: { 'x-request-id': 'r-1' } });
    await poll(() => lines.length === 1);
    expect(lines[0]).toEqual({
      level: 30,
      msg: 'request',
      request_id: 'r-1',
      method: 'GET',
      route: '/v1/surveys/{survey_id}',
      status: 404,
      tenant_id: 't-1',
      duration_ms: expect.any(Number),
      bytes: expect.any(Number),
    });
  });

  it('has a line for a client that disconnected before the reply', async () => {
    const arrived = Promise.withResolvers<void>();
    const lines = await start(() => arrived.resolve());
    const client = sendRequest(server.url);
    client.on('error', () => undefined).end();
    await arrived.promise;
    client.destroy();
    await poll(() => lines.length === 1);
    expect(lines[0]).toMatchObject({ method: 'GET', route: 'unknown', client_disconnected: true });
  });
});
