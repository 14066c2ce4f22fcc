import { percentOfLimit } from '@survey/runtime/errors/quota';
import type { Route } from '@survey/runtime/rest/route';

/** Classes of routes. Expensive routes are `heavy`: their requests have lower limits, and count for `default`, too. */
export type RouteClass = 'default' | 'heavy';

/** Share of a tenant's limits that a class may use, in percent. */
export const percentByClass: Readonly<Record<RouteClass, number>> = { default: 100, heavy: 25 };

/** The part of a limit that a class may use, at least 1. */
export function shareOf(routeClass: RouteClass, all: number): number {
  return percentOfLimit(all, percentByClass[routeClass]);
}

export function routeClassOf({ heavy }: Pick<Route, 'heavy'>): RouteClass {
  return heavy ? 'heavy' : 'default';
}

/** The classes whose limits apply to a request of this class. Its own class comes last. */
export function limitingClassesOf(routeClass: RouteClass): readonly RouteClass[] {
  return routeClass === 'heavy' ? ['default', 'heavy'] : ['default'];
}
