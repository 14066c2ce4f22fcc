import type { IncomingMessage } from 'node:http';
import createFindMyWay from 'find-my-way';
import { AppError } from '../errors/app-error.ts';
import type { HttpMethod, Route } from './route.ts';

type Matchable = Pick<Route, 'httpMethod' | 'segments'>;

type RouteMatch<R> =
  | { readonly kind: 'found'; readonly route: R; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'wrong-method'; readonly allow: readonly string[] }
  | { readonly kind: 'not-found' };

const MAX_QUOTED_PATH = 300;

/** The error for a request without a route. It quotes method and path, but not the query, which can have secrets. */
export function routeNotFound({ method = '', url = '' }: Pick<IncomingMessage, 'method' | 'url'>): AppError {
  const [path = ''] = url.split('?', 1);
  return new AppError('ROUTE_NOT_FOUND', { detail: `No operation is ${method} ${path.slice(0, MAX_QUOTED_PATH)}` });
}

const MAX_FIELD_LENGTH = 256;

/**
 * Creates a router for routes from `routesOf`, which are not ambiguous. A match returns the given route object. A
 * literal wins over a field, in any order of the routes.
 */
export function createRouter<R extends Matchable>(routes: readonly R[]) {
  const finder = createFindMyWay({ caseSensitive: true, maxParamLength: MAX_FIELD_LENGTH });
  const methods = [...new Set(routes.map(({ httpMethod }) => httpMethod))];
  for (const route of routes) {
    const path = route.segments
      .map((segment) => ('field' in segment ? `:${segment.field.name}` : segment.literal))
      .join('/');
    // find-my-way returns the last argument with a match, as `store`. The handler is never called.
    finder.on(route.httpMethod, `/${path}`, () => undefined, route);
  }
  const find = (method: HttpMethod, path: string) => {
    const found = path.startsWith('/') ? finder.find(method, path) : null;
    // A field is never empty: `/surveys/` does not match.
    return found !== null && Object.values(found.params).includes('') ? null : found;
  };

  return {
    /**
     * Finds the route of a raw path without query; `HEAD` matches `GET`. Throws `INVALID_REQUEST` for a malformed path
     * (RFC 3986), so that proxies cannot interpret it differently.
     */
    match(method: string, path: string): RouteMatch<R> {
      checkPath(path);
      const routeMethod = method === 'HEAD' ? 'GET' : method;
      const known = methods.find((candidate) => candidate === routeMethod);
      const found = known === undefined ? null : find(known, path);
      // All routes have a store, and all parameters have values.
      if (found?.store != null)
        return { kind: 'found', route: found.store as R, params: found.params as Record<string, string> };
      const allow = methods.filter((candidate) => find(candidate, path)?.store != null);
      if (allow.length === 0) return { kind: 'not-found' };
      return { kind: 'wrong-method', allow: [...allow, ...(allow.includes('GET') ? ['HEAD'] : []), 'OPTIONS'] };
    },
  };
}

/** Fast path: no escapes, and no segment begins with a dot. */
const PLAIN = /^(?:\/[\w~-][\w.~-]*)+$/;

/** Rejects raw non-ASCII characters, fragments and malformed segments. */
function checkPath(path: string): void {
  if (PLAIN.test(path)) return;
  if (/[^!-~]|#/.test(path) || !path.split('/').every(isWellFormed))
    throw new AppError('INVALID_REQUEST', { detail: 'The path of the URL is malformed' });
}

/** Whether the escapes are UTF-8 without NUL, and the segment is not a relative one (`.` or `..`). */
function isWellFormed(segment: string): boolean {
  if (segment === '.' || segment === '..') return false;
  if (!segment.includes('%')) return true;
  try {
    const text = decodeURIComponent(segment);
    return text !== '.' && text !== '..' && !text.includes('\0');
  } catch {
    return false;
  }
}
