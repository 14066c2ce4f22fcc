import { partOf } from '@survey/runtime/limits/part-of';
import type { Route } from '@survey/runtime/rest/route';

/** Routes with limits of their own: all together, and those that take much at once. */
export type RouteClass = 'default' | 'heavy';

/** How much of what a tenant may do may be of a class, in percent. */
export const percentOf: Readonly<Record<RouteClass, number>> = { default: 100, heavy: 25 };

/** How many of all that a tenant may do may be of a class, at least one. */
export function shareOf(routeClass: RouteClass, all: number): number {
  return partOf(all, percentOf[routeClass]);
}

export function routeClassOf({ heavy }: Pick<Route, 'heavy'>): RouteClass {
  return heavy ? 'heavy' : 'default';
}

/** The classes whose limits hold for a request of one, that one last. */
export function limitsOf(routeClass: RouteClass): readonly RouteClass[] {
  return routeClass === 'heavy' ? ['default', 'heavy'] : ['default'];
}
