import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { parseTimestamp } from '@survey/runtime/rest/timestamp';
import type { ResponseFileReader, Warn } from '../core/reader.ts';
import { toFileResponse } from '../core/responses/items.ts';
import type { FileResponse, UnusableValue } from '../core/responses/response.ts';
import type { ImportFile } from '../files/import-file.ts';
import { type JsonItem, readJson, readJsonItems } from '../files/json.ts';
import { createWarnOnce, invalidFile } from '../files/report.ts';
import { createAnswerReader } from './answers.ts';

/** Paths of result lists: alone, beside a survey, or as in the SurveyJS service. */
const LOCATIONS: readonly (readonly string[])[] = [[], ['responses'], ['results'], ['Data'], ['data']];

/** Reads SurveyJS results, in a list or alone. Each result is an object with answers by question name. */
export const readSurveyjsResponses: ResponseFileReader = async function* (file, { payload }, options) {
  for (const location of LOCATIONS) {
    const results = readResultItems(file, location, payload, options);
    const first = await results.next();
    if (first.done === true) continue;
    yield first.value;
    yield* results;
    return;
  }
  const root = await readJson(file);
  const isEmpty = Array.isArray(root) || (isObject(root) && LOCATIONS.some(([name = '']) => Array.isArray(root[name])));
  if (isEmpty) return;
  if (!isObject(root)) {
    throw invalidFile('NO_RESPONSES', 'The file must be an array of results');
  }
  yield createResultReader(payload, options.warn)({ index: 0, path: '', value: root });
};

/** Reads the results of a list at a path. */
export async function* readResultItems(
  file: ImportFile,
  location: readonly string[],
  payload: JsonObject,
  { warn }: { readonly warn: Warn },
): AsyncGenerator<FileResponse> {
  const read = createResultReader(payload, warn);
  for await (const item of readJsonItems(file, location)) yield read(item);
}

function createResultReader(payload: JsonObject, warn: Warn): (item: JsonItem) => FileResponse {
  const warnOnce = createWarnOnce(warn);
  const readAnswers = createAnswerReader(payload, warnOnce);
  return ({ index, path, value }) => {
    if (!isObject(value)) return { index, id: '', code: 'WRONG_TYPE', detail: 'The result must be an object' };
    const { answers, readDetail, rest, unassigned, hasFiles } = readAnswers(value, path);
    const given = readDetail('HappendAt') ?? readDetail('HappenedAt') ?? readDetail('createdAt');
    const time = given === undefined ? undefined : parseTimestamp(given);
    const detail = 'The time of the result must be an RFC 3339 time';
    const unread: UnusableValue[] = [];
    if (given !== undefined && time === undefined)
      unread.push({ kind: 'response', name: 'completed_at', code: 'BAD_TIME', detail, value: given });
    const response = {
      ...{ index, path, answers, unread, unassigned },
      id: readDetail('InstanceId') ?? readDetail('instanceId') ?? readDetail('id') ?? '',
      startedAt: undefined,
      completedAt: time,
      language: readDetail('locale') || undefined,
      metadata: { source_data: rest },
    };
    return toFileResponse(hasFiles ? { ...response, hasAnswersInMetadata: true } : response, warnOnce);
  };
}
