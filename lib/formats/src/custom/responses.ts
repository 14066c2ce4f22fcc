import type { JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { JsonError, parseJson } from '@survey/runtime/json/parse-json';
import type { ResponseFileReader, Warn } from '../core/reader.ts';
import type { FileResponse } from '../core/responses/response.ts';
import type { ImportFile } from '../files/import-file.ts';
import { readJsonItems } from '../files/json.ts';
import { describeJsonProblem, findLoneSurrogate } from '../files/json-builder.ts';
import { readLines } from '../files/lines.ts';
import { createWarnOnce, wrongType } from '../files/report.ts';
import { readTextPieces } from '../files/text.ts';
import { RESPONSE_MEMBERS, responseFromJson } from './answers.ts';

const ANSWER_MEMBERS: ReadonlySet<string> = new Set(['question_id', 'value']);

/** Reads a JSON array of responses (see `responseFromJson`). */
export const readCustomJsonResponses: ResponseFileReader = async function* (file, _survey, { warn }) {
  await checkArray(file);
  yield* readCustomResponses(file, [], warn);
};

/** Reads the responses of the array at a path. */
export async function* readCustomResponses(
  file: ImportFile,
  location: readonly string[],
  warn: Warn,
): AsyncGenerator<FileResponse> {
  const warnOfUnknown = createUnknownMemberWarner(warn);
  for await (const { index, path, value } of readJsonItems(file, location)) {
    warnOfUnknown(value, path);
    yield responseFromJson(value, index);
  }
}

/** Checks only the first character; the rest is checked while reading. */
async function checkArray(file: ImportFile): Promise<void> {
  for await (const piece of readTextPieces(file)) {
    const beginning = piece.trimStart();
    if (beginning.startsWith('[')) return;
    if (beginning !== '') break;
  }
  throw wrongType('', 'The responses must be an array');
}

/** Warns once about each unknown member of responses and answers. */
export function createUnknownMemberWarner(warn: Warn): (item: JsonValue, path: string) => void {
  const warnOnce = createWarnOnce(warn);

  function warnOfUnknown(value: JsonValue, known: ReadonlySet<string>, level: string, path: string): void {
    for (const name of isObject(value) ? Object.keys(value) : []) {
      if (known.has(name)) continue;
      warnOnce(`${level} ${name}`, { path, code: 'NOT_IMPORTED', detail: `The member ${name} is not imported` });
    }
  }

  return (item, path) => {
    warnOfUnknown(item, RESPONSE_MEMBERS, 'response', path);
    if (!isObject(item) || !Array.isArray(item['answers'])) return;
    for (const [position, answer] of item['answers'].entries()) {
      warnOfUnknown(answer, ANSWER_MEMBERS, 'answer', `${path}/answers/${position}`);
    }
  };
}

/**
 * Reads NDJSON (https://github.com/ndjson/ndjson-spec), one response a line. A line with invalid JSON is a rejected
 * response.
 */
export const readCustomNdjsonResponses: ResponseFileReader = async function* (file, _survey, { warn }) {
  const warnOfUnknown = createUnknownMemberWarner(warn);
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
