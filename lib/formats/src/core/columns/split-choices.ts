/** The ids in a cell with several options. */
export interface SplitChoices {
  /** Ids of options, in the order of the cell, without duplicates. */
  readonly ids: readonly string[];
  /** Texts that are no option. */
  readonly unknown: readonly string[];
}

/** Ids of the options with a text: none, one, or several if the text is ambiguous. */
type FindOptions = (text: string) => readonly string[];

const SEPARATOR = /[;,|\n\r]+/g;
/** Maximum number of neighbouring pieces that together can be an option. */
const MAX_JOINED_PIECES = 24;
/** Maximum number of pieces of a cell. */
const MAX_PIECES = 2_000;

/**
 * Splits a cell with several options at `;`, `,`, `|` or line ends. Options can contain separators. Of all ways to read
 * the cell, this function chooses the one with the fewest unknown pieces, and among those the longest options.
 *
 * @param longest length of the longest text that can be an option with separators
 */
export function splitChoices(cell: string, find: FindOptions, longest = Number.POSITIVE_INFINITY): SplitChoices {
  const whole = singleId(find(cell));
  if (whole !== undefined) return { ids: [whole], unknown: [] };
  const pieces = piecesOf(cell);
  const steps = bestSteps(cell, pieces, find, longest);
  const ids = new Set<string>();
  const unknown: string[] = [];
  let unknownFrom: number | undefined;
  const endUnknown = (end: number) => {
    if (unknownFrom !== undefined) unknown.push(textOf(cell, pieces, unknownFrom, end));
    unknownFrom = undefined;
  };
  for (let at = 0; at < pieces.length; ) {
    const step = steps[at];
    if (step?.id === undefined) {
      // Neighbouring unknown pieces are one text that contains separators.
      unknownFrom ??= at;
      at += 1;
      continue;
    }
    endUnknown(at);
    ids.add(step.id);
    at += step.length;
  }
  endUnknown(pieces.length);
  return { ids: [...ids], unknown };
}

interface Piece {
  readonly start: number;
  readonly end: number;
}

/** The non-blank texts between separators. If there are too many, the last piece is the rest of the cell. */
function piecesOf(cell: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  const add = (end: number) => {
    if (cell.slice(start, end).trim() !== '') pieces.push({ start, end });
  };
  for (const { index, 0: separator } of cell.matchAll(SEPARATOR)) {
    if (pieces.length === MAX_PIECES - 1) break;
    add(index);
    start = index + separator.length;
  }
  add(cell.length);
  return pieces;
}

interface Step {
  /** Option that begins at a piece; undefined if the piece is unknown. */
  readonly id: string | undefined;
  /** Number of pieces that the step covers. */
  readonly length: number;
  /** Number of unknown pieces in the rest of the cell, from this one. */
  readonly unknownCount: number;
  /** Number of options in the rest of the cell. */
  readonly optionCount: number;
}

/** For each piece, the best reading of the rest of the cell. */
function bestSteps(cell: string, pieces: readonly Piece[], find: FindOptions, longest: number): readonly Step[] {
  const steps: Step[] = [];
  for (let at = pieces.length - 1; at >= 0; at -= 1) {
    const after = (length: number) => steps[at + length] ?? { unknownCount: 0, optionCount: 0 };
    const next = after(1);
    let best: Step = { id: undefined, length: 1, unknownCount: next.unknownCount + 1, optionCount: next.optionCount };
    for (let length = Math.min(MAX_JOINED_PIECES, pieces.length - at); length >= 1; length -= 1) {
      const text = textOf(cell, pieces, at, at + length);
      const id = length > 1 && text.length > longest ? undefined : singleId(find(text));
      if (id === undefined) continue;
      const { unknownCount, optionCount } = after(length);
      // Of readings with equally many unknown pieces, choose that with fewer options: its options have longer texts.
      if (
        unknownCount < best.unknownCount ||
        (unknownCount === best.unknownCount && optionCount + 1 < best.optionCount)
      ) {
        best = { id, length, unknownCount, optionCount: optionCount + 1 };
      }
    }
    steps[at] = best;
  }
  return steps;
}

function textOf(cell: string, pieces: readonly Piece[], from: number, end: number): string {
  return cell.slice(pieces[from]?.start, pieces[end - 1]?.end).trim();
}

function singleId(ids: readonly string[]): string | undefined {
  const [id, ...others] = ids;
  return others.length === 0 ? id : undefined;
}
