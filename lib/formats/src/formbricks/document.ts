import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { canonicalTag } from '@survey/questionnaire/definition/language-tag';
import { isAbsent, isArray, isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { type HtmlToText, type Text, textOf } from '../core/texts.ts';
import type { ImportFile } from '../files/import-file.ts';
import { readJson } from '../files/json.ts';
import { type WarnOnce, wrongType } from '../files/report.ts';

/** Path of the responses in a file that also has the survey: `responses` is a reply of the API. */
const REPLY_PATH = ['responses', 'data'];
/** Paths of the responses in a file that also has the survey: in a reply of the API, or as a list. */
export const RESPONSE_PATHS = [REPLY_PATH, ['responses']];
const ADVICE = 'export the survey with GET /api/v1/management/surveys/{id}';

interface SurveyDocument {
  readonly survey: JsonObject;
  readonly path: string;
  readonly hasResponses: boolean;
}

/** The list in a member; empty if there is none. */
export function listIn(owner: JsonObject, name: string): readonly JsonValue[] {
  const list = owner[name];
  return isArray(list) ? list : [];
}

/** Finds the survey in a file: alone, in a reply of the API (`{data}`), or in `{survey, responses?}`. */
export async function readSurveyDocument(file: ImportFile): Promise<SurveyDocument> {
  const data = await readJson(file, { without: REPLY_PATH });
  if (!isObject(data)) throw wrongType('', `The file must be an object with a survey: ${ADVICE}`);
  const { responses } = data;
  if (isObject(data['survey'])) {
    const { survey, path } = unwrap(data['survey'], '/survey');
    const isList = isArray(responses) || (isObject(responses) && isArray(responses['data']));
    if (!isAbsent(responses) && !isList) {
      throw wrongType('/responses', 'The responses must be a list, or an object with a list `data`');
    }
    return { survey: requireQuestions(survey, path), path, hasResponses: isList };
  }
  if (isArray(data['data'])) throw rejectionOfList(data['data']);
  const { survey, path } = unwrap(data, '');
  return { survey: requireQuestions(survey, path), path, hasResponses: false };
}

function unwrap(value: JsonObject, path: string): { readonly survey: JsonObject; readonly path: string } {
  const { data } = value;
  return isObject(data) && !hasQuestions(value) ? { survey: data, path: `${path}/data` } : { survey: value, path };
}

function hasQuestions({ questions, blocks }: JsonObject): boolean {
  return isArray(questions) || isArray(blocks);
}

function requireQuestions(survey: JsonObject, path: string): JsonObject {
  if (!hasQuestions(survey)) throw wrongType(path, `The survey must have questions or blocks: ${ADVICE}`);
  return survey;
}

function rejectionOfList(list: readonly JsonValue[]): Error {
  const [first] = list;
  const looksLikeResponse = isObject(first) && !isAbsent(first['surveyId']) && !isAbsent(first['data']);
  const detail = looksLikeResponse
    ? `The file has responses and no survey: ${ADVICE}. Then import {"survey": …, "responses": …}, or import the survey first and the responses into it`
    : `The file is a list: ${ADVICE}`;
  return wrongType('', detail);
}

export interface SurveyTexts {
  /** Languages of the survey, its own language first. */
  readonly languages: readonly string[];
  read(value: JsonValue | undefined, path: string): Text;
}

/** The key of the text in the default language. Other keys are codes of languages. */
const DEFAULT = 'default';
/** A placeholder for an answer, variable or hidden field. */
const RECALL = /#recall:/;

/** @param fallbackLanguage language for surveys without one */
export function createSurveyTexts(
  survey: JsonObject,
  fallbackLanguage: string,
  { toText, warnOnce }: { readonly toText: HtmlToText; readonly warnOnce: WarnOnce },
): SurveyTexts {
  const keys = languagesOf(survey, fallbackLanguage, warnOnce);
  return {
    languages: keys.map(([, language]) => language),
    read(value, path) {
      const texts = isObject(value) ? value : { [DEFAULT]: value ?? '' };
      const byLanguage = keys.map(([key, language]) => {
        const text = texts[key];
        return [language, typeof text === 'string' ? toText(text, path) : ''] as const;
      });
      if (byLanguage.some(([, text]) => RECALL.test(text))) {
        const detail = 'Placeholders #recall:…# are not replaced';
        warnOnce('recall', { path, code: 'PLACEHOLDER_KEPT', detail });
      }
      return textOf(byLanguage);
    },
  };
}

/** The keys of texts with their languages, the default one first. Codes such as `pt-BR` and `pt-br` are one language. */
function languagesOf(
  survey: JsonObject,
  fallbackLanguage: string,
  warnOnce: WarnOnce,
): readonly (readonly [key: string, language: string])[] {
  const found = new Map<string, string>();
  for (const entry of listIn(survey, 'languages')) {
    const language = isObject(entry) && isObject(entry['language']) ? entry['language'] : {};
    const { code } = language;
    const tag = canonicalTag(code);
    if (!isObject(entry) || typeof code !== 'string' || tag === undefined) continue;
    found.set(entry['default'] === true ? DEFAULT : code, tag);
  }
  const keys = new Map([[found.get(DEFAULT) ?? fallbackLanguage, DEFAULT]]);
  for (const [key, language] of found) {
    if (key === DEFAULT) continue;
    if (!keys.has(language) && keys.size < LIMITS.languages) keys.set(language, key);
    else {
      const detail = `Texts of the language ${key.slice(0, 50)} are not imported: another entry has it, or there are too many`;
      warnOnce('language', { path: '', code: 'NOT_IMPORTED', detail });
    }
  }
  return [...keys].map(([language, key]) => [key, language]);
}
