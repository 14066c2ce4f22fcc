import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closeAfterEach } from '../testing/close-after-each.ts';
import { exportingTo } from '../testing/otlp-collector.ts';
import { runScript } from '../testing/processes/run-script.ts';

const preload = join(import.meta.dirname, 'preload.ts');
const open = closeAfterEach();

/** A collector with the given handler, which runs after the request is read. */
async function startCollector(reply: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => reply(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** Runs a process that makes spans and log lines, and exports them every 100 ms. It gets SIGTERM after its start. */
async function run(url: string) {
  const env = { ...exportingTo(url), OTEL_BSP_SCHEDULE_DELAY: '100', OTEL_EXPORTER_OTLP_TIMEOUT: '500', DRAIN_MS: '0' };
  const ended = await runScript('process-under-trace', { env, nodeArgs: ['--import', preload], signal: 'SIGTERM' });
  const lines = ended.out.split('\n').filter((line) => line !== '');
  return { ...ended, lines, messages: lines.map((line) => JSON.parse(line).msg) };
}

describe('a process serves and stops in order, whatever its collector of traces does:', () => {
  it.each<[string, RequestListener]>([
    ['fail', (_request, response) => response.writeHead(500).end()],
    ['reject what it gets, at length', (_request, response) => response.writeHead(400).end('x'.repeat(1_000_000))],
    ['put it off for an hour', (_request, response) => response.writeHead(503, { 'retry-after': '3600' }).end()],
    ['reply with something else', (_request, response) => response.end('<html>hello</html>')],
    ['hang up', (_request, response) => response.destroy()],
    ['reply late', (_request, response) => void setTimeout(() => response.end('{}'), 10_000).unref()],
    [
      'never come to an end of its reply',
      (_request, response) => {
        const timer = setInterval(() => response.write(Buffer.alloc(100_000, 'x')), 5);
        response.once('close', () => clearInterval(timer));
      },
    ],
  ])('%s', async (_case, reply) => {
    const ended = await run(await startCollector(reply));
    expect([ended.code, ended.err]).toEqual([0, '']);
    expect(ended.messages).toEqual(expect.arrayContaining(['inside', 'called', 'started', 'stopped']));
    // The log must not contain the collector's reply.
    expect(Math.max(...ended.lines.map((line) => line.length))).toBeLessThan(2_000);
  });

  it('send it elsewhere, where nothing goes', async () => {
    const visits: string[] = [];
    const elsewhere = await startCollector((request, response) => {
      visits.push(request.url ?? '');
      response.end('{}');
    });
    const url = await startCollector((_request, response) => response.writeHead(307, { location: elsewhere }).end());
    expect((await run(url)).code).toBe(0);
    expect(visits).toEqual([]);
  });
});
