import type { BackendProxy } from '../forwarding/backend-proxy.ts';
import { isShort } from '../forwarding/message-forwarder.ts';
import type { RouteTable } from '../route-table.ts';
import type { FindSurplus } from './shed-load.ts';

interface Options<Name extends string> {
  readonly routes: RouteTable<Name>;
  readonly proxies: Readonly<Record<Name, Pick<BackendProxy, 'isFull'>>>;
}

/** Finds short messages to services that have no room for them. Everything else is refused where it is forwarded. */
export function createFindSurplus<Name extends string>({ routes, proxies }: Options<Name>): FindSurplus {
  const all = Object.values<Pick<BackendProxy, 'isFull'>>(proxies);

  return (request) => {
    // Nearly always none is, and then this is all that it costs.
    if (!all.some((proxy) => proxy.isFull('message')) || !isShort(request)) return undefined;
    try {
      const match = routes.match(request.method ?? '', request.url ?? '');
      const isSurplus = match.kind === 'found' && !match.route.raw && proxies[match.backend].isFull('message');
      return isSurplus ? match.route : undefined;
    } catch {
      // What is wrong with its path is for the handler to tell.
      return undefined;
    }
  };
}
