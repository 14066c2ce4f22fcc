import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Route } from '@survey/runtime/rest/route';

/** Sets CORS headers. Scripts of other origins can use public routes, never routes of tenants. */
export interface Cors {
  /** Sets the headers of a reply. Called for each reply of a route, errors included. */
  onReply(route: Route, request: IncomingMessage, response: ServerResponse): void;
  /** Sets the headers of the reply to a preflight request: https://fetch.spec.whatwg.org/#cors-preflight-request */
  onPreflight(route: Route, request: IncomingMessage, response: ServerResponse): void;
}

/** Allows every origin. */
export const ANY_ORIGIN = '*';

/** Origins of pages on this machine, with any port. */
const LOOPBACK_ORIGINS = ['http://localhost:*', 'http://127.0.0.1:*', 'http://[::1]:*'];

/** Whether a text is valid in the list of allowed origins: an exact origin, or a loopback origin with any port. */
export function isAllowedOriginSetting(text: string): boolean {
  return isOrigin(text) || LOOPBACK_ORIGINS.includes(text);
}

/** Whether a text is an origin as browsers write it: scheme, lower-case host, port unless it is the default. */
export function isOrigin(text: string): boolean {
  return /^https?:[^*;,]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Request headers that scripts may set on public routes. */
const ALLOWED = [
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
const EXPOSED = [
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

/** Creates CORS headers without credentials: the API uses no cookies. */
export function createCors(origins: readonly string[]): Cors {
  const allowsAny = origins.includes(ANY_ORIGIN);
  const allowed = new Set(origins);
  const isAllowed = (origin: string) => allowed.has(origin) || allowed.has(origin.replace(/(:\d+)?$/, ':*'));

  /** Sets the allowed origin; false if scripts of this origin may not use the route. */
  function allow({ access }: Route, { headers: { origin = '' } }: IncomingMessage, response: ServerResponse): boolean {
    if (allowed.size === 0 || access.kind !== 'public') return false;
    // Public replies are cached, and depend on the origin.
    if (!allowsAny) response.setHeader('vary', 'Origin');
    if (!allowsAny && !isAllowed(origin)) return false;
    response.setHeader('access-control-allow-origin', allowsAny ? ANY_ORIGIN : origin);
    return true;
  }

  return {
    onReply(route, request, response) {
      if (allow(route, request, response)) response.setHeader('access-control-expose-headers', EXPOSED);
    },
    onPreflight(route, request, response) {
      if (!allow(route, request, response)) return;
      response.setHeader('access-control-allow-methods', route.httpMethod);
      response.setHeader('access-control-allow-headers', ALLOWED);
      response.setHeader('access-control-max-age', MAX_AGE_SECONDS);
    },
  };
}
