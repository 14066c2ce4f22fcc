import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Route } from '@survey/runtime/rest/route';

/** What browsers are told about scripts of other origins: they may use public routes, and never those of tenants. */
export interface Cors {
  /** With an answer of a route, whatever it says: errors are read too. */
  onAnswer(route: Route, request: IncomingMessage, response: ServerResponse): void;
  /** Before they send the request: https://fetch.spec.whatwg.org/#cors-preflight-request */
  onPreflight(route: Route, request: IncomingMessage, response: ServerResponse): void;
}

/** Stands for every origin. */
export const ANY_ORIGIN = '*';

/** Whether a text is an origin as browsers write it: scheme, host in lower case, port where it is not the usual one. */
export function isOrigin(text: string): boolean {
  return /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Request headers of public routes that scripts may not set otherwise. */
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

/** Headers of their answers that scripts could not read otherwise. */
const EXPOSED = [
  'ETag',
  'Idempotency-Replayed',
  'Link-Token',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
].join(', ');

/** How long browsers may remember the answer; they have limits of their own. */
const MAX_AGE_SECONDS = 7_200;

/** No cookies mean anything here, so none are allowed: without them an answer to everybody tells nobody more. */
export function createCors(origins: readonly string[]): Cors {
  const allowsAny = origins.includes(ANY_ORIGIN);
  const known = new Set(origins);

  /** Whether a script of this origin may. */
  function allow({ access }: Route, { headers: { origin = '' } }: IncomingMessage, response: ServerResponse): boolean {
    if (known.size === 0 || access.kind !== 'public') return false;
    // Public answers are cached, and what is told to one origin is not for another.
    if (!allowsAny) response.setHeader('vary', 'Origin');
    if (!allowsAny && !known.has(origin)) return false;
    response.setHeader('access-control-allow-origin', allowsAny ? ANY_ORIGIN : origin);
    return true;
  }

  return {
    onAnswer(route, request, response) {
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
