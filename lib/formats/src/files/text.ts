import type { ImportFile } from './import-file.ts';
import { invalidFile } from './report.ts';

/** Maximum size of a file that is read into memory: a survey, a workbook or an archive. */
export const MAX_WHOLE_BYTES = 32 * 1024 * 1024;

/** Throws `INVALID_IMPORT` if a file is too large to be read into memory. */
export function requireWholeSize({ size }: ImportFile): void {
  if (size <= MAX_WHOLE_BYTES) return;
  throw invalidFile(
    'TOO_LARGE',
    `The file has more than ${MAX_WHOLE_BYTES} bytes, the limit of surveys, workbooks and archives`,
  );
}

/** Maximum bytes of a slice of a streamed file. V8 collects the garbage of the strings of larger slices much later. */
export const TEXT_SLICE = 64 * 1024;

/** Encodings by byte order mark. */
const MARKS: readonly (readonly [mark: readonly number[], encoding: string])[] = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xef, 0xbb, 0xbf], 'utf-8'],
];
const MARK_LENGTH = 3;

/** The encoding that the byte order mark names; undefined without a mark. */
export function encodingOfMark(bytes: Uint8Array): string | undefined {
  return MARKS.find(([mark]) => mark.every((byte, index) => bytes[index] === byte))?.[1];
}

/** Streams the bytes of a file in slices of at most 64 KiB. The first one is long enough for a byte order mark. */
export async function* readSlices(file: ImportFile): AsyncGenerator<Uint8Array> {
  /** The bytes before the first slice. */
  let start: Uint8Array = new Uint8Array();
  let isStarted = false;
  for await (const bytes of file.open()) {
    const piece: Uint8Array = isStarted ? bytes : Buffer.concat([start, bytes]);
    isStarted ||= piece.length >= MARK_LENGTH;
    if (!isStarted) start = piece;
    else for (let at = 0; at < piece.length; at += TEXT_SLICE) yield piece.subarray(at, at + TEXT_SLICE);
  }
  if (!isStarted && start.length > 0) yield start;
}

/**
 * Streams the text of a file, without its byte order mark.
 *
 * @param encodingOf chooses the encoding by the first bytes
 * @param onUndecodable makes the error for an invalid byte. Its slice begins at `position`, in bytes.
 */
export async function* decodeText(
  file: ImportFile,
  encodingOf: (start: Uint8Array) => string,
  onUndecodable: (position: number) => Error,
): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let position = 0;
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder?.decode(bytes, { stream: bytes !== undefined }) ?? '';
    } catch {
      throw onUndecodable(position);
    }
  };
  for await (const slice of readSlices(file)) {
    decoder ??= new TextDecoder(encodingOf(slice), { fatal: true });
    yield decode(slice);
    position += slice.length;
  }
  yield decode();
}

/**
 * Streams the text of a file, without its byte order mark. Throws `INVALID_IMPORT` if it is neither UTF-8 nor UTF-16.
 * Without a mark, the text is UTF-8 (RFC 3629).
 */
export function readTextPieces(file: ImportFile): AsyncGenerator<string> {
  const encodingOf = (start: Uint8Array) => encodingOfMark(start) ?? 'utf-8';
  return decodeText(file, encodingOf, (position) => {
    return invalidFile('BAD_ENCODING', `The file is not UTF-8 or UTF-16 text, from about byte ${position} on`);
  });
}
