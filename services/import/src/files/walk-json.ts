import type { JsonValue } from '@bufbuild/protobuf';
import Tokenizer, { TokenizerError } from '@streamparser/json/tokenizer.js';
import { JsonError } from '@survey/runtime/json/json-error';
import type { ImportFile } from './import-file.ts';
import { invalidImport } from './invalid-import.ts';
import { createJsonBuilder } from './json-builder.ts';
import type { JsonItem } from './json-items.ts';
import { MAX_WHOLE_BYTES, readTextPieces } from './read-text.ts';

interface Options {
  /** Where the array is that is treated apart. */
  readonly place: readonly string[];
  /** Whether its items are wanted, or everything but them. */
  readonly build: 'items' | 'rest';
  /** Characters that an item, or the rest, may have, more or less. */
  readonly maxSize: number;
}

/** Far more than a survey, or a response, has; each takes time and memory, however short it is. */
const MAX_VALUES = 500_000;
/** At once: an error is found, and what is too much refused, after so many characters. */
const SLICE = 64 * 1024;

const details: Record<JsonError['problem'], string> = {
  MALFORMED: 'it is no JSON',
  DUPLICATE_MEMBER: 'there are two members of this name',
  FORBIDDEN_NAME: 'this is not allowed as a name',
  NUMBER_OUT_OF_RANGE: 'the number is beyond ±(2^53 - 1), where numbers are not exact',
  TOO_DEEP: 'it is nested more than 64 deep',
};

/**
 * Reads a file of JSON token by token: gives the items of an array, and ends with the value of the file without them,
 * which is nothing but a shell when the items are what is wanted. Throws `INVALID_IMPORT`.
 */
export async function* walkJson(
  file: ImportFile,
  { place, build, maxSize }: Options,
): AsyncGenerator<JsonItem, JsonValue> {
  const base = place.map((name) => `/${name}`).join('');
  let found: JsonItem[] = [];
  let characters = 0;
  /** Where the last token is, in characters and in bytes of UTF-8. */
  let lastToken = 0;
  let position = 0;
  const builder = createJsonBuilder({
    place,
    build,
    onItem: (index, value) => found.push({ index, path: `${base}/${index}`, value }),
  });
  const tokenizer = new Tokenizer();
  tokenizer.onToken = (token) => {
    lastToken = characters;
    position = token.offset;
    builder.push(token);
  };
  const inFile = <T>(step: () => T): T => {
    try {
      return step();
    } catch (error) {
      throw toRefusal(error, builder.path(), position);
    }
  };

  for await (const piece of readTextPieces(file)) {
    for (let at = 0; at < piece.length; at += SLICE) {
      const slice = piece.slice(at, at + SLICE);
      inFile(() => tokenizer.write(slice));
      characters += slice.length;
      // Of one text the tokenizer tells when it is at its end.
      const limit = builder.isBuilding() ? maxSize : MAX_WHOLE_BYTES;
      if (builder.size() + characters - lastToken - SLICE > limit)
        throw tooLarge(builder.path(), `${limit} characters`);
      if (builder.values() > MAX_VALUES) throw tooLarge(builder.path(), `${MAX_VALUES} values`);
      yield* found;
      found = [];
    }
  }
  return inFile(() => {
    if (!tokenizer.isEnded) tokenizer.end();
    return builder.end();
  });
}

function toRefusal(error: unknown, here: string, position: number): unknown {
  if (!(error instanceof JsonError || error instanceof TokenizerError)) return error;
  const [problem, path] = error instanceof JsonError ? [error.problem, error.path] : (['MALFORMED', here] as const);
  const detail = `${details[problem]}, ${position} bytes from the beginning or a little later`;
  return invalidImport([{ path, code: problem === 'MALFORMED' ? 'BAD_JSON' : problem, detail }]);
}

function tooLarge(path: string, limit: string) {
  const detail = `It has more than about ${limit}, the limit`;
  return invalidImport([{ path, code: 'TOO_LARGE', detail }]);
}
