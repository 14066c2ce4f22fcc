import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { canonicalTag } from '@survey/questionnaire/definition/language-tag';
import { isAbsent, isArray, isObject } from '@survey/questionnaire/json';
import { LIMITS } from '@survey/questionnaire/limits';
import { type HtmlToText, type Text, textOf } from '../core/texts.ts';
import type { ImportFile } from '../files/import-file.ts';
import { readJson } from '../files/json.ts';
import { type WarnOnce, wrongType } from '../files/report.ts';

/** Paths of the responses in a file that also has the survey: in a reply of the API, or as a list. */
export const RESPONSE_PATHS = [['responses', 'data'], ['responses']];
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
  const data = await readJson(file, { without: RESPONSE_PATHS[0] ?? [] });
  if (!isObject(data)) throw wrongType('', `The file must be an object with a survey: ${ADVICE}`);
  const { responses } = data;
  if (isObject(data['survey'])) {
    const { survey, path } = unwrap(data['survey'], '/survey');
    const isList = isArray(responses) || (isObject(responses) && isArray(responses['data']));
    if (!isAbsent(responses) && !isList) throw wrongType('/responses', 'The responses must be an object with data');
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
  const isResponses = isObject(first) && !isAbsent(first['surveyId']) && !isAbsent(first['data']);
  const detail = isResponses
    ? `The file has responses and no survey: ${ADVICE}. Then import {"survey": …, "responses": …}, or import the survey first and the responses into it`
    : `The file is a list: ${ADVICE}`;
  return wrongType('', detail);
}

export interface SurveyTexts {
  /** Languages of the survey, its own language first. */
  readonly languages: readonly string[];
  read(value: JsonValue | undefined, path: string): Text;
}

/** The key of texts in the language of the survey. */
const DEFAULT = 'default';
/** A placeholder for an answer, variable or hidden field. */
const RECALL = /#recall:/;

/** @param fallback language for surveys without one */
export function createSurveyTexts(
  survey: JsonObject,
  fallback: string,
  { toText, warnOnce }: { readonly toText: HtmlToText; readonly warnOnce: WarnOnce },
): SurveyTexts {
  const keys = languagesOf(survey, fallback);
  return {
    languages: keys.map(([, language]) => language),
    read(value, path) {
      const texts = isObject(value) ? value : { [DEFAULT]: value ?? '' };
      const given = keys.map(([key, language]) => {
        const text = texts[key];
        return [language, typeof text === 'string' ? toText(text, path) : ''] as const;
      });
      if (given.some(([, text]) => RECALL.test(text))) {
        const detail = 'Placeholders #recall:…# are not replaced';
        warnOnce('recall', { path, code: 'PLACEHOLDER_KEPT', detail });
      }
      return textOf(given);
    },
  };
}

/** The keys of texts with their languages. */
function languagesOf(survey: JsonObject, fallback: string): readonly (readonly [key: string, language: string])[] {
  const found = new Map<string, string>();
  for (const entry of listIn(survey, 'languages')) {
    const language = isObject(entry) && isObject(entry['language']) ? entry['language'] : {};
    const { code } = language;
    const tag = canonicalTag(code);
    if (!isObject(entry) || typeof code !== 'string' || tag === undefined) continue;
    found.set(entry['default'] === true ? DEFAULT : code, tag);
  }
  const mainLanguage = found.get(DEFAULT) ?? fallback;
  const others = [...found].filter(([key, language]) => key !== DEFAULT && language !== mainLanguage);
  return [[DEFAULT, mainLanguage] as const, ...others].slice(0, LIMITS.languages);
}
