import type { RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { runAgainst } from '../testing/run-against.ts';

/** A platform that refuses the address of each webhook. */
const refusing: RequestListener = (request, response) => {
  const problem = { code: 'WEBHOOK_URL_REFUSED', detail: 'Webhooks cannot be sent to this address', status: 422 };
  request.resume();
  const isList = request.method === 'GET';
  response.writeHead(isList ? 200 : 422, { 'content-type': isList ? 'application/json' : 'application/problem+json' });
  response.end(JSON.stringify(isList ? [] : problem));
};

it('asks for a receiver if the platform refuses its own address', async () => {
  const { code, stderr } = await runAgainst(refusing, ['webhooks', 'listen']);
  const reason = 'the platform sends no webhooks to its own address {url}/health';
  expect([code, stderr]).toEqual([2, `${reason}: name a receiver with --url, which gets the deliveries, too\n`]);
});

it('retries a delivery that the local receiver does not accept', async () => {
  const caller = new AbortController();
  const statuses = [500, 302, 204];
  let received = 0;
  const listener: RequestListener = (request, response) => {
    request.resume();
    const { pathname } = new URL(request.url ?? '', 'http://platform');
    if (request.method === 'POST') {
      response.writeHead(statuses[received] ?? 500, { location: 'https://elsewhere.example/x' }).end();
      received += 1;
      return;
    }
    const deliveries =
      received === 0 ? [{ id: 'd1', event_type: 'e', created_at: '2026-01-31T11:00:00.000Z', payload: {} }] : [];
    if (received === statuses.length) caller.abort();
    response.writeHead(200, { 'content-type': 'application/json' });
    const isFirst = request.url?.includes('limit=1&') || request.url?.endsWith('limit=1');
    response.end(JSON.stringify(pathname.endsWith('/deliveries') ? (isFirst ? [] : deliveries) : { id: 'w1' }));
  };
  const words = ['webhooks', 'listen', 'w1', '--forward'];
  const { stderr } = await runAgainst(listener, words, caller.signal, (url) => [...words, `${url}/receiver`]);
  expect(stderr.split('\n').filter((line) => line.startsWith('e d1'))).toEqual([
    'e d1 → {url}/receiver: 500; retry in 0.5 s',
    'e d1 → {url}/receiver: 302, a redirect to https://elsewhere.example; retry in 2 s',
    'e d1 → {url}/receiver: 204',
  ]);
});

it('reports the refusal of a given address as it is', async () => {
  const { code, stderr } = await runAgainst(refusing, ['webhooks', 'listen', '--url', 'https://10.0.0.1/']);
  expect([code, stderr]).toEqual([1, 'WEBHOOK_URL_REFUSED: Webhooks cannot be sent to this address\n']);
});

it('waits for deliveries that are newer than the last one, whatever the clocks say', async () => {
  const caller = new AbortController();
  const asked: string[] = [];
  const listener: RequestListener = ({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://platform');
    const isList = pathname.endsWith('/deliveries');
    if (isList) asked.push(searchParams.get('since') ?? searchParams.get('limit') ?? '');
    if (asked.length === 2) caller.abort();
    response.writeHead(200, { 'content-type': 'application/json', date: 'Sat, 31 Jan 2026 12:00:00 GMT' });
    response.end(JSON.stringify(isList ? [{ id: 'd1', created_at: '2026-01-31T11:00:00.000Z' }] : { id: 'w1' }));
  };
  const { code } = await runAgainst(listener, ['webhooks', 'listen', 'w1'], caller.signal);
  expect([code, asked]).toEqual([0, ['1', '2026-01-31T11:00:00.001Z']]);
});
