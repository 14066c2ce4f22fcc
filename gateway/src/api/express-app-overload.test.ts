import { once } from 'node:events';
import { Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { catalog } from '@survey/proto/catalog';
import { afterEach, describe, expect, it } from 'vitest';
import { createCors } from '../http/cors.ts';
import { createRouteTable } from '../route-table.ts';
import { startServer, type TestServer } from '../testing/test-server.ts';
import { shedLoad } from './express-app.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((part) => part.close()));
});

const routes = createRouteTable(catalog);
const SUBMIT = '/v1/public/surveys/01a1ff7d-845e-7692-bfce-bcd685c447c1/responses';

/** The proxies of all services, one of which is full. */
function proxiesWith(full: string) {
  const names = Object.keys(catalog) as (keyof typeof catalog)[];
  const entries = names.map((name) => [name, { isFull: () => name === full }] as const);
  // The keys are the names of backends.
  return Object.fromEntries(entries) as Record<keyof typeof catalog, { isFull(): boolean }>;
}

/** A listener whose proxy for the response service is full. */
async function startFull() {
  const counted: unknown[] = [];
  const listener = shedLoad((_request, response) => response.end('admitted'), {
    routes,
    proxies: proxiesWith('response'),
    count: (replied) => void counted.push(replied),
    cors: createCors(['https://forms.example']),
  });
  const server: TestServer = await startServer(listener);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  opened.push(server, { close: () => agent.destroy() });
  const send = async (method: string, path: string, headers: Record<string, string> = {}, body = '') => {
    const request = sendRequest(`${server.url}${path}`, { method, agent, headers });
    request.end(body);
    const [reply] = (await once(request, 'response')) as [IncomingMessage];
    const port = request.socket?.localPort;
    return { status: reply.statusCode, headers: reply.headers, body: await text(reply), port };
  };
  return { counted, send };
}

describe('a request to a service at its limit', () => {
  it('is rejected with 503, Retry-After and CORS headers, is counted, and keeps its connection', async () => {
    const { counted, send } = await startFull();
    const body = JSON.stringify({ data: { q: 'x'.repeat(1_000) } });
    const headers = {
      'content-length': String(body.length),
      'x-request-id': 'request-1',
      origin: 'https://forms.example',
    };
    const replies = [await send('POST', SUBMIT, headers, body), await send('POST', SUBMIT, headers, body)];
    for (const reply of replies) {
      expect(reply).toMatchObject({
        status: 503,
        headers: {
          'retry-after': '1',
          'x-request-id': 'request-1',
          'content-type': 'application/problem+json',
          'access-control-allow-origin': 'https://forms.example',
        },
      });
      expect(JSON.parse(reply.body)).toMatchObject({ code: 'OVERLOADED', status: 503, request_id: 'request-1' });
    }
    expect(replies[1]?.port).toBe(replies[0]?.port);
    const endpoint = '/v1/public/surveys/{survey_id}/responses';
    expect(counted).toEqual([1, 2].map(() => ({ method: 'POST', endpoint, status: 503 })));
  });

  it('reaches the handler if its body is long or of unknown length, or if it is a stream or a long poll', async () => {
    const { counted, send } = await startFull();
    const long = 'x'.repeat(100_000);
    const upload = '/v1/public/surveys/01a1ff7d-845e-7692-bfce-bcd685c447c1/files?question_id=q';
    for (const reply of [
      await send('POST', SUBMIT, { 'content-length': String(long.length) }, long),
      await send('POST', SUBMIT, { 'transfer-encoding': 'chunked' }, '{}'),
      await send('POST', upload, { 'content-length': '2' }, '{}'),
      await send('GET', '/v1/surveys/01a1ff7d-845e-7692-bfce-bcd685c447c1/responses/changes?wait=20'),
    ]) {
      expect(reply).toMatchObject({ status: 200, body: 'admitted' });
    }
    expect(counted).toEqual([]);
  });
});

describe('with one service at its limit', () => {
  it.each([
    ['one to another service', 'GET', '/v1/surveys'],
    ['one to nobody', 'GET', '/v1/nothing'],
    ['one with the wrong method', 'PUT', SUBMIT],
    ['one whose path is malformed', 'GET', '/v1/surveys/%zz'],
    ['a probe', 'GET', '/health'],
  ])('%s reaches the handler', async (_case, method, path) => {
    const { send } = await startFull();
    expect(await send(method, path)).toMatchObject({ status: 200, body: 'admitted' });
  });
});
