import type { JsonValue } from '@bufbuild/protobuf';
import type { ImportFile } from './import-file.ts';
import { walkJson } from './walk-json.ts';

/** An item of an array in a file of JSON. */
export interface JsonItem {
  /** From 0. */
  readonly index: number;
  /** JSON pointer of it. */
  readonly path: string;
  readonly value: JsonValue;
}

/** Of one item: far more than a response may have. */
const MAX_ITEM = 4 * 1024 * 1024;

/**
 * The items of the array at a place in a file of JSON, one after another, however long it is; none when there is no array.
 * `[]` is the file itself, `['responses', 'items']` the member `items` of its member `responses`. It is read as strictly
 * as the body of a request. Throws `INVALID_IMPORT` where it cannot be read on, after the items before.
 */
export async function* readJsonItems(file: ImportFile, place: readonly string[]): AsyncGenerator<JsonItem> {
  yield* walkJson(file, { place, build: 'items', maxSize: MAX_ITEM });
}
