import type { JsonValue } from '@bufbuild/protobuf';
import type { ImportFile } from './import-file.ts';
import { walkJson } from './walk-json.ts';

export interface JsonItem {
  /** Position in the array, from 0. */
  readonly index: number;
  /** JSON pointer. */
  readonly path: string;
  readonly value: JsonValue;
}

interface Options {
  /** Receives the members of the object that contains the array, if they are no arrays or objects. */
  readonly onSibling?: (name: string, value: JsonValue) => void;
}

/** Maximum characters of an item, far more than a response can have. */
const MAX_ITEM = 4 * 1024 * 1024;

/**
 * Streams the items of the array at a path: `[]` is the file itself, `['responses', 'items']` the member `items` of
 * `responses`. Yields nothing if there is no array. Throws `INVALID_IMPORT` at the first error, after the items before
 * it.
 */
export async function* readJsonItems(
  file: ImportFile,
  location: readonly string[],
  { onSibling }: Options = {},
): AsyncGenerator<JsonItem> {
  yield* walkJson(file, { location, build: 'items', maxSize: MAX_ITEM, onSibling });
}
