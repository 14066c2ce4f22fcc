import type { JsonValue } from '@bufbuild/protobuf';
import { JsonError } from '@survey/runtime/json/json-error';
import { parseJson } from '@survey/runtime/json/parse-json';
import { readLines } from '../../files/lines.ts';
import type { ResponseFileReader } from '../reader.ts';
import { responseFromJson } from './response-json.ts';
import { createStrangerWatch } from './responses-json.ts';

/** Reads a response a line (https://github.com/ndjson/ndjson-spec). A line that is no JSON is a response that is refused. */
export const readCustomNdjsonResponses: ResponseFileReader = async function* (file, _survey, { warn }) {
  const look = createStrangerWatch(warn);
  let index = 0;
  for await (const { number, text } of readLines(file)) {
    const place = `line ${number}: `;
    const item = text === undefined ? undefined : parseLine(text);
    if (item === undefined) {
      const [code, what] =
        text === undefined
          ? ['TOO_LARGE', 'it is too long for a response']
          : ['BAD_JSON', 'it is no JSON that is taken'];
      yield { index, id: '', code, detail: place + what };
    } else {
      look(item, '');
      yield responseFromJson(item, index, place);
    }
    index += 1;
  }
};

/** The value of a line, read as strictly as the body of a request; undefined when it is not taken. */
function parseLine(text: string): JsonValue | undefined {
  try {
    // Half a character in it could not be sent. What `parseJson` gives is JSON.
    return text.includes('\\u') && !isWellFormed(text) ? undefined : (parseJson(text) as JsonValue);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** Whether its escapes make whole characters: the text itself came in an encoding that has no halves. */
function isWellFormed(text: string): boolean {
  return text
    .replaceAll(/\\(?:u([\da-fA-F]{4})|.)/g, (_, hex) => (hex ? String.fromCharCode(Number.parseInt(hex, 16)) : ''))
    .isWellFormed();
}
