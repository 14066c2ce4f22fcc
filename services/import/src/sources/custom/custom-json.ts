import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isObject } from '@survey/questionnaire/json';
import { pointer } from '@survey/questionnaire/pointer';
import { invalidImport } from '../../files/invalid-import.ts';
import { readJson } from '../../files/read-json.ts';
import type { SurveyFileReader, SurveyReadOptions } from '../reader.ts';
import { type Member, toWarning } from './member.ts';
import { type PagedQuestions, pagesOf } from './pages.ts';
import { readResponseItems } from './responses-json.ts';
import { sortSettings } from './settings.ts';

const PLACE = ['responses'];
const MEMBERS = new Set(['schema_version', 'version', 'survey', 'settings', 'responses']);

/** `{survey: {title, questions|pages, logic?, …}, responses?}`: the creation payload, with less that is required. */
export const readCustomJsonSurvey: SurveyFileReader = async (file, options) => {
  const data = await readJson(file, { without: PLACE });
  if (!isObject(data)) throw refusal('', 'The data has to be an object with the survey');
  const { survey, responses } = data;
  if (!isObject(survey)) throw refusal('/survey', 'The survey has to be an object');
  if (!isAbsent(responses) && !Array.isArray(responses)) {
    throw refusal('/responses', 'The responses have to be an array');
  }
  const paged = !isAbsent(survey['pages']) ? undefined : pageQuestions(survey);
  const { settings, homeless: strange, rest } = sortSettings(data['settings'], '/settings');
  const homeless = findHomeless(data);
  const kept = rest === undefined ? homeless : [...homeless, rest];
  for (const member of [...homeless, ...strange]) options.warn(toWarning(member));
  return {
    payload: {
      schema_version: data['schema_version'] ?? survey['schema_version'] ?? '1.0',
      version: data['version'] ?? survey['version'] ?? 1,
      survey: completeSurvey(withoutHeader(survey, data), paged, kept, options),
      ...(settings === undefined ? {} : { settings }),
    },
    responses: isAbsent(responses) ? undefined : (warn) => readResponseItems(file, PLACE, warn),
    inFile: (problem) => ({ ...problem, path: toFilePath(problem.path, paged) }),
  };
};

function pageQuestions(survey: JsonObject): PagedQuestions {
  const questions = survey['questions'];
  if (!Array.isArray(questions)) throw refusal('/survey', 'The survey has to have questions or pages, as an array');
  return pagesOf(questions, survey['sections']);
}

/** The survey without the members that the payload takes from it, as it has none of its own. */
function withoutHeader(survey: JsonObject, data: JsonObject): JsonObject {
  const isTaken = (name: string) => (name === 'schema_version' || name === 'version') && isAbsent(data[name]);
  return Object.fromEntries(Object.entries(survey).filter(([name]) => !isTaken(name)));
}

function completeSurvey(
  survey: JsonObject,
  paged: PagedQuestions | undefined,
  homeless: readonly Member[],
  { title, language }: SurveyReadOptions,
): JsonObject {
  const { source_data: before, ...members } = survey;
  const { questions: _paged, ...others } = members;
  return {
    ...(paged === undefined ? members : others),
    ...(title === '' || !isAbsent(survey['title']) ? {} : { title }),
    ...(!isAbsent(survey['supported_languages']) ? {} : { supported_languages: [language] }),
    ...(paged === undefined ? {} : { pages: [...paged.pages] }),
    ...sourceData(before, homeless),
  };
}

function findHomeless(data: JsonObject): readonly Member[] {
  return Object.entries(data)
    .filter(([name]) => !MEMBERS.has(name))
    .map(([name, value]) => ({ name, value, path: pointer('', name) }));
}

/** What was kept before stays as it was, one level deeper when its names are taken: `survey` is none of them. */
function sourceData(before: JsonValue | undefined, homeless: readonly Member[]): JsonObject {
  if (homeless.length === 0) return before === undefined ? {} : { source_data: before };
  const kept = Object.fromEntries(homeless.map(({ name, value }) => [name, value]));
  if (before === undefined) return { source_data: kept };
  const isApart = isObject(before) && !homeless.some(({ name }) => Object.hasOwn(before, name));
  return { source_data: isApart ? { ...before, ...kept } : { ...kept, survey: before } };
}

function toFilePath(path: string, paged: PagedQuestions | undefined): string {
  const [, page, question, rest = ''] = /^\/survey\/pages(?:\/(\d+)(?:\/questions\/(\d+)(.*))?)?/s.exec(path) ?? [];
  if (paged === undefined || !path.startsWith('/survey/pages')) return path;
  const position = paged.positions[Number(page)]?.[Number(question)];
  return position === undefined ? '/survey/questions' : `/survey/questions/${position}${rest}`;
}

function refusal(path: string, detail: string) {
  return invalidImport([{ path, code: 'WRONG_TYPE', detail }]);
}
