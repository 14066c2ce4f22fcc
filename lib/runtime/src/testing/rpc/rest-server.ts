import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { promisify } from 'node:util';
import pino from 'pino';
import { Registry } from 'prom-client';
import type { Caller } from '../../auth/caller.ts';
import { AppError } from '../../errors/app-error.ts';
import { createTranscoder } from '../../rest/transcoder.ts';
import type { Implementation } from '../../rpc/implementation.ts';
import { createPipeline } from '../../rpc/pipeline.ts';
import { createHttpListener } from '../../service/http-listener.ts';

export interface RestRequest {
  /** Default: `public.x.x`. `reader.x.x` is a user with the permission `things:read`. */
  readonly token?: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
}

export type RestServer = Awaited<ReturnType<typeof serveRest>>;

const anonymous: Caller = { service: 'gateway', tenantId: undefined, subject: undefined, permissions: new Set() };
// A test may use a tenant id without a verified token.
const tenantId = 't' as NonNullable<Caller['tenantId']>;
const reader: Caller = { ...anonymous, tenantId, subject: 'u', permissions: new Set(['things:read']) };

async function verify(token: string): Promise<Caller> {
  if (token === 'reader.x.x') return reader;
  if (token !== 'public.x.x') throw new AppError('INVALID_TOKEN');
  return anonymous;
}

/**
 * Serves implementations through the transcoder. With `limits`, it uses a plain server of Node instead of our listener.
 */
export async function serveRest(
  implementations: readonly Implementation[],
  limits?: Parameters<typeof createServer>[0],
) {
  const logged: { msg: string; level: number; error_code?: string }[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const registry = new Registry();
  const transcode = createTranscoder({
    implementations,
    pipeline: createPipeline({ verifier: { verify }, log, registry }),
  });
  const handle: RequestListener = (request, response) => void transcode(request, response);
  const server = limits === undefined ? createHttpListener(handle).server : createServer(limits, handle);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP

  return {
    port,
    logged,
    /** Number of calls by gRPC code. */
    async codes(): Promise<Record<string, number>> {
      const metric = await registry.getSingleMetric('rpc_server_duration_seconds')?.get();
      const counts = metric?.values.filter(
        (value) => 'metricName' in value && `${value.metricName}`.endsWith('_count'),
      );
      const sums: Record<string, number> = {};
      for (const { labels, value } of counts ?? [])
        sums[`${labels['code']}`] = (sums[`${labels['code']}`] ?? 0) + value;
      return sums;
    },
    async call(method: string, path: string, { token = 'public.x.x', body, headers = {} }: RestRequest = {}) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.endsWith('json') === true && text !== '';
      return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
    },
    /** Sends bytes, and returns everything that is received until the server closes the connection. */
    send(...parts: readonly (string | Uint8Array)[]): Promise<string> {
      return new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1');
        let received = '';
        socket.on('data', (chunk) => {
          received += chunk.toString('latin1');
        });
        socket.on('close', () => resolve(received));
        socket.on('error', reject);
        for (const part of parts) socket.write(part);
      });
    },
    connections: promisify(server.getConnections.bind(server)),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
