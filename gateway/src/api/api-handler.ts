import type { TokenMinter, TokenSubject } from '@survey/runtime/auth/internal-token';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Route } from '@survey/runtime/rest/route';
import { permissionDenied } from '@survey/runtime/rpc/call-context';
import { headers } from '@survey/runtime/rpc/headers';
import type { Request, RequestHandler, Response } from 'express';
import type { BackendProxy } from '../forwarding/backend-proxy.ts';
import { clientAddressOf } from '../forwarding/client-address.ts';
import { cleanRequestHeaders } from '../forwarding/header-rules.ts';
import { callOf } from '../http/call.ts';
import type { RouteTable } from '../route-table.ts';
import type { Authenticator } from './authenticator.ts';

interface Options<Name extends string> {
  readonly routes: RouteTable<Name>;
  readonly authenticator: Authenticator;
  readonly minter: TokenMinter;
  readonly proxies: Readonly<Record<Name, BackendProxy>>;
  readonly trustedProxies: number;
}

/** The API: finds the route, decides whether the caller may, and hands the request to the service. */
export function createApiHandler<Name extends string>(options: Options<Name>): RequestHandler {
  const { routes, authenticator, minter, proxies, trustedProxies } = options;

  async function authorize(route: Route, request: Request, response: Response): Promise<TokenSubject> {
    if (route.access.kind === 'public') return {};
    const { principal, grant } = await authenticator.authenticate(request.headersDistinct['authorization'], response);
    if (route.access.kind === 'permission' && !grant.permissions.has(route.access.permission))
      throw permissionDenied(route.access.permission);
    return { ...principal, permissions: [...grant.permissions], version: grant.version };
  }

  return async (request, response) => {
    const match = routes.match(request.method, request.url);
    if (match.kind === 'not-found') throw new AppError('ROUTE_NOT_FOUND');
    if (match.kind === 'wrong-method') return answerWrongMethod(match.allow, request, response);
    const { route, backend, target } = match;
    const call = callOf(response);
    call.endpoint = route.template;
    const subject = await authorize(route, request, response);
    if (Number(request.headers['content-length'] ?? 0) > route.maxBodyBytes)
      throw new AppError('BODY_TOO_LARGE', { detail: `The body is over the limit of ${route.maxBodyBytes} bytes` });

    const clientAddress = clientAddressOf(request, trustedProxies);
    request.headers = cleanRequestHeaders(request.headers);
    request.headers.authorization = `Bearer ${await minter.mint(backend, subject)}`;
    request.headers[headers.requestId] = call.requestId;
    request.headers[headers.clientAddress] = clientAddress;
    request.url = target;
    await proxies[backend].forward(request, response, route.raw ? 'stream' : 'message');
  };
}

function answerWrongMethod(allow: readonly string[], request: Request, response: Response): void {
  response.setHeader('allow', allow.join(', '));
  if (request.method !== 'OPTIONS') throw new AppError('METHOD_NOT_ALLOWED');
  response.status(204).end();
}
