import type { JsonValue } from '@bufbuild/protobuf';
import Tokenizer, { TokenizerError } from '@streamparser/json/tokenizer.js';
import { JsonError } from '@survey/runtime/json/json-error';
import type { ImportFile } from './import-file.ts';
import { invalidImport } from './invalid-import.ts';
import { createJsonBuilder } from './json-builder.ts';
import type { JsonItem } from './json-items.ts';
import { MAX_WHOLE_BYTES, readTextPieces } from './read-text.ts';

interface Options {
  /** Path of the array whose items are handled separately. */
  readonly location: readonly string[];
  /** Builds only the items of that array, or everything else. */
  readonly build: 'items' | 'rest';
  /** Approximate maximum characters of an item, or of the rest. */
  readonly maxSize: number;
}

/** No survey or response has as many values. Each takes time and memory, even if it is short. */
const MAX_VALUES = 500_000;
/** Characters per write. Errors and exceeded limits are noticed after each write. */
const SLICE = 64 * 1024;

const details: Record<JsonError['problem'], string> = {
  MALFORMED: 'the file is not valid JSON',
  DUPLICATE_MEMBER: 'there are two members of this name',
  FORBIDDEN_NAME: 'this name is not allowed',
  NUMBER_OUT_OF_RANGE: 'the number is beyond ±(2^53 - 1), where numbers are not exact',
  TOO_DEEP: 'it is nested more than 64 levels deep',
};

/**
 * Reads a JSON file token by token. Yields the items of the array; returns the value of the file without them (`build:
 * 'rest'`). Throws `INVALID_IMPORT`.
 */
export async function* walkJson(
  file: ImportFile,
  { location, build, maxSize }: Options,
): AsyncGenerator<JsonItem, JsonValue> {
  const base = location.map((name) => `/${name}`).join('');
  let found: JsonItem[] = [];
  let characters = 0;
  /** Position of the last token, in characters and in UTF-8 bytes. */
  let lastToken = 0;
  let position = 0;
  const builder = createJsonBuilder({
    location,
    build,
    onItem: (index, value) => found.push({ index, path: `${base}/${index}`, value }),
  });
  const tokenizer = new Tokenizer();
  tokenizer.onToken = (token) => {
    lastToken = characters;
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
      // The tokenizer reports a string only at its end, so count the characters since the last token.
      const limit = builder.isBuilding() ? maxSize : MAX_WHOLE_BYTES;
      if (builder.size() + characters - lastToken - SLICE > limit)
        throw tooLarge(builder.path(), `${limit} characters`);
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
  const detail = `${details[problem]}, at about byte ${position}`;
  return invalidImport([{ path, code: problem === 'MALFORMED' ? 'BAD_JSON' : problem, detail }]);
}

function tooLarge(path: string, limit: string) {
  const detail = `The value has more than about ${limit}, the limit`;
  return invalidImport([{ path, code: 'TOO_LARGE', detail }]);
}
