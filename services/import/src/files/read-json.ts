import type { JsonValue } from '@bufbuild/protobuf';
import type { ImportFile } from './import-file.ts';
import { MAX_WHOLE_BYTES } from './read-text.ts';
import { walkJson } from './walk-json.ts';

interface Options {
  /** Where an array is whose items are left out, which `readJsonItems` gives: it comes as an empty one. */
  readonly without?: readonly string[];
}

/** Of no array. */
const NOWHERE = ['', '', '', ''];

/**
 * The value of a file of JSON, read as strictly as the body of a request. Throws `INVALID_IMPORT`, also when what is read
 * has more than `MAX_WHOLE_BYTES`, more or less.
 */
export async function readJson(file: ImportFile, { without = NOWHERE }: Options = {}): Promise<JsonValue> {
  const walk = walkJson(file, { place: without, build: 'rest', maxSize: MAX_WHOLE_BYTES });
  for (;;) {
    const { done, value } = await walk.next();
    if (done) return value;
  }
}
