import type { JsonValue } from '@bufbuild/protobuf';
import { JsonError } from '@survey/runtime/json/parse-json';
import { toPointerToken } from '@survey/runtime/json/pointer';
import type { ImportFile } from './import-file.ts';
import { type BuildOptions, createJsonBuilder, describeJsonProblem, tooLarge } from './json-builder.ts';
import { invalidImport } from './report.ts';
import { MAX_WHOLE_BYTES, readTextPieces } from './text.ts';

export interface JsonItem {
  /** Position in the array, from 0. */
  readonly index: number;
  /** JSON pointer. */
  readonly path: string;
  readonly value: JsonValue;
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
  { onSibling }: Pick<BuildOptions, 'onSibling'> = {},
): AsyncGenerator<JsonItem> {
  yield* walkJson(file, { location, build: 'items', maxCharacters: MAX_ITEM, onSibling });
}

interface WalkOptions extends BuildOptions {
  /**
   * Approximate maximum characters of the built value: of an item, or of all but the items. For the member names in
   * other content, the maximum is `MAX_WHOLE_BYTES`.
   */
  readonly maxCharacters: number;
}

/** Maximum values of an item, or of all but the items. A size is not enough: short values take time and memory too. */
const MAX_VALUES = 500_000;
/** Characters per write. Errors and exceeded limits are noticed after each write. */
const SLICE = 64 * 1024;

/**
 * Reads a JSON file token by token. With `build: 'items'`, yields the items of the array at `location`. With
 * `build: 'rest'`, yields nothing, and returns the value of the file without these items. Throws `INVALID_IMPORT`.
 */
async function* walkJson(
  file: ImportFile,
  { maxCharacters, ...options }: WalkOptions,
): AsyncGenerator<JsonItem, JsonValue> {
  const base = (options.location ?? []).map(toPointerToken).join('');
  let waiting: JsonItem[] = [];
  let slice = '';
  /** Number of characters before the current slice. */
  let start = 0;
  const builder = createJsonBuilder(options, (index, value) =>
    waiting.push({ index, path: `${base}/${index}`, value }),
  );
  try {
    for await (const piece of readTextPieces(file)) {
      for (let at = 0; at < piece.length; at += SLICE) {
        start += slice.length;
        slice = piece.slice(at, at + SLICE);
        builder.write(slice);
        const limit = builder.isBuilding() ? maxCharacters : MAX_WHOLE_BYTES;
        if (builder.size() > limit) throw tooLarge(builder.path(), `${limit} characters`);
        if (builder.values() > MAX_VALUES) throw tooLarge(builder.path(), `${MAX_VALUES} values`);
        yield* waiting;
        waiting = [];
      }
    }
    return builder.end();
  } catch (error) {
    // The items of the slice that come before the error.
    yield* waiting;
    if (!(error instanceof JsonError)) throw error;
    const { code, reason } = describeJsonProblem(error.problem, 'file');
    const detail = `${reason}, at about character ${start + builder.offset()}`;
    throw invalidImport([{ path: error.path, code, detail }]);
  }
}

interface ReadOptions {
  /**
   * Path of an array that is read as empty, as is an array on the way to it: `responses` for `['responses', 'data']`.
   * Read its items with `readJsonItems`.
   */
  readonly without?: readonly string[];
}

/**
 * Parses a JSON file as strictly as a request body. Throws `INVALID_IMPORT` if it is invalid or has more than about
 * `MAX_WHOLE_BYTES`.
 */
export async function readJson(file: ImportFile, { without }: ReadOptions = {}): Promise<JsonValue> {
  const walk = walkJson(file, { location: without, build: 'rest', maxCharacters: MAX_WHOLE_BYTES });
  for (;;) {
    const { done, value } = await walk.next();
    if (done) return value;
  }
}
