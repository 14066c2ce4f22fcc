/** Longer names are not compared, to limit the time. */
const MAX_LENGTH = 40;
/** Up to one typing error in this many characters counts as similar. */
const CHARACTERS_PER_ERROR = 3;

/**
 * The candidate most similar to `name`; undefined when none is similar. Case, `_` and `-` are ignored: `maxLength`
 * matches `max_length`.
 */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const given = simplified(name);
  let nearest: string | undefined;
  let least = Math.floor(given.length / CHARACTERS_PER_ERROR) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(given, simplified(candidate));
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

function simplified(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** The number of insertions, deletions, replacements and swaps between two texts. */
function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = at(last, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swapped = isSwap ? at(beforeLast, column - 2) + 1 : replaced;
      current.push(Math.min(replaced, swapped, at(last, column) + 1, at(current, column - 1) + 1));
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
