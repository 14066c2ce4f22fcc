import { checkHost } from '@survey/runtime/rest/check-host';
import express, { type Express, type Request, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { PlatformHealth } from '../health/platform-health.ts';
import { beginCall } from '../http/call.ts';
import { createFramingCheck } from '../http/check-framing.ts';
import { createErrorHandler } from '../http/error-handler.ts';
import { logRequests } from '../http/log-requests.ts';
import { type PageHandler, replyWithPage } from '../http/pages.ts';
import { traceRequests } from '../http/trace-requests.ts';
import type { HttpMetrics } from '../metrics/http-metrics.ts';
import type { FindPage } from '../web-apps/web-app.ts';

interface Options {
  readonly api: RequestHandler;
  readonly health: () => Promise<PlatformHealth>;
  readonly metricsPage: PageHandler;
  readonly docs: ReadonlyMap<string, PageHandler>;
  readonly findWebAppPage: FindPage;
  readonly observe: HttpMetrics['observe'];
  /** Admits a request without a token, or throws. */
  readonly enter: (request: Request) => void;
  readonly log: Logger;
}

/** Path of the health check. It has no rate limit, because load balancers probe it. */
const HEALTH = '/health';

/** Creates the app of the public port. It reads no bodies: the API handler forwards them. */
export function createExpressApp(options: Options): Express {
  const { api, health, metricsPage, docs, findWebAppPage, observe, enter, log } = options;
  const checkFraming = createFramingCheck();
  const pages = new Map([[HEALTH, healthPage(health)], ['/metrics', metricsPage], ...docs]);
  const findPage: FindPage = (path) => {
    const page = pages.get(path);
    return page === undefined ? findWebAppPage(path) : { endpoint: path, page };
  };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', false);

  app.use((request, response, next) => {
    const call = beginCall(request, response);
    observe(request, response);
    checkHost(request);
    checkFraming(request, response);
    const found = findPage(request.path);
    if (found === undefined) return next();
    call.endpoint = found.endpoint;
    if (request.path !== HEALTH) enter(request);
    return replyWithPage(found.page, request, response);
  });
  // Requests for pages, such as probes of `/health`, are neither traced nor logged.
  app.use(traceRequests, logRequests(log), api);
  app.use(createErrorHandler(log));
  return app;
}

function healthPage(health: Options['health']): PageHandler {
  return async (_request, response) => {
    const state = await health();
    response.setHeader('cache-control', 'no-store');
    response.status(state.status === 'healthy' ? 200 : 503).json(state);
  };
}
