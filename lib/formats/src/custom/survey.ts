import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isAbsent, isObject, itemsOf } from '@survey/questionnaire/json';
import { pointer } from '@survey/questionnaire/pointer';
import type { SurveyFileReader, SurveyReadOptions } from '../core/reader.ts';
import { readJson } from '../files/json.ts';
import { wrongType } from '../files/report.ts';
import { readCustomResponses } from './responses.ts';
import { splitSettings, toWarning, type UnconvertedMember } from './settings-mapper.ts';

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
  const paged = !isAbsent(survey['pages']) ? undefined : putOnPages(survey);
  const {
    settings,
    unconverted: unconvertedSettings,
    rest: otherSettings,
  } = splitSettings(data['settings'], '/settings');
  const unconverted = findUnconverted(data);
  for (const member of [...unconverted, ...unconvertedSettings]) options.warn(toWarning(member));
  const keptMembers = otherSettings === undefined ? unconverted : [...unconverted, otherSettings];
  return {
    payload: {
      schema_version: data['schema_version'] ?? survey['schema_version'] ?? '1.0',
      version: data['version'] ?? survey['version'] ?? 1,
      survey: completeSurvey(withoutVersions(survey, data), paged, keptMembers, options),
      ...(settings === undefined ? {} : { settings }),
    },
    responses: isAbsent(responses) ? undefined : (warn) => readCustomResponses(file, RESPONSES, warn),
    toFileProblem: (problem) => ({ ...problem, path: toFilePath(problem.path, paged) }),
  };
};

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
  unconverted: readonly UnconvertedMember[],
  { title, language }: SurveyReadOptions,
): JsonObject {
  const { source_data: sourceData, ...members } = survey;
  const { questions: _questions, ...withoutQuestions } = members;
  return {
    ...(paged === undefined ? members : withoutQuestions),
    ...(title === '' || !isAbsent(survey['title']) ? {} : { title }),
    ...(!isAbsent(survey['supported_languages']) ? {} : { supported_languages: [language] }),
    ...(paged === undefined ? {} : { pages: [...paged.pages] }),
    ...mergeSourceData(sourceData, unconverted),
  };
}

function findUnconverted(data: JsonObject): readonly UnconvertedMember[] {
  return Object.entries(data)
    .filter(([name]) => !ENVELOPE_MEMBERS.has(name))
    .map(([name, value]) => ({ name, value, path: pointer('', name) }));
}

/** Adds members to the existing `source_data`. If names collide, the existing value becomes the member `survey`. */
function mergeSourceData(existing: JsonValue | undefined, unconverted: readonly UnconvertedMember[]): JsonObject {
  if (unconverted.length === 0) return existing === undefined ? {} : { source_data: existing };
  const added = Object.fromEntries(unconverted.map(({ name, value }) => [name, value]));
  if (existing === undefined) return { source_data: added };
  const isDisjoint = isObject(existing) && !unconverted.some(({ name }) => Object.hasOwn(existing, name));
  return { source_data: isDisjoint ? { ...existing, ...added } : { ...added, survey: existing } };
}

function toFilePath(path: string, paged: PagedQuestions | undefined): string {
  const [, page, question, rest = ''] = /^\/survey\/pages(?:\/(\d+)(?:\/questions\/(\d+)(.*))?)?/s.exec(path) ?? [];
  if (paged === undefined || !path.startsWith('/survey/pages')) return path;
  const position = paged.positions[Number(page)]?.[Number(question)];
  return position === undefined ? '/survey/questions' : `/survey/questions/${position}${rest}`;
}

/** Questions of a single list, split into pages. */
export interface PagedQuestions {
  readonly pages: readonly JsonObject[];
  /** For each page, the positions of its questions in the list. */
  readonly positions: readonly (readonly number[])[];
}

/**
 * Makes one page, or a page for each section. A section's page is placed where its first question is. Adjacent
 * questions without a section share a page.
 */
export function pagesOf(questions: readonly JsonValue[], sections: JsonValue | undefined): PagedQuestions {
  const sectionOf = indexSections(sections);
  const byPage = new Map<string, { readonly section: JsonObject | undefined; readonly positions: number[] }>();
  let run = 0;
  let previous: JsonObject | undefined;
  for (const [position, question] of questions.entries()) {
    const id = isObject(question) ? question['id'] : undefined;
    const found = typeof id === 'string' ? sectionOf.get(id) : undefined;
    if (found === undefined && previous !== undefined) run += 1;
    previous = found?.section;
    const key = found === undefined ? `run ${run}` : `section ${found.index}`;
    const page = byPage.get(key) ?? { section: found?.section, positions: [] };
    page.positions.push(position);
    byPage.set(key, page);
  }
  const all = byPage.size === 0 ? [{ section: undefined, positions: [] }] : [...byPage.values()];
  return {
    pages: all.map(({ section, positions }) => ({
      ...titleOf(section),
      questions: positions.map((position) => questions[position] ?? null),
    })),
    positions: all.map(({ positions }) => positions),
  };
}

function titleOf(section: JsonObject | undefined): JsonObject {
  const title = section?.['title'];
  return !isAbsent(title) ? { title } : {};
}

/** A question belongs to the first section that names it. */
function indexSections(sections: JsonValue | undefined) {
  const sectionOf = new Map<string, { readonly index: number; readonly section: JsonObject }>();
  for (const [index, section] of Array.isArray(sections) ? sections.entries() : []) {
    if (!isObject(section)) continue;
    for (const id of itemsOf(section['question_ids'] ?? section['questions'])) {
      if (typeof id === 'string' && !sectionOf.has(id)) sectionOf.set(id, { index, section });
    }
  }
  return sectionOf;
}
