import { headerNames, requestIdOf } from '@survey/runtime/rpc/headers';
import type { Request, Response } from 'express';

/** State of a request while it is processed. */
export interface Call {
  readonly requestId: string;
  /** Template of the route; `unknown` until the route is found. */
  endpoint: string;
  /** Undefined until the tenant is known. */
  tenantId: string | undefined;
  /** Id of the trace, if the trace is recorded. */
  traceId: string | undefined;
  /** Whether the connection stays open after the reply. HTTP/1.0 connections do not. */
  readonly keepAlive: boolean;
}

export function beginCall(request: Request, response: Response): Call {
  const requestId = requestIdOf(request.get(headerNames.requestId));
  const keepAlive = request.httpVersion === '1.1' && !/\bclose\b/i.test(request.headers.connection ?? '');
  const call: Call = { requestId, endpoint: 'unknown', tenantId: undefined, traceId: undefined, keepAlive };
  response.locals['call'] = call;
  response.setHeader(headerNames.requestId, requestId);
  return call;
}

export function callOf(response: Response): Call {
  // `beginCall` has set the call.
  return response.locals['call'] as Call;
}
