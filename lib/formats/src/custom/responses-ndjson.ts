import type { JsonValue } from '@bufbuild/protobuf';
import { JsonError } from '@survey/runtime/json/json-error';
import { parseJson } from '@survey/runtime/json/parse-json';
import { readLines } from '../files/lines.ts';
import type { ResponseFileReader } from '../shared/reader.ts';
import { responseFromJson } from './answers.ts';
import { createUnknownMemberWatch } from './responses.ts';

/**
 * Reads NDJSON (https://github.com/ndjson/ndjson-spec), one response a line. A line with invalid JSON is a rejected
 * response.
 */
export const readCustomNdjsonResponses: ResponseFileReader = async function* (file, _survey, { warn }) {
  const look = createUnknownMemberWatch(warn);
  let index = 0;
  for await (const { number, text } of readLines(file)) {
    const location = `line ${number}: `;
    const item = text === undefined ? undefined : parseLine(text);
    if (item === undefined) {
      const [code, problem] =
        text === undefined
          ? ['TOO_LARGE', 'the line is too long for a response']
          : ['BAD_JSON', 'the line is not valid JSON'];
      yield { index, id: '', row: number, code, detail: location + problem };
    } else {
      look(item, '');
      yield { ...responseFromJson(item, index, location), row: number };
    }
    index += 1;
  }
};

/** Parses a line as strictly as a request body; undefined if it is invalid. */
function parseLine(text: string): JsonValue | undefined {
  try {
    // A lone surrogate cannot be sent. `parseJson` returns JSON.
    return text.includes('\\u') && !isWellFormed(text) ? undefined : (parseJson(text) as JsonValue);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** Whether the escapes of a text have no lone surrogates. */
function isWellFormed(text: string): boolean {
  return text
    .replaceAll(/\\(?:u([\da-fA-F]{4})|.)/g, (_, hex) => (hex ? String.fromCharCode(Number.parseInt(hex, 16)) : ''))
    .isWellFormed();
}
