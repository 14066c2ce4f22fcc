import type { JsonValue } from '@bufbuild/protobuf';
import Tokenizer, { TokenizerError } from '@streamparser/json/tokenizer.js';
import { JsonError } from '@survey/runtime/json/parse-json';
import { toPointerToken } from '@survey/runtime/json/pointer';
import type { ImportFile } from './import-file.ts';
import { invalidImport } from './invalid-import.ts';
import { createJsonBuilder } from './json-builder.ts';
import type { JsonItem } from './json-items.ts';
import { describeJsonProblem } from './json-problem.ts';
import { MAX_WHOLE_BYTES, readTextPieces } from './read-text.ts';

interface Options {
  /** Path of the array whose items are handled separately. */
  readonly location: readonly string[];
  /** Builds only the items of that array, or everything else. */
  readonly build: 'items' | 'rest';
  /** Approximate maximum characters of an item, or of the rest. */
  readonly maxSize: number;
  /** Receives the members of the object that contains the array, if they are no arrays or objects. */
  readonly onSibling?: ((name: string, value: JsonValue) => void) | undefined;
}

/** No survey or response has as many values. Each takes time and memory, even if it is short. */
const MAX_VALUES = 500_000;
/** Characters per write. Errors and exceeded limits are noticed after each write. */
const SLICE = 64 * 1024;

/**
 * Reads a JSON file token by token. With `build: 'items'`, yields the items of the array at `location`. With
 * `build: 'rest'`, yields nothing, and returns the value of the file without these items. Throws `INVALID_IMPORT`.
 */
export async function* walkJson(
  file: ImportFile,
  { location, build, maxSize, onSibling }: Options,
): AsyncGenerator<JsonItem, JsonValue> {
  const base = location.map(toPointerToken).join('');
  let found: JsonItem[] = [];
  let characters = 0;
  /** Characters before the slice that contains the last token. */
  let charactersBeforeToken = 0;
  /** Position of the last token in bytes, as if the text were UTF-8. */
  let position = 0;
  const builder = createJsonBuilder({
    location,
    build,
    onItem: (index, value) => found.push({ index, path: `${base}/${index}`, value }),
    onSibling,
  });
  const tokenizer = new Tokenizer();
  tokenizer.onToken = (token) => {
    charactersBeforeToken = characters;
    position = token.offset;
    builder.push(token);
  };
  const orReject = <T>(step: () => T): T => {
    try {
      return step();
    } catch (error) {
      throw toRejection(error, builder.path(), position);
    }
  };

  for await (const piece of readTextPieces(file)) {
    for (let at = 0; at < piece.length; at += SLICE) {
      const slice = piece.slice(at, at + SLICE);
      orReject(() => tokenizer.write(slice));
      characters += slice.length;
      // The tokenizer reports a string only at its end, so count the characters since the last token. That token can be
      // anywhere in its slice, so leave out this slice.
      const openCharacters = characters - charactersBeforeToken - SLICE;
      const limit = builder.isBuilding() ? maxSize : MAX_WHOLE_BYTES;
      if (builder.size() + openCharacters > limit) throw tooLarge(builder.path(), `${limit} characters`);
      if (builder.values() > MAX_VALUES) throw tooLarge(builder.path(), `${MAX_VALUES} values`);
      yield* found;
      found = [];
    }
  }
  return orReject(() => {
    if (!tokenizer.isEnded) tokenizer.end();
    return builder.end();
  });
}

function toRejection(error: unknown, here: string, position: number): unknown {
  if (!(error instanceof JsonError || error instanceof TokenizerError)) return error;
  const [problem, path] = error instanceof JsonError ? [error.problem, error.path] : (['MALFORMED', here] as const);
  const { code, reason } = describeJsonProblem(problem, 'file');
  return invalidImport([{ path, code, detail: `${reason}, at about byte ${position}` }]);
}

function tooLarge(path: string, limit: string) {
  const detail = `The value has more than about ${limit}, the limit`;
  return invalidImport([{ path, code: 'TOO_LARGE', detail }]);
}
