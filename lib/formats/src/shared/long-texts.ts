import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject, itemsOf } from '@survey/questionnaire/json';

const MAX_LENGTH = 20_000;

/**
 * Raises the maximum length of text questions to that of other tools, unless the question has its own limits. Questions
 * of `matches` conditions keep the default, because the cost of patterns grows with the maximum.
 */
export function allowLongTexts(payload: JsonObject): JsonObject {
  const survey = isObject(payload['survey']) ? payload['survey'] : {};
  const matched = new Set(
    itemsOf(survey['logic'])
      .flatMap((entry) => (isObject(entry) ? itemsOf(entry['conditions']) : []))
      .filter((condition) => isObject(condition))
      .filter(({ operator }) => operator === 'matches')
      .map(({ source_question: source }) => source),
  );
  const lengthen = (question: JsonValue): JsonValue => {
    if (!isObject(question) || question['type'] !== 'text' || matched.has(question['id'])) return question;
    const isLimited = ['max_length', 'pattern', 'format'].some((name) => question[name] !== undefined);
    return isLimited ? question : { ...question, max_length: MAX_LENGTH };
  };
  const pages = Array.isArray(survey['pages']) ? survey['pages'] : [];
  return {
    ...payload,
    survey: {
      ...survey,
      pages: pages.map((page) => {
        const questions = isObject(page) && Array.isArray(page['questions']) ? page['questions'] : [];
        return isObject(page) ? { ...page, questions: questions.map(lengthen) } : page;
      }),
    },
  };
}
