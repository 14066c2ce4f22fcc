import type { RequestListener } from 'node:http';

/** Headers that every answer has, by their names. */
export type SecurityHeaders = Readonly<Record<string, string>>;

/**
 * Browsers take no answer for a page, a script or a part of somebody's page, and tell nobody where they read it. `/docs`
 * has a policy of its own. With `hstsMaxAgeSeconds` over 0 they ask over TLS alone from then on (RFC 6797).
 */
export function toSecurityHeaders(hstsMaxAgeSeconds: number): SecurityHeaders {
  return {
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    ...(hstsMaxAgeSeconds > 0 ? { 'strict-transport-security': `max-age=${hstsMaxAgeSeconds}` } : {}),
  };
}

/** Sets them before anything else is done, so that no way to answer lacks them. */
export function withSecurityHeaders(headers: SecurityHeaders, handler: RequestListener): RequestListener {
  const entries = Object.entries(headers);
  return (request, response) => {
    for (const [name, value] of entries) response.setHeader(name, value);
    return handler(request, response);
  };
}
