import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { withSourceData } from './source-data.ts';

/** Maximum length of answers to an imported text question that has no limit in its tool. */
export const MAX_TEXT = 20_000;

/** Moves a minimum length above the maximum to `source_data`: no answer would be valid. */
export function fitLengths(question: JsonObject): JsonObject {
  const { min_length: least, ...others } = question;
  const most = question['max_length'] ?? (question['type'] === 'textarea' ? LIMITS.textarea : LIMITS.text);
  return typeof least === 'number' && least > Number(most) ? withSourceData(others, { min_length: least }) : question;
}

/**
 * Raises the maximum length of text questions to `MAX_TEXT`, unless the question has its own limits. Questions of
 * `matches` conditions keep the default, because the cost of patterns grows with the maximum.
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
    if (!isObject(question)) return question;
    if (question['type'] !== 'text' || matched.has(question['id'])) return fitLengths(question);
    const isLimited = ['max_length', 'pattern', 'format'].some((name) => question[name] !== undefined);
    return fitLengths(isLimited ? question : { ...question, max_length: MAX_TEXT });
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
