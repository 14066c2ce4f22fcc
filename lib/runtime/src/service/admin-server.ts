import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { chooseFormat, contentTypes, readJson, readPage } from '../telemetry/metrics-text.ts';
import type { Health } from './health.ts';
import { createHttpListener, type HttpListener } from './http-listener.ts';

/**
 * Server for operators: `/livez`, `/readyz`, `/metrics` (text or OpenMetrics for Prometheus) and `/metrics.json` (for
 * the gateway, which sums up the replicas). Pages of metrics are made in small steps, so that other work continues.
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
  async function sendMetrics({ headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const format = chooseFormat(headers.accept);
    await sendCompressed(headers, response, contentTypes[format], await readPage(registry, format));
  }

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    switch ((request.url ?? '').split('?')[0]) {
      case '/livez':
        return send(response, 200, 'application/json', '{"alive":true}');
      case '/readyz': {
        const [ready, checks] = [await health.isReady(), await health.check()];
        return send(response, ready ? 200 : 503, 'application/json', JSON.stringify({ ready, checks }));
      }
      case '/metrics':
        return sendMetrics(request, response);
      case '/metrics.json':
        return sendCompressed(request.headers, response, 'application/json', await readJson(registry));
      default:
        return send(response, 404, 'text/plain', 'not found');
    }
  }

  return createHttpListener((request, response) => {
    reply(request, response).catch((error: unknown) => {
      log.error({ err: error, path: request.url }, 'cannot reply on the admin port');
      if (!response.headersSent) response.statusCode = 500;
      response.end();
    });
  });
}

const compress = promisify(gzip);
const ACCEPTS_GZIP = /(?:^|[,\s])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;

/** Sends a page, compressed in another thread if the client accepts gzip. */
async function sendCompressed(
  headers: IncomingMessage['headers'],
  response: ServerResponse,
  contentType: string,
  body: Buffer,
): Promise<void> {
  if (!ACCEPTS_GZIP.test(String(headers['accept-encoding'] ?? ''))) return send(response, 200, contentType, body);
  response.setHeader('content-encoding', 'gzip');
  response.setHeader('vary', 'accept-encoding');
  send(response, 200, contentType, await compress(body, { level: 1 }));
}

function send(response: ServerResponse, status: number, contentType: string, body: string | Buffer): void {
  response.writeHead(status, { 'content-type': contentType });
  response.end(body);
}
