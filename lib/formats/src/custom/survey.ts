import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isObject, itemsOf } from '@survey/questionnaire/json';
import { pointer } from '@survey/questionnaire/pointer';
import { addToList } from '../core/maps.ts';
import type { SurveyFileReader, SurveyReadOptions, Warn } from '../core/reader.ts';
import { type LocatedObject, locatedObjects } from '../core/source-questions.ts';
import { readJson } from '../files/json.ts';
import { wrongType } from '../files/report.ts';
import { readCustomResponses } from './responses.ts';
import { splitSettings } from './settings-mapper.ts';

const RESPONSES = ['responses'];
const ENVELOPE_MEMBERS = new Set(['$schema', 'schema_version', 'version', 'survey', 'settings', 'responses']);

/**
 * Reads `{survey: {title, questions|pages, logic?, …}, settings?, responses?}`. This is the creation payload, but most
 * members are optional, and a list of questions can replace the pages.
 */
export const readCustomJsonSurvey: SurveyFileReader = async (file, options) => {
  const data = await readJson(file, { without: RESPONSES });
  if (!isObject(data)) throw wrongType('', 'The data must be an object with a survey');
  const { survey, responses } = data;
  if (!isObject(survey)) throw wrongType('/survey', 'The survey must be an object');
  if (!isAbsent(responses) && !Array.isArray(responses)) {
    throw wrongType('/responses', 'The responses must be an array');
  }
  const listed = isAbsent(survey['pages']) ? putOnPages(survey) : undefined;
  const { settings, unconverted } = splitSettings(data['settings']);
  const kept = Object.fromEntries(Object.entries(data).filter(([name]) => !ENVELOPE_MEMBERS.has(name)));
  warnOfKept(kept, unconverted, options.warn);
  const allKept = { ...kept, ...(unconverted === undefined ? {} : { settings: unconverted }) };
  return {
    payload: {
      schema_version: data['schema_version'] ?? survey['schema_version'] ?? '1.0',
      version: data['version'] ?? survey['version'] ?? 1,
      survey: completeSurvey(withoutVersions(survey, data), listed, allKept, options),
      ...(settings === undefined ? {} : { settings }),
    },
    responses: isAbsent(responses) ? undefined : (warn) => readCustomResponses(file, RESPONSES, warn),
    toFileProblem: (problem) => ({ ...problem, path: toFilePath(problem.path, listed, data) }),
  };
};

/** Warns of each member, and of each setting, that has no equivalent. */
function warnOfKept(members: JsonObject, otherSettings: JsonValue | undefined, warn: Warn): void {
  const warnOf = (name: string, path: string) =>
    warn({ path, code: 'KEPT_AS_SOURCE_DATA', detail: `${name} has no equivalent and is kept in source_data` });
  for (const name of Object.keys(members)) warnOf(name, pointer('', name));
  if (isObject(otherSettings)) {
    for (const name of Object.keys(otherSettings)) warnOf(`settings.${name}`, pointer('/settings', name));
  } else if (otherSettings !== undefined) warnOf('settings', '/settings');
}

function putOnPages(survey: JsonObject): ListedQuestions {
  const questions = survey['questions'];
  if (!Array.isArray(questions)) throw wrongType('/survey', 'The survey must have an array of questions or pages');
  return listPages(questions, locatedObjects(survey, 'sections', '/survey'));
}

/** Removes `schema_version` and `version` from the survey if the payload has taken them from there. */
function withoutVersions(survey: JsonObject, data: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(survey).filter(([name]) => !isVersionOfSurvey(name, data)));
}

/** Whether the payload takes this member from the survey: a version that the file does not have beside the survey. */
function isVersionOfSurvey(name: string, data: JsonObject): boolean {
  return (name === 'schema_version' || name === 'version') && isAbsent(data[name]);
}

