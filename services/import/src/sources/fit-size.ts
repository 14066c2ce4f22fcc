import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import type { Warn } from './reader.ts';

/**
 * The payload without what is only kept, when the survey would be too large to be stored with it: `source_data` of the
 * survey and its questions has the members of these names left.
 */
export function fitSize(payload: JsonObject, names: ReadonlySet<string>, warn: Warn): JsonObject {
  if (Buffer.byteLength(JSON.stringify(payload)) <= LIMITS.definitionBytes) return payload;
  const detail = `With what has no meaning here the survey has more than ${LIMITS.definitionBytes} bytes, so that is left out`;
  warn({ path: '', code: 'NOT_IMPORTED', detail });
  const reduce = (owner: JsonValue | undefined): JsonObject => {
    if (!isObject(owner)) return {};
    const data = owner['source_data'];
    if (!isObject(data)) return owner;
    return { ...owner, source_data: Object.fromEntries(Object.entries(data).filter(([name]) => names.has(name))) };
  };
  const survey = reduce(payload['survey']);
  const pages = Array.isArray(survey['pages']) ? survey['pages'] : [];
  return {
    ...payload,
    survey: {
      ...survey,
      pages: pages.map((page) => {
        const questions = isObject(page) && Array.isArray(page['questions']) ? page['questions'] : [];
        return { ...reduce(page), questions: questions.map(reduce) };
      }),
    },
  };
}
