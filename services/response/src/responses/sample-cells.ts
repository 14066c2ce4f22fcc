/**
 * A text of 32 random bits (`0` and `1`) that each response keeps. All keys with the same prefix form a cell; prefixes
 * of one length divide all keys into cells.
 */
export type SamplingKey = string;

export interface SampleCandidate {
  readonly _id: string;
  readonly draw: SamplingKey;
}

const BITS = 32;
/** Upper bound of the average number of responses in a cell. The lower bound is half of it. */
const MAX_AVERAGE = 4;
/** Maximum number of responses in a cell. With an average of 4, fewer than one of 10^12 cells exceeds it. */
const MAX_IN_CELL = 25;

/** @param random returns a number from 0 to below 1 */
export function randomSamplingKey(random: () => number): SamplingKey {
  return Math.floor(random() * 2 ** BITS)
    .toString(2)
    .padStart(BITS, '0');
}

/** Share of the key space from one key up to another, both included, wrapping around at the end: above 0, at most 1. */
export function distance(from: SamplingKey, to: SamplingKey): number {
  const steps = Number.parseInt(to, 2) - Number.parseInt(from, 2) + 1;
  return (steps > 0 ? steps : steps + 2 ** BITS) / 2 ** BITS;
}

/**
 * Draws random cells, as prefixes of sampling keys: enough for `acceptFrom` to return about `size` ids.
 *
 * @param estimate of the number of all responses
 * @param max number of cells
 */
export function drawCells(
  size: number,
  { estimate, max, random }: { readonly estimate: number; readonly max: number; readonly random: () => number },
): readonly string[] {
  const depth = Math.min(BITS, Math.max(0, Math.ceil(Math.log2(estimate / MAX_AVERAGE))));
  const length = Math.min(max, Math.ceil((size * MAX_IN_CELL) / (MAX_AVERAGE / 2)));
  return Array.from({ length }, () => randomSamplingKey(random).slice(0, depth));
}

/**
 * Picks at most one response from each cell. A cell with n responses gives one of them with probability n / 25, so
 * every response is equally likely. Returns undefined if a cell has more than 25.
 *
 * @param found all responses in the cells
 */
export function acceptFrom(
  cells: readonly string[],
  found: readonly SampleCandidate[],
  random: () => number,
): readonly string[] | undefined {
  const depth = cells[0]?.length;
  const idsOf = new Map<string, string[]>();
  for (const { _id, draw } of found) {
    const cell = draw.slice(0, depth);
    const ids = idsOf.get(cell);
    if (ids === undefined) idsOf.set(cell, [_id]);
    else ids.push(_id);
  }
  const accepted: string[] = [];
  for (const cell of cells) {
    const ids = idsOf.get(cell) ?? [];
    if (ids.length > MAX_IN_CELL) return undefined;
    // Draw one of 25 slots. The responses fill the first ones; the others are empty.
    const id = ids[Math.floor(random() * MAX_IN_CELL)];
    if (id !== undefined) accepted.push(id);
  }
  return accepted;
}
