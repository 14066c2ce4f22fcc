// A process for tests of tracing and exported logs. At its start, it calls itself over HTTP, inside a span.
import http, { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { processSettings } from '../../config/common-settings.ts';
import { integer } from '../../config/kinds.ts';
import { AppError } from '../../errors/app-error.ts';
import { runProcess } from '../../service/run-process.ts';
import { startServerSpan } from '../../telemetry/spans.ts';

const { logLevel, drainMs, stopMs } = processSettings;
const lines = integer({ env: 'LINES', fallback: '0', min: 0, max: 100_000, help: 'Lines to log at once.' });

await runProcess({
  name: 'under-trace',
  settings: { logLevel, drainMs, stopMs, lines },
  createApp: async (config, log) => {
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
          log.error(
            { err: new AppError('INVALID_REQUEST', { errors: [{ path: '/secret', code: 'X', detail: 'secret' }] }) },
            'failed',
          );
          log.warn({ password: 'secret', user: { token: 'secret' }, tenant_id: 't1' }, 'redacted');
          if (config.lines > 0) log.info({ text: 'x'.repeat(20_000), tenant_id: 't1' }, 'long');
          for (let line = 0; line < config.lines; line++) log.info({ line }, 'one of many');
          await call(request);
          await call(http.request);
        });
        span.end();
      },
      stop: async () => void server.close(),
    };
  },
});
