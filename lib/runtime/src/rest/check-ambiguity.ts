import type { Route, Segment } from './route.ts';

/** Two routes are ambiguous when a path fits both and neither is the more specific one at every segment. */
export function checkAmbiguity(routes: readonly Route[]): void {
  for (const [index, a] of routes.entries()) {
    for (const b of routes.slice(index + 1)) {
      if (a.httpMethod !== b.httpMethod || a.segments.length !== b.segments.length) continue;
      const pairs = a.segments.map((segment, at) => compareSegments(segment, b.segments[at]));
      if (pairs.includes('apart')) continue;
      if (pairs.includes('first') === pairs.includes('second')) {
        throw new Error(`${a.httpMethod} ${a.template} and ${b.template} are ambiguous`);
      }
    }
  }
}

/** Which of two segments is the more specific one; `apart` when no word fits both. */
function compareSegments(a: Segment, b: Segment | undefined): 'same' | 'first' | 'second' | 'apart' {
  if (b === undefined) return 'apart';
  if ('literal' in a && 'literal' in b) return a.literal === b.literal ? 'same' : 'apart';
  if ('literal' in a) return 'first';
  return 'literal' in b ? 'second' : 'same';
}
