import type { RequestListener } from 'node:http';
import { AppError } from '@survey/runtime/errors/app-error';
import { toProblem } from '@survey/runtime/rest/problem';
import type { Route } from '@survey/runtime/rest/route';
import { headers, requestIdOf } from '@survey/runtime/rpc/headers';
import type { Cors } from '../http/cors.ts';
import type { CountRequest } from '../metrics/http-metrics.ts';

/** Route of a request that is to be refused, and can be without more ado; undefined for all others. */
export type FindSurplus = (request: Parameters<RequestListener>[0]) => Route | undefined;

interface Options {
  readonly findSurplus: FindSurplus;
  readonly count: CountRequest;
  readonly cors: Cors;
}

/**
 * Refuses what a service has no room for before anything else is done for it, a line in the log included: what costs
 * more than next to nothing leaves no time for those that are let in.
 */
export function shedLoad(handler: RequestListener, { findSurplus, count, cors }: Options): RequestListener {
  const error = new AppError('OVERLOADED', { retryAfterSeconds: 1 });
  return (request, response) => {
    const route = findSurplus(request);
    if (route === undefined) return handler(request, response);
    const requestId = requestIdOf(request.headersDistinct[headers.requestId]?.[0]);
    const problem = toProblem(error, requestId);
    const body = Buffer.from(JSON.stringify(problem.body));
    const more = { [headers.requestId]: requestId, 'content-length': body.length };
    cors.onAnswer(route, request, response);
    response.writeHead(problem.status, { ...problem.headers, ...more });
    // Its own body is short, and read without being kept: the connection goes on.
    request.resume();
    response.end(request.method === 'HEAD' ? undefined : body);
    return count({ method: request.method ?? '', endpoint: route.template, status: problem.status });
  };
}
