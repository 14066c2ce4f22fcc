import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Route } from '@survey/runtime/rest/route';

export type Cors = ReturnType<typeof createCors>;

export const ANY_ORIGIN = '*';

/** Origins of pages on this machine, with any port. */
const LOOPBACK_ORIGINS = ['http://localhost:*', 'http://127.0.0.1:*', 'http://[::1]:*'];

/** Whether a text can be listed as an allowed origin: an origin, or one of `LOOPBACK_ORIGINS`. */
export function isAllowedOriginSetting(text: string): boolean {
  return isOrigin(text) || LOOPBACK_ORIGINS.includes(text);
}

/** Whether a text is an origin as browsers write it: scheme, lower-case host, and the port unless it is the default. */
export function isOrigin(text: string): boolean {
  return /^https?:[^*;,]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Request headers that scripts may set on public routes. */
const REQUEST_HEADERS = [
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Link-Password',
  'Link-Token',
  'Resume-Token',
  'X-Request-Id',
].join(', ');

/** Reply headers that scripts may read. */
const REPLY_HEADERS = [
  'Date',
  'ETag',
  'Idempotency-Replayed',
  'Link-Token',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
].join(', ');

/** Cache time of preflight replies. Browsers may shorten it. */
const MAX_AGE_SECONDS = 7_200;

/** Sets CORS headers: scripts of allowed origins can use public routes, never routes of tenants. */
export function createCors(origins: readonly string[]) {
  const allowsAny = origins.includes(ANY_ORIGIN);
  const allowed = new Set(origins);
  // The second lookup is for `LOOPBACK_ORIGINS`, which allow any port.
  const isAllowed = (origin: string) => allowed.has(origin) || allowed.has(origin.replace(/(:\d+)?$/, ':*'));

  /** Allows the origin of the request. Returns false if its scripts may not use the route. */
  function trySetOrigin(
    { access }: Route,
    { headers: { origin = '' } }: IncomingMessage,
    response: ServerResponse,
  ): boolean {
    if (allowed.size === 0 || access.kind !== 'public') return false;
    // Set this for a rejected origin, too: a cache must not send the reply for one origin to another.
    if (!allowsAny) response.setHeader('vary', 'Origin');
    if (!allowsAny && !isAllowed(origin)) return false;
    response.setHeader('access-control-allow-origin', allowsAny ? ANY_ORIGIN : origin);
    return true;
  }

  return {
    /** Sets the headers of a reply to a request of a route, errors included. */
    onReply(route: Route, request: IncomingMessage, response: ServerResponse): void {
      if (trySetOrigin(route, request, response)) response.setHeader('access-control-expose-headers', REPLY_HEADERS);
    },
    /** Sets the headers of the reply to a preflight request: https://fetch.spec.whatwg.org/#cors-preflight-request */
    onPreflight(route: Route, request: IncomingMessage, response: ServerResponse): void {
      if (!trySetOrigin(route, request, response)) return;
      response.setHeader('access-control-allow-methods', route.httpMethod);
      response.setHeader('access-control-allow-headers', REQUEST_HEADERS);
      response.setHeader('access-control-max-age', MAX_AGE_SECONDS);
    },
  };
}
