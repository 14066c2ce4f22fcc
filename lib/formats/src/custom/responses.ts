import type { JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import type { ResponseFileReader, Warn } from '../core/reader.ts';
import type { FileResponse } from '../core/responses/response.ts';
import type { ImportFile } from '../files/import-file.ts';
import { readJsonItems } from '../files/json.ts';
import { invalidImport } from '../files/report.ts';
import { readTextPieces } from '../files/text.ts';
import { RESPONSE_MEMBERS, responseFromJson } from './answers.ts';

const ANSWER_MEMBERS: ReadonlySet<string> = new Set(['question_id', 'value']);
const MAX_REPORTED = 1_000;

/** Reads a JSON array of responses (see `responseFromJson`). */
export const readCustomJsonResponses: ResponseFileReader = async function* (file, _survey, { warn }) {
  await checkArray(file);
  yield* readResponseItems(file, [], warn);
};

/** Reads the responses of the array at a path. */
export async function* readResponseItems(
  file: ImportFile,
  location: readonly string[],
  warn: Warn,
): AsyncGenerator<FileResponse> {
  const warnOfUnknown = createUnknownMemberWatch(warn);
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
  throw invalidImport([{ path: '', code: 'WRONG_TYPE', detail: 'The responses must be an array' }]);
}

/** Warns once about each unknown member of responses and answers. */
export function createUnknownMemberWatch(warn: Warn): (item: JsonValue, path: string) => void {
  const seen = new Set<string>();

  function watch(value: JsonValue, known: ReadonlySet<string>, level: string, path: string): void {
    if (!isObject(value)) return;
    for (const name of Object.keys(value)) {
      const key = `${level} ${name}`;
      if (known.has(name) || seen.has(key) || seen.size === MAX_REPORTED) continue;
      seen.add(key);
      warn({ path, code: 'NOT_IMPORTED', detail: `The member ${name} is not imported` });
    }
  }

  return (item, path) => {
    watch(item, RESPONSE_MEMBERS, 'response', path);
    if (!isObject(item) || !Array.isArray(item['answers'])) return;
    for (const [position, answer] of item['answers'].entries()) {
      watch(answer, ANSWER_MEMBERS, 'answer', `${path}/answers/${position}`);
    }
  };
}
