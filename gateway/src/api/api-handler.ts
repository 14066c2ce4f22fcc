import type { TokenClaims, TokenMinter } from '@survey/runtime/auth/internal-token';
import { AppError, permissionDenied } from '@survey/runtime/errors/app-error';
import { rawHeaderValues } from '@survey/runtime/rest/header-lines';
import type { Route } from '@survey/runtime/rest/route';
import { routeNotFound } from '@survey/runtime/rest/router';
import { headerNames } from '@survey/runtime/rpc/headers';
import type { Request, RequestHandler, Response } from 'express';
import type { Authenticator } from '../authentication/authenticator.ts';
import type { BackendProxy } from '../forwarding/backend-proxy.ts';
import { clientAddressOf } from '../forwarding/client-address.ts';
import type { Caller } from '../forwarding/forwarder.ts';
import { cleanRequestHeaders } from '../forwarding/header-rules.ts';
import { callOf } from '../http/call.ts';
import type { Cors } from '../http/cors.ts';
import type { ArrivingBodies } from '../rates/arriving-bodies.ts';
import type { ClientLimits } from '../rates/client-limits.ts';
import type { RouteClass } from '../rates/route-class.ts';
import type { TenantLimits } from '../rates/tenant-limits.ts';
import type { RouteTable } from '../route-table.ts';

interface Options<Name extends string> {
  readonly routes: RouteTable<Name>;
  readonly authenticator: Authenticator;
  readonly minter: TokenMinter;
  readonly proxies: Readonly<Record<Name, BackendProxy>>;
  readonly cors: Cors;
  readonly clientLimits: ClientLimits;
  readonly tenantLimits: TenantLimits;
  readonly arrivingBodies: ArrivingBodies;
  readonly trustedProxies: number;
}

/** Handles the API: finds the route, authorizes the caller, applies limits and forwards to the service. */
export function createApiHandler<Name extends string>(options: Options<Name>): RequestHandler {
  const { routes, authenticator, minter, proxies, cors, clientLimits, tenantLimits, arrivingBodies, trustedProxies } =
    options;

  /** Checks authorization and limits. Returns claims for the token of the service; none on a public route. */
  async function authorize(
    { access }: Route,
    routeClass: RouteClass,
    client: Caller,
    request: Request,
    response: Response,
  ): Promise<TokenClaims> {
    if (access.kind === 'public') {
      clientLimits.countRequest(client, routeClass);
      clientLimits.holdUntilClosed(client, routeClass, response);
      return {};
    }
    const authorization = rawHeaderValues(request, 'authorization');
    const attempt = { client, routeClass, wasValid: () => authenticator.wasValid(authorization) };
    const authenticate = () => authenticator.authenticate(authorization, response);
    const { principal, grant } = await clientLimits.authenticate(attempt, authenticate);
    const pending = tenantLimits.enter(principal.tenantId, routeClass, response);
    if (pending !== undefined) await pending;
    if (access.kind === 'permission' && !grant.permissions.has(access.permission))
      throw permissionDenied(access.permission);
    return { ...principal, permissions: [...grant.permissions], version: grant.version };
  }

  /** Replies to OPTIONS, which browsers send as a CORS preflight. */
  function replyToOptions(request: Request, response: Response): void {
    const method = request.get('access-control-request-method');
    const match = method === undefined ? undefined : routes.match(method, request.url);
    if (match?.kind === 'found') cors.onPreflight(match.route, request, response);
    response.status(204).end();
  }

  return async (request, response) => {
    const clientAddress = clientAddressOf(request, trustedProxies);
    const client = clientLimits.clientAt(clientAddress);
    const match = routes.match(request.method, request.url);
    // A request without a route needs no token, so it counts against the limit of the client.
    if (match.kind !== 'found') clientLimits.countRequest(client, 'default');
    if (match.kind === 'not-found') throw routeNotFound(request);
    if (match.kind === 'wrong-method') {
      response.setHeader('allow', match.allow.join(', '));
      if (request.method !== 'OPTIONS') throw new AppError('METHOD_NOT_ALLOWED');
      return replyToOptions(request, response);
    }
    const { route, target } = match;
    const { backend, routeClass } = route;
    const call = callOf(response);
    call.endpoint = route.template;
    cors.onReply(route, request, response);
    const claims = await authorize(route, routeClass, client, request, response);
    if (Number(request.headers['content-length'] ?? 0) > route.maxBodyBytes)
      throw new AppError('BODY_TOO_LARGE', { detail: `The body is over the limit of ${route.maxBodyBytes} bytes` });
    arrivingBodies.enter(request, client, routeClass);

    request.headers = cleanRequestHeaders(request.headers);
    request.headers.authorization = `Bearer ${await minter.mint(backend, claims)}`;
    request.headers[headerNames.requestId] = call.requestId;
    request.headers[headerNames.clientAddress] = clientAddress;
    request.url = target;
    const { tenantId } = claims;
    const caller = tenantId === undefined ? client : { key: tenantId, isExempt: neverExempt };
    await proxies[backend].forward(request, response, route, caller);
  };
}

const neverExempt = () => false;
