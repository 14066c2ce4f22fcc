import type { JsonObject } from '@bufbuild/protobuf';
import { MAX_METADATA } from '@survey/formats/shared/file-response';
import { compile } from '@survey/questionnaire/compile';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import { parseChecked } from '@survey/runtime/json/parse-checked';
import type { NewResponse, Outcome, ResponseClient } from './response-client.ts';

/**
 * Stores nothing: reports whether the survey would accept each response. Checks run in the same order as in the
 * response service.
 */
export function createDryClient(payload: JsonObject): ResponseClient {
  const { validate } = compile(payload);
  const { supported_languages: declared } = isObject(payload['survey']) ? payload['survey'] : {};
  const languages = new Set(itemsOf(declared).map((language) => String(language).toLowerCase()));

  function outcomeOf({ answers, startedAt, completedAt, language, metadata }: NewResponse): Outcome {
    if (![startedAt, completedAt].every(canBeWritten))
      return failed('INVALID_TIME', 'The times must be in the years 1 to 9999');
    if (metadata !== undefined && Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA)
      return failed('TOO_LARGE', `/metadata TOO_LARGE: must not exceed ${MAX_METADATA} bytes of JSON`, '/metadata');
    if (language !== undefined && !languages.has(language.toLowerCase()))
      return failed(
        'UNDECLARED_LANGUAGE',
        '/language UNDECLARED_LANGUAGE: must be one of the supported languages of the survey',
        '/language',
      );
    const [problem] = validate(parseChecked(answers), { lenient: true }).errors;
    if (problem === undefined) return { outcome: 'imported' };
    return failed('INVALID_ANSWERS', `${problem.path} ${problem.code}: ${problem.detail}`, problem.path);
  }

  return { store: async (_importer, _to, batch) => batch.map(outcomeOf) };
}

function failed(code: string, detail: string, path = ''): Outcome {
  return { outcome: 'failed', code, detail, path };
}

/** Whether RFC 3339 can express the time. */
function canBeWritten(time: Date | undefined): boolean {
  const year = time?.getUTCFullYear() ?? 1;
  return year >= 1 && year <= 9_999;
}
