import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isObject, itemsOf } from '@survey/questionnaire/json';
import { pointer } from '@survey/questionnaire/pointer';
import { addToList } from '../core/maps.ts';
import type { SurveyFileReader, SurveyReadOptions, Warn } from '../core/reader.ts';
import { objectsOf } from '../core/source-questions.ts';
import { readJson } from '../files/json.ts';
import { wrongType } from '../files/report.ts';
import { readCustomResponses } from './responses.ts';
import { splitSettings } from './settings-mapper.ts';

const RESPONSES = ['responses'];
const ENVELOPE_MEMBERS = new Set(['$schema', 'schema_version', 'version', 'survey', 'settings', 'responses']);

/**
 * Reads `{survey: {title, questions|pages, logic?, …}, responses?}`: the creation payload with fewer required members.
 */
export const readCustomJsonSurvey: SurveyFileReader = async (file, options) => {
  const data = await readJson(file, { without: RESPONSES });
  if (!isObject(data)) throw wrongType('', 'The data must be an object with a survey');
  const { survey, responses } = data;
  if (!isObject(survey)) throw wrongType('/survey', 'The survey must be an object');
  if (!isAbsent(responses) && !Array.isArray(responses)) {
    throw wrongType('/responses', 'The responses must be an array');
  }
  const paged = isAbsent(survey['pages']) ? putOnPages(survey) : undefined;
  const { settings, unconverted } = splitSettings(data['settings']);
  const kept = Object.fromEntries(Object.entries(data).filter(([name]) => !ENVELOPE_MEMBERS.has(name)));
  warnOfKept(kept, unconverted, options.warn);
  const allKept = { ...kept, ...(unconverted === undefined ? {} : { settings: unconverted }) };
  return {
    payload: {
      schema_version: data['schema_version'] ?? survey['schema_version'] ?? '1.0',
      version: data['version'] ?? survey['version'] ?? 1,
      survey: completeSurvey(withoutVersions(survey, data), paged, allKept, options),
      ...(settings === undefined ? {} : { settings }),
    },
    responses: isAbsent(responses) ? undefined : (warn) => readCustomResponses(file, RESPONSES, warn),
    toFileProblem: (problem) => ({ ...problem, path: toFilePath(problem.path, paged) }),
  };
};

/** Warns of each member, and of each setting, that has no equivalent. */
function warnOfKept(members: JsonObject, settings: JsonValue | undefined, warn: Warn): void {
  const warnOf = (name: string, path: string) =>
    warn({ path, code: 'KEPT_AS_SOURCE_DATA', detail: `${name} has no equivalent and is kept in source_data` });
  for (const name of Object.keys(members)) warnOf(name, pointer('', name));
  if (isObject(settings)) {
    for (const name of Object.keys(settings)) warnOf(`settings.${name}`, pointer('/settings', name));
  } else if (settings !== undefined) warnOf('settings', '/settings');
}

function putOnPages(survey: JsonObject): PagedQuestions {
  const questions = survey['questions'];
  if (!Array.isArray(questions)) throw wrongType('/survey', 'The survey must have an array of questions or pages');
  return pagesOf(questions, survey['sections']);
}

/** Removes `schema_version` and `version` from the survey if the payload has taken them from there. */
function withoutVersions(survey: JsonObject, data: JsonObject): JsonObject {
  const isMoved = (name: string) => (name === 'schema_version' || name === 'version') && isAbsent(data[name]);
  return Object.fromEntries(Object.entries(survey).filter(([name]) => !isMoved(name)));
}

function completeSurvey(
  survey: JsonObject,
  paged: PagedQuestions | undefined,
  kept: JsonObject,
  { title, language }: SurveyReadOptions,
): JsonObject {
  const { source_data: sourceData, ...members } = survey;
  const { questions: _questions, ...withoutQuestions } = members;
  return {
    ...(paged === undefined ? members : { ...withoutQuestions, pages: [...paged.pages] }),
    ...(title === '' || !isAbsent(survey['title']) ? {} : { title }),
    ...(!isAbsent(survey['supported_languages']) ? {} : { supported_languages: [language] }),
    ...mergeSourceData(sourceData, kept),
  };
}

/** Adds members to the existing `source_data`. If names collide, the existing value becomes the member `survey`. */
function mergeSourceData(existing: JsonValue | undefined, kept: JsonObject): JsonObject {
  const names = Object.keys(kept);
  if (names.length === 0) return existing === undefined ? {} : { source_data: existing };
  if (existing === undefined) return { source_data: kept };
  const isDisjoint = isObject(existing) && !names.some((name) => Object.hasOwn(existing, name));
  return { source_data: isDisjoint ? { ...existing, ...kept } : { ...kept, survey: existing } };
}

function toFilePath(path: string, paged: PagedQuestions | undefined): string {
  const [, page, question, rest = ''] = /^\/survey\/pages(?:\/(\d+)(?:\/questions\/(\d+)(.*))?)?/s.exec(path) ?? [];
  if (paged === undefined || !path.startsWith('/survey/pages')) return path;
  const position = paged.positions[Number(page)]?.[Number(question)];
  return position === undefined ? '/survey/questions' : `/survey/questions/${position}${rest}`;
}

/** Questions of a single list, split into pages. */
interface PagedQuestions {
  readonly pages: readonly JsonObject[];
  /** For each page, the positions of its questions in the list. */
  readonly positions: readonly (readonly number[])[];
}

/**
 * Makes one page, or a page for each section. The page of a section is where its first question is. Adjacent questions
 * without a section (a run) share a page.
 */
function pagesOf(questions: readonly JsonValue[], sections: JsonValue | undefined): PagedQuestions {
  const sectionOf = sectionsByQuestion(sections);
  const positionsByPage = new Map<JsonObject | number, number[]>();
  let run = 0;
  let previous: JsonObject | undefined;
  for (const [position, question] of questions.entries()) {
    const id = isObject(question) ? question['id'] : undefined;
    const section = typeof id === 'string' ? sectionOf.get(id) : undefined;
    if (section === undefined && previous !== undefined) run += 1;
    previous = section;
    addToList(positionsByPage, section ?? run, position);
  }
  if (positionsByPage.size === 0) positionsByPage.set(run, []);
  return {
    pages: [...positionsByPage].map(([page, positions]) => ({
      ...(isObject(page) && !isAbsent(page['title']) ? { title: page['title'] } : {}),
      questions: positions.map((position) => questions[position] ?? null),
    })),
    positions: [...positionsByPage.values()],
  };
}

/** The sections by ids of questions. A question belongs to the first section that names it. */
function sectionsByQuestion(sections: JsonValue | undefined): ReadonlyMap<string, JsonObject> {
  const sectionOf = new Map<string, JsonObject>();
  for (const section of objectsOf(sections)) {
    for (const id of itemsOf(section['question_ids'] ?? section['questions'])) {
      if (typeof id === 'string' && !sectionOf.has(id)) sectionOf.set(id, section);
    }
  }
  return sectionOf;
}
