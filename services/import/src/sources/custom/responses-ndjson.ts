import { type JsonValue, toJson } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';
import { AppError } from '@survey/runtime/errors/app-error';
import { JsonError } from '@survey/runtime/json/json-error';
import { parseJson } from '@survey/runtime/json/parse-json';
import { messageFromJson } from '@survey/runtime/rest/json-input';
import { type FileResponse, refuseUnusable } from '../../responses/file-response.ts';
import { checkResponseCount, invalidImport, type ResponseReader } from '../source.ts';
import { responseFromJson } from './response-json.ts';
import { warnOfStrangers } from './responses-json.ts';

const PATH = '/responses';

interface Line {
  /** As editors count: the first one is 1, and empty ones count. */
  readonly number: number;
  readonly text: string;
}

/** Reads a response a line (https://github.com/ndjson/ndjson-spec). A line that is no JSON is a response that is refused. */
export const responsesFromNdjson: ResponseReader = (data) => {
  if (typeof data !== 'string') {
    const detail = 'NDJSON has to be a string with the text of the file';
    throw invalidImport([{ path: PATH, code: 'WRONG_TYPE', detail }]);
  }
  const lines = linesOf(data);
  checkResponseCount(lines.length, PATH);
  const items = lines.map(({ text }) => parseLine(text));
  return {
    responses: refuseUnusable(
      lines.map(({ number }, index): FileResponse => {
        const item = items[index];
        if (item !== undefined) return responseFromJson(item, index, `line ${number}: `);
        return { index, id: '', code: 'BAD_JSON', detail: `line ${number}: it is no JSON that is taken` };
      }),
    ),
    warnings: warnOfStrangers(
      items.map((item) => item ?? null),
      () => PATH,
    ),
  };
};

function linesOf(text: string): readonly Line[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '');
}

/** The value of a line, read as strictly as the body of a request; undefined when it is not taken. */
function parseLine(text: string): JsonValue | undefined {
  try {
    return toJson(ValueSchema, messageFromJson(ValueSchema, parseJson(text)));
  } catch (error) {
    if (error instanceof JsonError || error instanceof AppError) return undefined;
    throw error;
  }
}
