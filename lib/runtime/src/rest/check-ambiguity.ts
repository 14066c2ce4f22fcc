import type { Route, Segment } from './route.ts';

/** Throws if two routes are ambiguous: a path matches both, and neither is more specific in all segments. */
export function checkAmbiguity(routes: readonly Route[]): void {
  for (const [index, a] of routes.entries()) {
    for (const b of routes.slice(index + 1)) {
      if (a.httpMethod !== b.httpMethod || a.segments.length !== b.segments.length) continue;
      const pairs = a.segments.map((segment, index) => compareSegments(segment, b.segments[index]));
      if (pairs.includes('apart')) continue;
      if (pairs.includes('first') === pairs.includes('second')) {
        throw new Error(`${a.httpMethod} ${a.template} and ${b.template} are ambiguous`);
      }
    }
  }
}

/** Compares two segments: which one is more specific, or `apart` if nothing matches both. */
function compareSegments(a: Segment, b: Segment | undefined): 'same' | 'first' | 'second' | 'apart' {
  if (b === undefined) return 'apart';
  if ('literal' in a && 'literal' in b) return a.literal === b.literal ? 'same' : 'apart';
  if ('literal' in a) return 'first';
  return 'literal' in b ? 'second' : 'same';
}
