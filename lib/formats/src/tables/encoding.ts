import { isAscii, isUtf8 } from 'node:buffer';
import type { ImportFile } from '../files/import-file.ts';
import { invalidImport } from '../files/report.ts';
import { decodeText, encodingOfMark, readSlices } from '../files/text.ts';
import { findDialect } from './csv.ts';

export interface Encoding {
  /** Name in the WHATWG Encoding Standard, in lower case. */
  readonly name: string;
  /** Whether it is guessed from the bytes, without an option or byte order mark. UTF-8 is never a guess. */
  readonly isAssumed: boolean;
}

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
  const scan = await scanUtf8(readSlices(file));
  // A damaged UTF-8 file is still read as UTF-8. The reader then reports the invalid byte.
  if (scan.valid || scan.hasMultibyte || scan.isCutOff) return { name: 'utf-8', isAssumed: false };
  if (looksLikeWindows1252(scan.sample)) return { name: 'windows-1252', isAssumed: true };
  throw await undecodable(file, 'utf-8');
}

/** Streams the text of a table. Throws `INVALID_IMPORT` with row and column of a byte that is not text. */
export async function* decodeTable(file: ImportFile, { name }: Encoding): AsyncGenerator<string> {
  const failed = new Error('undecodable');
  try {
    yield* decodeText(
      file,
      () => name,
      () => failed,
    );
  } catch (error) {
    throw error === failed ? await undecodable(file, name) : error;
  }
}

async function undecodable(file: ImportFile, encoding: string): Promise<Error> {
  const { row, column } = await locateUndecodable(file, encoding);
  const detail = `row ${row}, column ${column}: a byte is not ${encoding} text; set encoding, such as windows-1252`;
  return invalidImport([{ path: '', code: 'BAD_ENCODING', detail }]);
}

function toName(label: string): string {
  try {
    return new TextDecoder(label, { fatal: true }).encoding;
  } catch {
    const detail = `The encoding ${label.slice(0, MAX_LABEL).toWellFormed()} is unknown; use a name such as windows-1252`;
    throw invalidImport([{ path: '', code: 'UNKNOWN_ENCODING', detail }]);
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

/** Result of scanning a file: valid UTF-8, or a sample from the first invalid byte on. */
type Utf8Scan =
  | { readonly valid: true }
  | {
      readonly valid: false;
      /** Whether other multibyte characters are valid. Then the file is damaged UTF-8, not another encoding. */
      readonly hasMultibyte: boolean;
      /** Bytes from the beginning of the slice with the invalid byte. */
      readonly sample: Uint8Array;
      /** Whether the only problem is a character that the end of the file cuts off. */
      readonly isCutOff: boolean;
    };

const MAX_SAMPLE = 256 * 1024;

async function scanUtf8(slices: AsyncIterable<Uint8Array>): Promise<Utf8Scan> {
  let rest: Uint8Array = new Uint8Array();
  let hasMultibyte = false;
  const sample: Uint8Array[] = [];
  let sampled = 0;
  for await (const slice of slices) {
    const bytes = rest.length === 0 ? slice : Buffer.concat([rest, slice]);
    const end = sampled > 0 ? 0 : bytes.length - incompleteLength(bytes);
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
  if (sampled > 0) {
    const invalid = Buffer.concat(sample);
    return { valid: false, hasMultibyte: hasMultibyte || isMostlyUtf8(invalid), sample: invalid, isCutOff: false };
  }
  return rest.length === 0 ? { valid: true } : { valid: false, hasMultibyte, sample: rest, isCutOff: true };
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

/** Finds the cell of the first byte that is not text in an encoding. */
async function locateUndecodable(file: ImportFile, encoding: string): Promise<Location> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  // Gets each slice only after `decoder` accepted it. When `decoder` fails, this one is in the state before the slice.
  const delayedDecoder = new TextDecoder(encoding, { fatal: true });
  let cursor: ReturnType<typeof createCursor> | undefined;
  const follow = (text: string) => {
    cursor ??= createCursor(text);
    cursor.follow(text);
  };
  for await (const slice of readSlices(file)) {
    if (attempt(() => decoder.decode(slice, { stream: true })) === undefined) {
      follow(decodeUpToInvalid(delayedDecoder, slice));
      break;
    }
    follow(delayedDecoder.decode(slice, { stream: true }));
  }
  return cursor?.location() ?? { row: 1, column: 1 };
}

function decodeUpToInvalid(decoder: InstanceType<typeof TextDecoder>, slice: Uint8Array): string {
  let text = '';
  for (const byte of slice) {
    const next = attempt(() => decoder.decode(Uint8Array.of(byte), { stream: true }));
    if (next === undefined) break;
    text += next;
  }
  return text;
}

/** The decoded text; undefined if it is invalid. */
function attempt(decode: () => string): string | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

/** Counts rows and cells of text, like a spreadsheet. The first text decides about separator and line ends. */
function createCursor(start: string) {
  const { separator, lineEnds, skip } = findDialect(start);
  const lineEnd = lineEnds.at(-1) ?? '\n';
  let [row, column] = [1, 1];
  let toSkip = skip;
  let isQuoted = false;
  return {
    follow(text: string) {
      for (const character of text) {
        if (toSkip > 0) {
          toSkip -= character.length;
          continue;
        }
        if (character === '"') isQuoted = !isQuoted;
        if (isQuoted) continue;
        if (character === separator) column += 1;
        if (character === lineEnd) {
          row += 1;
          column = 1;
        }
      }
    },
    location: (): Location => ({ row, column }),
  };
}
