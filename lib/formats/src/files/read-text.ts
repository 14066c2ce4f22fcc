import type { ImportFile } from './import-file.ts';
import { invalidImport } from './invalid-import.ts';

/** Maximum size of a file that is read into memory, such as a survey. */
export const MAX_WHOLE_BYTES = 32 * 1024 * 1024;

/** V8 collects the garbage of larger strings much later. */
const SLICE = 64 * 1024;

/** Encodings by byte order mark. Without a mark, the text is UTF-8 (RFC 3629). */
const marks: readonly (readonly [mark: readonly number[], encoding: string])[] = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/**
 * Streams the text of a file, without its byte order mark. Throws `INVALID_IMPORT` if it is neither UTF-8 nor UTF-16.
 */
export async function* readTextPieces(file: ImportFile): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let position = 0;
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder?.decode(bytes, { stream: bytes !== undefined }) ?? '';
    } catch {
      const detail = `The file is not UTF-8 or UTF-16 text, from about byte ${position} on`;
      throw invalidImport([{ path: '', code: 'BAD_ENCODING', detail }]);
    }
  };
  for await (const bytes of file.open()) {
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
    for (let at = 0; at < bytes.length; at += SLICE) {
      const slice = bytes.subarray(at, at + SLICE);
      yield decode(slice);
      position += slice.length;
    }
  }
  yield decode();
}

function encodingOf(bytes: Uint8Array): string {
  return marks.find(([mark]) => mark.every((byte, index) => bytes[index] === byte))?.[1] ?? 'utf-8';
}
