import type { ImportFile } from '../files/import-file.ts';
import { invalidImport } from '../files/report.ts';
import { decodeText, encodingOfMark, readSlices } from '../files/text.ts';
import { locateUndecodable } from './locate-byte.ts';
import { scanUtf8 } from './utf8.ts';
import { looksLikeWindows1252 } from './windows-1252.ts';

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
