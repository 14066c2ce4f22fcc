/**
 * Where a response stands among all: a word of 32 random digits 0 and 1, which it keeps. All words that begin alike are
 * a cell, so cells of one depth have each word once.
 */
export type Place = string;

/** A response by its id, and where it stands. */
export interface Placed {
  readonly _id: string;
  readonly draw: Place;
}

const DIGITS = 32;
/** How many responses a cell has on average, at the most; at the least it is half of that. */
const AVERAGE = 4;
/** More than the fullest cell has. That one has more, at an average of 4, happens less than once in 10^12 cells. */
const MOST = 25;

/** @param random numbers from 0 up to 1 */
export function randomPlace(random: () => number): Place {
  return Math.floor(random() * 2 ** DIGITS)
    .toString(2)
    .padStart(DIGITS, '0');
}

/** How far it is from one place up to another, around the circle: of all there is, more than 0 and 1 at the most. */
export function distance(from: Place, to: Place): number {
  const steps = Number.parseInt(to, 2) - Number.parseInt(from, 2) + 1;
  return (steps > 0 ? steps : steps + 2 ** DIGITS) / 2 ** DIGITS;
}

/** Cells by what their words begin with, each drawn from all, and as many as give about so many responses. */
export function drawCells(
  size: number,
  { about, most, random }: { readonly about: number; readonly most: number; readonly random: () => number },
): readonly string[] {
  const depth = Math.min(DIGITS, Math.max(0, Math.ceil(Math.log2(about / AVERAGE))));
  const length = Math.min(most, Math.ceil((size * MOST) / (AVERAGE / 2)));
  return Array.from({ length }, () => randomPlace(random).slice(0, depth));
}

/**
 * Ids out of cells, of each one or none: one with n responses is accepted with the probability n / 25, and then gives any
 * of them. So each response comes out of a cell with the same probability, whatever the words are. Undefined when there
 * are more than 25 in one.
 *
 * @param found all that stand in any of the cells
 */
export function acceptFrom(
  cells: readonly string[],
  found: readonly Placed[],
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
    if (ids.length > MOST) return undefined;
    // Of 25 seats they have the first ones.
    const id = ids[Math.floor(random() * MOST)];
    if (id !== undefined) accepted.push(id);
  }
  return accepted;
}
