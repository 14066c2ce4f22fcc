/** The separators that divide the text of a table into rows and cells. */
export interface Dialect {
  readonly separator: string;
  /** Line ends, the longest first. */
  readonly lineEnds: readonly string[];
  /** Characters before the first row: a line `sep=;`. */
  readonly skip: number;
}

/** Candidates. If several fit equally well, the first one wins. */
const SEPARATORS = [',', ';', '\t', '|'] as const;
const MAX_ROWS = 100;
/** The line that spreadsheets read and write before the first row. */
const SEP_LINE = /^"?sep=([^\r\n"])"?(?:\r\n|\r|\n|$)/i;

/**
 * Finds the dialect of a table from its first characters. A line `sep=;` decides. Otherwise, the best separator is the
 * one with which most rows have several cells, but not more than the header. Separators in quoted cells do not count.
 */
export function findDialect(start: string): Dialect {
  const [line = '', named] = SEP_LINE.exec(start) ?? [];
  const text = start.slice(line.length);
  const lineEnds = findLineEnds(text);
  const separator = named ?? findSeparator(text, lineEnds.at(-1) ?? '\n');
  return { separator, lineEnds, skip: line.length };
}

/** Only line ends outside of quoted cells count. A file with LF can have CR within cells. */
function findLineEnds(text: string): readonly string[] {
  let isQuoted = false;
  let hasCr = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === '\n') return ['\r\n', '\n'];
    if (character === '\r') hasCr = true;
  }
  return hasCr ? ['\r'] : ['\r\n', '\n'];
}

function findSeparator(text: string, lineEnd: string): string {
  let best: { readonly separator: string; readonly agreement: number; readonly cells: number } | undefined;
  for (const separator of SEPARATORS) {
    const counts = countCells(text, separator, lineEnd);
    const [cells = 1, ...others] = counts ?? [];
    if (cells < 2) continue;
    // A row can be shorter than the header, but has several cells.
    const agreeing = others.filter((count) => count > 1 && count <= cells);
    const agreement = others.length === 0 ? 1 : agreeing.length / others.length;
    const isBetter =
      best === undefined || agreement > best.agreement || (agreement === best.agreement && cells > best.cells);
    if (isBetter) best = { separator, agreement, cells };
  }
  return best?.separator ?? ',';
}

/**
 * Numbers of cells of the first rows. Stops at a misplaced quote, and then adds a 0, which agrees with no header.
 * Undefined if the misplaced quote is in the first row.
 */
function countCells(text: string, separator: string, lineEnd: string): readonly number[] | undefined {
  const counts: number[] = [];
  let cells = 1;
  let length = 0;
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  for (let at = 0; at < text.length && counts.length < MAX_ROWS; at += 1) {
    const character = text[at];
    if (state === 'quoted') {
      if (character === '"') state = 'closed';
    } else if (character === separator) {
      cells += 1;
      state = 'start';
    } else if (character === lineEnd) {
      if (cells > 1 || length > 0) counts.push(cells);
      cells = 1;
      length = 0;
      state = 'start';
      continue;
    } else if (character === '"') {
      // A doubled quote is a literal one.
      if (state !== 'plain') state = 'quoted';
      else if (separator !== '\t') return broken(counts);
    } else if (character !== '\r') {
      if (state === 'closed') return broken(counts);
      state = 'plain';
    }
    length += 1;
  }
  // The last row can be incomplete, so it counts only if it is the only row.
  if (counts.length === 0) counts.push(cells);
  return counts;
}

function broken(counts: readonly number[]): readonly number[] | undefined {
  return counts.length === 0 ? undefined : [...counts, 0];
}