function completeSurvey(
  survey: JsonObject,
  listed: ListedQuestions | undefined,
  kept: JsonObject,
  { title, language }: SurveyReadOptions,
): JsonObject {
  const { source_data: sourceData, ...members } = survey;
  const { questions: _questions, ...withoutQuestions } = members;
  return {
    ...(listed === undefined ? members : { ...withoutQuestions, pages: [...listed.pages] }),
    ...(title === '' || !isAbsent(survey['title']) ? {} : { title }),
    ...(!isAbsent(survey['supported_languages']) ? {} : { supported_languages: [language] }),
    ...mergeSourceData(sourceData, kept),
  };
}

/** Adds members to the `source_data` of the survey. If names collide, its existing value becomes the member `survey`. */
function mergeSourceData(existing: JsonValue | undefined, kept: JsonObject): JsonObject {
  const names = Object.keys(kept);
  if (names.length === 0) return existing === undefined ? {} : { source_data: existing };
  if (isAbsent(existing)) return { source_data: kept };
  const isDisjoint = isObject(existing) && !names.some((name) => Object.hasOwn(existing, name));
  return { source_data: isDisjoint ? { ...existing, ...kept } : { ...kept, survey: existing } };
}

function toFilePath(path: string, listed: ListedQuestions | undefined, data: JsonObject): string {
  const [, root = '', list, page, member, question, ...rest] = path.split('/');
  if (isVersionOfSurvey(root, data)) return `/survey${path}`;
  if (listed === undefined || root !== 'survey' || list !== 'pages') return path;
  const { section, positions = [] } = listed.origins[Number(page)] ?? {};
  if (member === 'title' && section !== undefined) return `${section.path}/title`;
  const position = positions[Number(question)];
  return position === undefined ? '/survey/questions' : ['/survey/questions', position, ...rest].join('/');
}

/** Questions of a single list, on pages. */
interface ListedQuestions {
  readonly pages: readonly JsonObject[];
  /** The origins of the pages in the file. */
  readonly origins: readonly PageOrigin[];
}

interface PageOrigin {
  /** Undefined for questions without a section. */
  readonly section: LocatedObject | undefined;
  /** Positions of its questions in the list. */
  readonly positions: readonly number[];
}

/**
 * Makes one page, or a page for each section. The page of a section is where its first question is, and has all its
 * questions. Adjacent questions without a section (a run) share a page.
 */
function listPages(questions: readonly JsonValue[], sections: readonly LocatedObject[]): ListedQuestions {
  const sectionById = sectionsByQuestion(sections);
  /** By the section, or by the number of the run. */
  const positionsByPage = new Map<LocatedObject | number, number[]>();
  let run = 0;
  let previous: LocatedObject | undefined;
  for (const [position, question] of questions.entries()) {
    const id = isObject(question) ? question['id'] : undefined;
    const section = typeof id === 'string' ? sectionById.get(id) : undefined;
    if (section === undefined && previous !== undefined) run += 1;
    previous = section;
    addToList(positionsByPage, section ?? run, position);
  }
  if (positionsByPage.size === 0) positionsByPage.set(run, []);
  const origins = [...positionsByPage].map(([page, positions]) => ({
    section: typeof page === 'number' ? undefined : page,
    positions,
  }));
  const pages = origins.map(({ section, positions }) => ({
    ...(isAbsent(section?.source['title']) ? {} : { title: section.source['title'] }),
    questions: positions.map((position) => questions[position] ?? null),
  }));
  return { pages, origins };
}

/** The sections by ids of questions. A question belongs to the first section that names it. */
function sectionsByQuestion(sections: readonly LocatedObject[]): ReadonlyMap<string, LocatedObject> {
  const sectionById = new Map<string, LocatedObject>();
  for (const section of sections) {
    for (const id of itemsOf(section.source['question_ids'] ?? section.source['questions'])) {
      if (typeof id === 'string' && !sectionById.has(id)) sectionById.set(id, section);
    }
  }
  return sectionById;
}
