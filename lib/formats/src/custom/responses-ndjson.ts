import type { JsonValue } from '@bufbuild/protobuf';
import { JsonError, parseJson } from '@survey/runtime/json/parse-json';
import { describeJsonProblem } from '../files/json-problem.ts';
import { readLines } from '../files/lines.ts';
import type { ResponseFileReader } from '../shared/reader.ts';
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
    // A lone surrogate cannot be encoded in UTF-8.
    if (text.includes('\\u') && !isWellFormed(text)) return describeJsonProblem('MALFORMED', 'line');
    // `parseJson` returns JSON.
    return { value: parseJson(text) as JsonValue };
  } catch (error) {
    if (error instanceof JsonError) return describeJsonProblem(error.problem, 'line');
    throw error;
  }
}

/** Whether the escapes of a text have no lone surrogates. */
function isWellFormed(text: string): boolean {
  return text
    .replaceAll(/\\(?:u([\da-fA-F]{4})|.)/g, (_, hex) => (hex ? String.fromCharCode(Number.parseInt(hex, 16)) : ''))
    .isWellFormed();
}
