import { isAscii, isUtf8 } from 'node:buffer';
import type { ImportFile } from '../files/import-file.ts';
import { invalidFile } from '../files/report.ts';
import { decodeText, encodingOfMark, readSlices } from '../files/text.ts';
import { type Dialect, findDialect } from './csv.ts';

export interface Encoding {
  /** Name in the WHATWG Encoding Standard, in lower case. */
  readonly name: string;
  /** Whether it is guessed from the bytes, without an option or byte order mark. UTF-8 is never a guess. */
  readonly isAssumed: boolean;
}

const UTF_8: Encoding = { name: 'utf-8', isAssumed: false };
const MAX_LABEL = 40;
const SAMPLE = 4096;
/** UTF-16 is assumed if even positions have over this many times as many zero bytes as odd ones, or the reverse. */
const MIN_RATIO = 10;
/** Minimum share of UTF-16 characters with a zero byte: each row has ASCII characters. */
const MIN_SHARE = 0.02;

/**
 * Finds the encoding of a table: a byte order mark wins, then the option, then detection. Throws `INVALID_IMPORT` if
 * the label is unknown or the encoding cannot be detected.
 */
export async function findEncoding(file: ImportFile, label: string | undefined): Promise<Encoding> {
  const given = label === undefined ? undefined : toName(label);
  const start = await startOf(file);
  const marked = encodingOfMark(start);
  if (marked !== undefined) return { name: marked, isAssumed: false };
  if (given !== undefined) return { name: given, isAssumed: false };
  const utf16 = findUtf16(start);
  if (utf16 !== undefined) return { name: utf16, isAssumed: true };
  const sample = await findOtherBytes(readSlices(file));
  // A damaged UTF-8 file is still read as UTF-8. The reader then reports the invalid byte.
  if (sample === undefined) return UTF_8;
  if (looksLikeWindows1252(sample)) return { name: 'windows-1252', isAssumed: true };
  // Throws at the first invalid byte.
  for await (const _ of decodeTable(file, UTF_8));
  return UTF_8;
}

/** Streams the text of a table. Throws `INVALID_IMPORT` with row and column of a byte that is not text. */
export async function* decodeTable(file: ImportFile, { name }: Encoding): AsyncGenerator<string> {
  let invalidSlice: number | undefined;
  try {
    yield* decodeText(
      file,
      () => name,
      (position) => {
        invalidSlice = position;
        return new Error('undecodable');
      },
    );
  } catch (error) {
    if (invalidSlice === undefined) throw error;
    const { row, column } = await locateUndecodable(file, name, invalidSlice);
    const detail = `row ${row}, column ${column}: a byte is not ${name} text; set encoding, such as windows-1252`;
    throw invalidFile('BAD_ENCODING', detail);
  }
}

function toName(label: string): string {
  try {
    return new TextDecoder(label, { fatal: true }).encoding;
  } catch {
    const detail = `The encoding ${label.slice(0, MAX_LABEL).toWellFormed()} is unknown; use a name such as windows-1252`;
    throw invalidFile('UNKNOWN_ENCODING', detail);
  }
}

async function startOf(file: ImportFile): Promise<Uint8Array> {
  for await (const slice of readSlices(file)) return slice.subarray(0, SAMPLE);
  return new Uint8Array();
}

/** Detects UTF-16 without a byte order mark by the zero bytes of ASCII characters. */
function findUtf16(start: Uint8Array): string | undefined {
  if (start.length < 2) return undefined;
  const zeros = [0, 0];
  for (const [index, byte] of start.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even + odd < (MIN_SHARE * start.length) / 2) return undefined;
  if (odd > MIN_RATIO * even) return 'utf-16le';
  return even > MIN_RATIO * odd ? 'utf-16be' : undefined;
}

const MAX_SAMPLE = 256 * 1024;

/**
 * Finds bytes of a file that is not in UTF-8: a sample from the slice with the first invalid byte on. Undefined for
 * UTF-8, even if it is cut off at the end, or damaged: then other multibyte characters are valid.
 */
async function findOtherBytes(slices: AsyncIterable<Uint8Array>): Promise<Uint8Array | undefined> {
  let rest: Uint8Array = new Uint8Array();
  let hasMultibyte = false;
  const sample: Uint8Array[] = [];
  let sampled = 0;
  for await (const slice of slices) {
    const bytes = rest.length === 0 ? slice : Buffer.concat([rest, slice]);
    const end = bytes.length - incompleteLength(bytes);
    if (sampled === 0 && isUtf8(bytes.subarray(0, end))) {
      hasMultibyte ||= !isAscii(bytes.subarray(0, end));
      // Slices can be parts of a buffer that is reused.
      rest = Uint8Array.from(bytes.subarray(end));
      continue;
    }
    rest = new Uint8Array();
    sample.push(Uint8Array.from(bytes));
    sampled += bytes.length;
    if (sampled >= MAX_SAMPLE) break;
  }
  const invalid = Buffer.concat(sample);
  return sampled === 0 || hasMultibyte || isMostlyUtf8(invalid) ? undefined : invalid;
}

function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  const beyondAscii = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  return beyondAscii > 0 && beyondAscii >= (text.match(/\ufffd/g)?.length ?? 0);
}

/** Number of bytes at the end that begin a character of several bytes without completing it. */
function incompleteLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return lengthOf(byte) > back ? back : 0;
  }
  return 0;
}

function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

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
function looksLikeWindows1252(bytes: Uint8Array): boolean {
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

interface Location {
  /** Row as in spreadsheets, from 1. */
  readonly row: number;
  /** Column, from 1. */
  readonly column: number;
}

/**
 * Finds the cell of the first byte that is not text in an encoding.
 *
 * @param invalidSlice position of the slice with this byte
 */
async function locateUndecodable(file: ImportFile, encoding: string, invalidSlice: number): Promise<Location> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let dialect: Dialect | undefined;
  let [row, column, isQuoted, position] = [1, 1, false, 0];
  for await (const slice of readSlices(file)) {
    const isInvalid = position >= invalidSlice;
    const text = isInvalid ? decodeUpToInvalid(decoder, slice) : decoder.decode(slice, { stream: true });
    const isFirst = dialect === undefined;
    // The first text decides about separator and line ends.
    dialect ??= findDialect(text);
    for (const character of isFirst ? text.slice(dialect.skip) : text) {
      if (character === '"') isQuoted = !isQuoted;
      if (isQuoted) continue;
      if (character === dialect.separator) column += 1;
      if (character === dialect.lineEnds.at(-1)) [row, column] = [row + 1, 1];
    }
    if (isInvalid) break;
    position += slice.length;
  }
  return { row, column };
}

function decodeUpToInvalid(decoder: InstanceType<typeof TextDecoder>, slice: Uint8Array): string {
  let text = '';
  try {
    for (const byte of slice) text += decoder.decode(Uint8Array.of(byte), { stream: true });
    return text;
  } catch {
    return text;
  }
}
