import createFindMyWay from 'find-my-way';
import { AppError } from '../errors/app-error.ts';
import type { HttpMethod, Route } from './route.ts';

/** What a path leads to. */
export type RouteMatch =
  | { readonly kind: 'found'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'wrong-method'; readonly allow: readonly string[] }
  | { readonly kind: 'not-found' };

/** Finds the route of a request. */
export interface Router {
  /**
   * `path` without its query, as it came; `HEAD` leads where `GET` does. Throws `INVALID_REQUEST` when it is no path as
   * RFC 3986 has them, so that nobody on the way reads another one in it.
   */
  match(method: string, path: string): RouteMatch;
}

/** Characters that a field of a path may have; longer ones name nothing. */
const MAX_FIELD_LENGTH = 256;

/** A router over routes that `routesOf` has checked. Words win over fields, whatever order the routes come in. */
export function createRouter(routes: readonly Route[]): Router {
  const finder = createFindMyWay({ caseSensitive: true, maxParamLength: MAX_FIELD_LENGTH });
  const methods = [...new Set(routes.map(({ httpMethod }) => httpMethod))];
  for (const route of routes) {
    const path = route.segments
      .map((segment) => ('field' in segment ? `:${segment.field.name}` : segment.literal))
      .join('/');
    finder.on(route.httpMethod, `/${path}`, () => undefined, route);
  }
  const find = (method: HttpMethod, path: string) => {
    const found = path.startsWith('/') ? finder.find(method, path) : null;
    // A field is never empty: `/surveys/` is no address.
    return found !== null && Object.values(found.params).includes('') ? null : found;
  };

  return {
    match(method, path) {
      checkPath(path);
      const wanted = method === 'HEAD' ? 'GET' : method;
      const known = methods.find((candidate) => candidate === wanted);
      const found = known === undefined ? null : find(known, path);
      // What was stored above, and fields that are there.
      if (found?.store != null)
        return { kind: 'found', route: found.store as Route, params: found.params as Record<string, string> };
      const allow = methods.filter((candidate) => find(candidate, path)?.store != null);
      if (allow.length === 0) return { kind: 'not-found' };
      return { kind: 'wrong-method', allow: [...allow, ...(allow.includes('GET') ? ['HEAD'] : []), 'OPTIONS'] };
    },
  };
}

/** Most paths are plain: no escapes, and no segment begins with a dot. */
const PLAIN = /^(?:\/[\w~-][\w.~-]*)+$/;

/** Refuses raw non-ASCII, fragments, and segments that are not well-formed. */
function checkPath(path: string): void {
  if (PLAIN.test(path)) return;
  if (/[^!-~]|#/.test(path) || !path.split('/').every(isWellFormed))
    throw new AppError('INVALID_REQUEST', { detail: 'The path of the address is not well-formed' });
}

/** Whether the escapes of a segment are UTF-8 without a NUL, and it is none of those that are resolved on the way. */
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
