// A process for tests of tracing. At its start, it calls itself over HTTP, inside a span.
import http, { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { processSettings } from '../config/common-settings.ts';
import { runProcess } from '../service/run-process.ts';
import { startServerSpan } from '../telemetry/spans.ts';

const { logLevel, drainMs, stopMs } = processSettings;

await runProcess({
  name: 'under-trace',
  settings: { logLevel, drainMs, stopMs },
  createApp: async (_config, log) => {
    const server = createServer((incoming, response) => {
      log.info({ traceparent: incoming.headers.traceparent }, 'called');
      response.end();
    });

    const call = (send: typeof request) =>
      new Promise<void>((resolve, reject) => {
        const { port } = server.address() as AddressInfo;
        const outgoing = send({ port, path: '/secret?token=secret', headers: { 'user-agent': 'secret' } }, (reply) => {
          reply.resume().on('end', resolve);
        });
        outgoing.on('error', reject).end();
      });

    return {
      setup: async () => {},
      async start() {
        await new Promise<void>((resolve) => server.listen(0, resolve));
        const span = startServerSpan({ name: 'begin', traceparent: '', attributes: {} });
        await span.run(async () => {
          log.info('inside');
          await call(request);
          await call(http.request);
        });
        span.end();
      },
      stop: async () => void server.close(),
    };
  },
});
