import type { IncomingMessage, RequestListener } from 'node:http';
import { AppError } from '@survey/runtime/errors/app-error';
import { toProblem } from '@survey/runtime/rest/problem';
import type { Route } from '@survey/runtime/rest/route';
import { headers, requestIdOf } from '@survey/runtime/rpc/headers';
import type { BackendProxy } from '../forwarding/backend-proxy.ts';
import { isShort } from '../forwarding/message-forwarder.ts';
import type { Cors } from '../http/cors.ts';
import type { CountRequest } from '../metrics/http-metrics.ts';
import type { RouteTable } from '../route-table.ts';

interface Options<Name extends string> {
  readonly routes: RouteTable<Name>;
  readonly proxies: Readonly<Record<Name, Pick<BackendProxy, 'isFull'>>>;
  readonly count: CountRequest;
  readonly cors: Cors;
}

/**
 * Rejects short requests to an overloaded service before any other work, even logging. So rejections take little time
 * from accepted requests.
 */
export function shedLoad<Name extends string>(handler: RequestListener, options: Options<Name>): RequestListener {
  const { routes, proxies, count, cors } = options;
  const all = Object.values<Pick<BackendProxy, 'isFull'>>(proxies);
  const error = new AppError('OVERLOADED', { retryAfterSeconds: 1 });

  /** The route of a request to reject. Other requests are rejected when they are forwarded. */
  function findOverloaded(request: IncomingMessage): Route | undefined {
    // Check this first, because it is cheap, and usually no service is full.
    if (!all.some((proxy) => proxy.isFull('message')) || !isShort(request)) return undefined;
    try {
      const match = routes.match(request.method ?? '', request.url ?? '');
      if (match.kind !== 'found' || !proxies[match.backend].isFull('message')) return undefined;
      // Streams and long polls have limits of their own.
      return match.route.raw || match.route.waits ? undefined : match.route;
    } catch {
      // The API handler reports a malformed path.
      return undefined;
    }
  }

  return (request, response) => {
    const route = findOverloaded(request);
    if (route === undefined) return handler(request, response);
    const requestId = requestIdOf(request.headersDistinct[headers.requestId]?.[0]);
    const problem = toProblem(error, requestId);
    const body = Buffer.from(JSON.stringify(problem.body));
    const extraHeaders = { [headers.requestId]: requestId, 'content-length': body.length };
    cors.onReply(route, request, response);
    response.writeHead(problem.status, { ...problem.headers, ...extraHeaders });
    // Read and drop the short body, so that the connection can be reused.
    request.resume();
    response.end(request.method === 'HEAD' ? undefined : body);
    return count({ method: request.method ?? '', endpoint: route.template, status: problem.status });
  };
}
