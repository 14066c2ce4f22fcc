import type { ImportFile } from './import-file.ts';
import { invalidImport } from './invalid-import.ts';

/** What is read as a whole, such as the definition of a survey, has this many bytes at the most. */
export const MAX_WHOLE_BYTES = 32 * 1024 * 1024;

/** A text of more than 128 KiB would be kept apart, and cleared away much later. */
const SLICE = 64 * 1024;

/** By the marks that a text may begin with; without one it is UTF-8 (RFC 3629). */
const marks: readonly (readonly [mark: readonly number[], encoding: string])[] = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** The text of a file, as pieces, without its byte order mark. Throws `INVALID_IMPORT` when it is in no encoding that is read. */
export async function* readTextPieces(file: ImportFile): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let position = 0;
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder?.decode(bytes, { stream: bytes !== undefined }) ?? '';
    } catch {
      const detail = `The file is no text in UTF-8 or UTF-16, from about byte ${position} on`;
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
