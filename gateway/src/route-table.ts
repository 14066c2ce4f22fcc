import type { DescService } from '@bufbuild/protobuf';
import { API_PREFIX, type Route, routesOf } from '@survey/runtime/rest/route';
import { createRouter } from '@survey/runtime/rest/router';

/** What a request line leads to. */
type GatewayMatch<Name extends string> =
  | { readonly kind: 'found'; readonly route: Route; readonly backend: Name; readonly target: string }
  | { readonly kind: 'wrong-method'; readonly allow: readonly string[] }
  | { readonly kind: 'not-found' };

export interface RouteTable<Name extends string> {
  /**
   * `url` as it came, with its query; `target` is the one to ask the backend for. Throws `INVALID_REQUEST` when its path
   * is not well-formed.
   */
  match(method: string, url: string): GatewayMatch<Name>;
}

const OTHER_PREFIX = `/api${API_PREFIX}/`;
/** The one route that also works without a prefix, for reading only. */
const BARE_PATH = '/surveys';
const READING = ['GET', 'HEAD', 'OPTIONS'];

/** The routes of all backends. Throws when they are not sound together. */
export function createRouteTable<Name extends string>(
  catalog: Readonly<Record<Name, readonly DescService[]>>,
): RouteTable<Name> {
  // The keys of a record of names are names.
  const entries = Object.entries(catalog) as [Name, readonly DescService[]][];
  const backends = new Map(entries.flatMap(([name, services]) => services.map(({ typeName }) => [typeName, name])));
  const router = createRouter(routesOf(entries.flatMap(([, services]) => services)));

  return {
    match(method, url) {
      // The router would also take a whole URL, which is how one talks to a proxy for other hosts.
      if (!url.startsWith('/')) return { kind: 'not-found' };
      const at = url.indexOf('?');
      const path = at < 0 ? url : url.slice(0, at);
      const canonical = toCanonicalPath(path);
      const match = router.match(path === BARE_PATH && !READING.includes(method) ? 'OPTIONS' : method, canonical);
      if (match.kind === 'not-found') return match;
      if (match.kind === 'wrong-method') {
        return path === BARE_PATH ? { ...match, allow: match.allow.filter((item) => READING.includes(item)) } : match;
      }
      const backend = backends.get(match.route.method.parent.typeName);
      if (backend === undefined) throw new Error(`nobody serves ${match.route.template}`);
      return { kind: 'found', route: match.route, backend, target: at < 0 ? canonical : canonical + url.slice(at) };
    },
  };
}

function toCanonicalPath(path: string): string {
  if (path === BARE_PATH) return API_PREFIX + BARE_PATH;
  return path.startsWith(OTHER_PREFIX) ? path.slice('/api'.length) : path;
}
