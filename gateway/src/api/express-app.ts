import { checkHost } from '@survey/runtime/rest/check-host';
import express, { type Express, type Request, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { docs } from '../docs/docs.ts';
import type { PlatformHealth } from '../health/platform-health.ts';
import { answerErrors } from '../http/answer-errors.ts';
import { beginCall } from '../http/call.ts';
import { createFramingCheck } from '../http/check-framing.ts';
import { logRequests } from '../http/log-requests.ts';
import { type Page, replyWithPage } from '../http/pages.ts';
import { traceRequests } from '../http/trace-requests.ts';
import type { HttpMetrics } from '../metrics/http-metrics.ts';
import { createMetricsPage } from '../metrics/metrics-page.ts';

interface Options {
  readonly api: RequestHandler;
  readonly health: () => Promise<PlatformHealth>;
  readonly metrics: () => Promise<string>;
  readonly metricsToken: string | undefined;
  readonly observe: HttpMetrics['observe'];
  /** Lets the client of a request without a token in, or throws. */
  readonly enter: (request: Request) => void;
  readonly log: Logger;
}

/** Load balancers may ask for it without a limit. */
const HEALTH = '/health';

/** Everything that the public port answers. No body is read here: the API hands them on as they come. */
export function createExpressApp(options: Options): Express {
  const { api, health, metrics, metricsToken, observe, enter, log } = options;
  const checkFraming = createFramingCheck();
  const pages = new Map([
    [HEALTH, healthPage(health)],
    ['/metrics', createMetricsPage(metrics, metricsToken)],
    ...docs,
  ]);
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
    const page = pages.get(request.path);
    if (page === undefined) return next();
    call.endpoint = request.path;
    if (request.path !== HEALTH) enter(request);
    return replyWithPage(page, request, response);
  });
  // Only these: nobody wants to read that a probe was answered.
  app.use(traceRequests, logRequests(log), api);
  app.use(answerErrors(log));
  return app;
}

function healthPage(health: Options['health']): Page {
  return async (_request, response) => {
    const state = await health();
    response.setHeader('cache-control', 'no-store');
    response.status(state.status === 'healthy' ? 200 : 503).json(state);
  };
}
