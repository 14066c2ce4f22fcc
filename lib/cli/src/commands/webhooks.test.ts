import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { runCli } from '../run-cli.ts';

/** Runs `webhooks listen` against a platform that refuses the address of each webhook. */
async function listen(...options: readonly string[]) {
  const problem = { code: 'WEBHOOK_URL_REFUSED', detail: 'Webhooks cannot be sent to this address', status: 422 };
  const server = createServer((request, response) => {
    request.resume();
    const isList = request.method === 'GET';
    response.writeHead(isList ? 200 : 422, {
      'content-type': isList ? 'application/json' : 'application/problem+json',
    });
    response.end(JSON.stringify(isList ? [] : problem));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runCli(['webhooks', 'listen', ...options], {
    env: { SURVEY_URL: `http://127.0.0.1:${port}`, SURVEY_TOKEN: 'token' },
    stdin: Readable.from([]),
    stdout,
    stderr,
    signal: new AbortController().signal,
  });
  server.close();
  server.closeAllConnections();
  return { code, port, output: await text(stderr.end()) };
}

it('asks for a receiver if the platform refuses its own address', async () => {
  const { code, port, output } = await listen();
  const reason = `the platform sends no webhooks to its own address http://127.0.0.1:${port}/health`;
  expect([code, output]).toEqual([2, `${reason}: name a receiver with --url, which gets the deliveries, too\n`]);
});

it('reports the refusal of a given address as it is', async () => {
  const { code, output } = await listen('--url', 'https://10.0.0.1/');
  expect([code, output]).toEqual([1, 'WEBHOOK_URL_REFUSED: Webhooks cannot be sent to this address\n']);
});
