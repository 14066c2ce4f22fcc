import type { JsonValue } from '@bufbuild/protobuf';
import type { ImportFile } from './import-file.ts';
import { MAX_WHOLE_BYTES } from './read-text.ts';
import { walkJson } from './walk-json.ts';

interface Options {
  /** Path of an array that is read as empty. Read its items with `readJsonItems`. */
  readonly without?: readonly string[];
}

/** A path that matches no array. */
const NOWHERE = ['', '', '', ''];

/**
 * Parses a JSON file as strictly as a request body. Throws `INVALID_IMPORT` if it is invalid or has more than about
 * `MAX_WHOLE_BYTES`.
 */
export async function readJson(file: ImportFile, { without = NOWHERE }: Options = {}): Promise<JsonValue> {
  const walk = walkJson(file, { location: without, build: 'rest', maxSize: MAX_WHOLE_BYTES });
  for (;;) {
    const { done, value } = await walk.next();
    if (done) return value;
  }
}
