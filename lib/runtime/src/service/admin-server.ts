import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Health } from './health.ts';
import { createHttpListener, type HttpListener } from './http-listener.ts';

/**
 * Server for operators: `/livez`, `/readyz`, `/metrics` (text for Prometheus) and `/metrics.json` (for the gateway,
 * which sums up the replicas).
 */
export function createAdminServer({
  health,
  registry,
  log,
}: {
  readonly health: Health;
  readonly registry: Registry;
  readonly log: Logger;
}): HttpListener {
  async function reply(path: string, response: ServerResponse): Promise<void> {
    switch (path) {
      case '/livez':
        return send(response, 200, 'application/json', '{"alive":true}');
      case '/readyz': {
        const [ready, checks] = [await health.isReady(), await health.check()];
        return send(response, ready ? 200 : 503, 'application/json', JSON.stringify({ ready, checks }));
      }
      case '/metrics':
        return send(response, 200, registry.contentType, await registry.metrics());
      case '/metrics.json':
        return send(response, 200, 'application/json', JSON.stringify(await registry.getMetricsAsJSON()));
      default:
        return send(response, 404, 'text/plain', 'not found');
    }
  }

  return createHttpListener((request, response) => {
    reply((request.url ?? '').split('?')[0] ?? '', response).catch((error: unknown) => {
      log.error({ err: error, path: request.url }, 'cannot reply on the admin port');
      if (!response.headersSent) response.statusCode = 500;
      response.end();
    });
  });
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { 'content-type': contentType });
  response.end(body);
}
