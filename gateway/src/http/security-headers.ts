import type { RequestListener } from 'node:http';

/** Headers of every reply, by name. */
export type SecurityHeaders = Readonly<Record<string, string>>;

/**
 * Headers that stop browsers from rendering, executing or embedding replies, and from sending a referrer. Pages of the
 * gateway replace the content security policy. With `hstsMaxAgeSeconds` above 0, browsers use TLS only (RFC 6797).
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

/** Sets the headers before the handler runs, so that every reply has them. */
export function withSecurityHeaders(headers: SecurityHeaders, handler: RequestListener): RequestListener {
  const entries = Object.entries(headers);
  return (request, response) => {
    for (const [name, value] of entries) response.setHeader(name, value);
    return handler(request, response);
  };
}
