import type { FollowedSecret } from '../config/follow-files.ts';

/** A secret that does not come from a file. */
export function fixedSecret<T>(value: T): FollowedSecret<T> {
  return { value, file: undefined, parse: () => value };
}
