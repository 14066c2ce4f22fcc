/** Bytes that are not assigned in Windows-1252. */
const UNASSIGNED = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
const WHITE_SPACE = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d]);
/** Letters below 0xC0: Š Œ Ž š œ ž Ÿ ª µ º. */
const LOW_LETTERS = new Set([0x8a, 0x8c, 0x8e, 0x9a, 0x9c, 0x9e, 0x9f, 0xaa, 0xb5, 0xba]);
/** Signs that occur within words: apostrophes, dashes, soft hyphens, middle dots. */
const WITHIN_WORDS = new Set([0x92, 0x96, 0x97, 0xad, 0xb4, 0xb7]);
/** Minimum letters beyond ASCII in a long run. In Western Europe, most words have at most two such letters in a row. */
const LONG_RUN = 3;
/** Maximum shares of the bytes beyond ASCII that look wrong. */
const MAX_RUNS = 0.2;
const MAX_SIGNS = 0.1;

/**
 * Whether bytes look like text in Windows-1252. Other encodings of one byte have long runs of letters beyond ASCII
 * (Cyrillic, Greek), or letters where Windows-1252 has signs (Polish, Czech).
 */
export function looksLikeWindows1252(bytes: Uint8Array): boolean {
  let beyondAscii = 0;
  let inRuns = 0;
  let signsInWords = 0;
  let run = 0;
  for (const [index, byte] of bytes.entries()) {
    const isControl = (byte < 0x20 && !WHITE_SPACE.has(byte)) || byte === 0x7f;
    if (isControl || UNASSIGNED.has(byte)) return false;
    if (byte < 0x80) {
      run = 0;
      continue;
    }
    beyondAscii += 1;
    if (isHighLetter(byte)) {
      run += 1;
      if (run === LONG_RUN) inRuns += LONG_RUN;
      else if (run > LONG_RUN) inRuns += 1;
      continue;
    }
    run = 0;
    const isWithin = isLetter(bytes[index - 1]) && isLetter(bytes[index + 1]);
    if (isWithin && !WITHIN_WORDS.has(byte)) signsInWords += 1;
  }
  return inRuns <= MAX_RUNS * beyondAscii && signsInWords <= MAX_SIGNS * beyondAscii;
}

function isHighLetter(byte: number): boolean {
  return (byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7) || LOW_LETTERS.has(byte);
}

function isLetter(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return isHighLetter(byte) || (byte < 0x80 && lower >= 0x61 && lower <= 0x7a);
}
