import { limitsOf, type RouteClass, shareOf } from './route-class.ts';

/** Requests of one tenant that are under way at this gateway. */
export interface Places {
  /**
   * Takes a place for a request; gives the limit that it would be over in place of that.
   *
   * @param most requests of all classes at the same time
   */
  take(routeClass: RouteClass, most: number): FullPlaces | undefined;
  free(routeClass: RouteClass): void;
}

/** All places that a class may have are taken. */
interface FullPlaces {
  readonly routeClass: RouteClass;
  readonly most: number;
}

export function createPlaces(): Places {
  const running: Record<RouteClass, number> = { default: 0, heavy: 0 };

  return {
    take(routeClass, most) {
      const limits = limitsOf(routeClass);
      for (const limited of limits) {
        const own = shareOf(limited, most);
        if (running[limited] >= own) return { routeClass: limited, most: own };
      }
      for (const limited of limits) running[limited] += 1;
      return undefined;
    },

    free(routeClass) {
      for (const limited of limitsOf(routeClass)) running[limited] -= 1;
    },
  };
}
