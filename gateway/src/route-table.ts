import type { DescService } from '@bufbuild/protobuf';
import { API_PREFIX, type Route, routesOf } from '@survey/runtime/rest/route';
import { createRouter } from '@survey/runtime/rest/router';
import type { ForwardedRoute } from './forwarding/forwarder.ts';
import { type RouteClass, routeClassOf } from './rates/route-class.ts';

/** A route, and how the gateway limits and forwards its requests. */
interface GatewayRoute<Name extends string> extends Route, ForwardedRoute {
  readonly backend: Name;
  readonly routeClass: RouteClass;
}

/** The result of matching a request line. `target` is the path as the service knows it, with the query. */
type GatewayMatch<Name extends string> =
  | { readonly kind: 'found'; readonly route: GatewayRoute<Name>; readonly target: string }
  | { readonly kind: 'wrong-method'; readonly allow: readonly string[] }
  | { readonly kind: 'not-found' };

export type RouteTable<Name extends string> = ReturnType<typeof createRouteTable<Name>>;

/** `/api/v1/surveys` means the same as `/v1/surveys`. */
const LONG_PREFIX = `/api${API_PREFIX}/`;
/** `/surveys` also works without a prefix, but only for reads. */
const UNPREFIXED_PATH = '/surveys';
const READ_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Creates the table of all routes. Throws if two routes conflict. */
export function createRouteTable<Name extends string>(catalog: Readonly<Record<Name, readonly DescService[]>>) {
  // `Object.entries` loses the type of the keys.
  const entries = Object.entries(catalog) as [Name, readonly DescService[]][];
  const backends = new Map(entries.flatMap(([name, services]) => services.map(({ typeName }) => [typeName, name])));
  const router = createRouter(routesOf(entries.flatMap(([, services]) => services)).map(toGatewayRoute));

  function toGatewayRoute(route: Route): GatewayRoute<Name> {
    const backend = backends.get(route.method.parent.typeName);
    if (backend === undefined) throw new Error(`no backend for ${route.template}`);
    const exchange = route.hasRawHandler ? 'stream' : route.waits ? 'wait' : 'message';
    return { ...route, backend, routeClass: routeClassOf(route), exchange };
  }

  return {
    /** Finds the route of a request. `url` includes the query. Throws `INVALID_REQUEST` for a malformed path. */
    match(method: string, url: string): GatewayMatch<Name> {
      // The router would accept an absolute URL, which clients send to a proxy.
      if (!url.startsWith('/')) return { kind: 'not-found' };
      const queryStart = url.indexOf('?');
      const path = queryStart < 0 ? url : url.slice(0, queryStart);
      const canonical = toCanonicalPath(path);
      // Reject writes without a prefix: no route has the method OPTIONS, so looking it up gives `wrong-method`.
      const match = router.match(
        path === UNPREFIXED_PATH && !READ_METHODS.includes(method) ? 'OPTIONS' : method,
        canonical,
      );
      if (match.kind === 'not-found') return match;
      if (match.kind === 'wrong-method') {
        return path === UNPREFIXED_PATH
          ? { ...match, allow: match.allow.filter((item) => READ_METHODS.includes(item)) }
          : match;
      }
      return {
        kind: 'found',
        route: match.route,
        target: queryStart < 0 ? canonical : canonical + url.slice(queryStart),
      };
    },
  };
}

function toCanonicalPath(path: string): string {
  if (path === UNPREFIXED_PATH) return API_PREFIX + UNPREFIXED_PATH;
  return path.startsWith(LONG_PREFIX) ? path.slice('/api'.length) : path;
}
