import { limitingClassesOf, type RouteClass, shareOf } from './route-class.ts';

/** Limits the requests of one tenant that run at a time in this gateway. */
export interface ConcurrencyLimit {
  /**
   * Acquires a slot for a request, or returns the limit that it would exceed.
   *
   * @param max concurrent requests of all classes
   */
  tryAcquire(routeClass: RouteClass, max: number): ReachedLimit | undefined;
  release(routeClass: RouteClass): void;
}

interface ReachedLimit {
  readonly routeClass: RouteClass;
  readonly max: number;
}

export function createConcurrencyLimit(): ConcurrencyLimit {
  const running: Record<RouteClass, number> = { default: 0, heavy: 0 };

  return {
    tryAcquire(routeClass, max) {
      const limitingClasses = limitingClassesOf(routeClass);
      for (const limitingClass of limitingClasses) {
        const share = shareOf(limitingClass, max);
        if (running[limitingClass] >= share) return { routeClass: limitingClass, max: share };
      }
      for (const limitingClass of limitingClasses) running[limitingClass] += 1;
      return undefined;
    },

    release(routeClass) {
      for (const limitingClass of limitingClassesOf(routeClass)) running[limitingClass] -= 1;
    },
  };
}
