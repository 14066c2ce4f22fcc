import type { JsonValue } from '@bufbuild/protobuf';
import { JsonError, parseJson } from '@survey/runtime/json/parse-json';
import type { ResponseFileReader } from '../core/reader.ts';
import { describeJsonProblem, findLoneSurrogate } from '../files/json-builder.ts';
import { readLines } from '../files/lines.ts';
import { responseFromJson } from './answers.ts';
import { createUnknownMemberWatch } from './responses.ts';

/**
 * Reads NDJSON (https://github.com/ndjson/ndjson-spec), one response a line. A line with invalid JSON is a rejected
 * response.
 */
export const readCustomNdjsonResponses: ResponseFileReader = async function* (file, _survey, { warn }) {
  const warnOfUnknown = createUnknownMemberWatch(warn);
  let index = 0;
  for await (const { number, text } of readLines(file)) {
    const location = `line ${number}: `;
    const line = text === undefined ? TOO_LONG : parseLine(text);
    if ('reason' in line) {
      yield { index, id: '', row: number, code: line.code, detail: location + line.reason };
    } else {
      warnOfUnknown(line.value, '');
      yield { ...responseFromJson(line.value, index, location), row: number };
    }
    index += 1;
  }
};

/** The value of a line, or the reason why it has none. */
type Line = { readonly value: JsonValue } | ReturnType<typeof describeJsonProblem>;

const TOO_LONG: Line = { code: 'TOO_LARGE', reason: 'the line is too long for a response' };

/** Parses a line as strictly as a request body. */
function parseLine(text: string): Line {
  try {
    const value = parseJson(text) as JsonValue; // `parseJson` returns JSON
    const index = text.includes('\\u') ? findLoneSurrogate(text) : undefined;
    return index === undefined ? { value } : notJson(index);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return error.index === undefined ? describeJsonProblem(error.problem, 'line') : notJson(error.index);
  }
}

function notJson(index: number): Line {
  const { code, reason } = describeJsonProblem('MALFORMED', 'line');
  return { code, reason: `${reason}, from column ${index + 1} on` };
}
