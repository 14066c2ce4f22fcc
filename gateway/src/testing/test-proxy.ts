import { testLog } from '@survey/runtime/testing/test-log';
import express, { type Request, type Response } from 'express';
import { createErrorHandler } from '../api/express-app.ts';
import { type BackendProxyOptions, createBackendProxy } from '../forwarding/backend-proxy.ts';
import type { ExchangeKind, ForwardedRoute } from '../forwarding/forwarder.ts';
import { cleanRequestHeaders } from '../forwarding/header-rules.ts';
import { beginCall } from '../http/call.ts';
import { startServer, type TestServer } from './test-server.ts';

interface ProxyOptions extends Omit<BackendProxyOptions, 'url'> {
  /** Key of the caller. Default: the same for all requests. */
  readonly caller?: (request: Request) => string;
  readonly kind?: ExchangeKind | ((request: Request) => ExchangeKind);
  /** Changes the route, which by default only reads if the method is GET, and otherwise has a handler for the body. */
  readonly route?: Partial<ForwardedRoute>;
  /** Runs before each request is forwarded. */
  readonly before?: (request: Request, response: Response) => Promise<unknown>;
}

interface TestProxy extends TestServer {
  /** Ends the requests that wait for a change. */
  endWaits(): void;
}

/** Starts a server that only forwards to one backend. */
export async function startProxy(url: string, options: ProxyOptions = {}): Promise<TestProxy> {
  const { kind = 'message', route: changed, caller = () => 'caller', before, ...proxyOptions } = options;
  const proxy = createBackendProxy({ url, ...proxyOptions });
  const app = express();
  app.disable('x-powered-by');
  app.use((request, response, next) => {
    beginCall(request, response);
    request.headers = cleanRequestHeaders(request.headers);
    next();
  });
  app.use(async (request, response) => {
    await before?.(request, response);
    const exchange = typeof kind === 'function' ? kind(request) : kind;
    const isRead = request.method === 'GET';
    const route = { exchange, isRead, handlerReadsBody: !isRead, ...changed };
    await proxy.forward(request, response, route, { key: caller(request), isExempt: () => false });
  });
  app.use(createErrorHandler(testLog));
  const server = await startServer(app);
  return {
    ...server,
    endWaits: proxy.endWaits,
    async close() {
      await server.close();
      proxy.close();
    },
  };
}
