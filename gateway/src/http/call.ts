import { headers, requestIdOf } from '@survey/runtime/rpc/headers';
import type { Request, Response } from 'express';

/** What the gateway knows about a request while it answers it. */
export interface Call {
  readonly requestId: string;
  /** Template of the route, `unknown` as long as there is none. */
  endpoint: string;
  /** Undefined as long as none can be told. */
  tenantId: string | undefined;
  /** Whether the caller means to send another request over the connection. */
  readonly keepAlive: boolean;
}

/** Begins a request: every answer carries its id, whatever becomes of it. */
export function beginCall(request: Request, response: Response): Call {
  const requestId = requestIdOf(request.get(headers.requestId));
  const keepAlive = request.httpVersion === '1.1' && !/\bclose\b/i.test(request.headers.connection ?? '');
  const call: Call = { requestId, endpoint: 'unknown', tenantId: undefined, keepAlive };
  response.locals['call'] = call;
  response.setHeader(headers.requestId, requestId);
  return call;
}

export function callOf(response: Response): Call {
  // Set by `beginCall`, which every request passes first.
  return response.locals['call'] as Call;
}
