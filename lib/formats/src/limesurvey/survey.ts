import type { JsonObject } from '@bufbuild/protobuf';
import { canonicalTag } from '@survey/questionnaire/definition/language-tag';
import { LIMITS } from '@survey/questionnaire/limits';
import { createBudget } from '../core/budget.ts';
import { toLogic } from '../core/logic/to-logic.ts';
import { createOrigins } from '../core/origins.ts';
import type { ConvertedSurvey, SurveyFileReader, SurveyReadOptions } from '../core/reader.ts';
import { fitSize } from '../core/source-data.ts';
import { createHtmlToText, isEmptyText, toJsonText, UNTITLED } from '../core/texts.ts';
import { finishLogic } from '../core/unsupported-logic.ts';
import { createWarnOnce, type WarnOnce } from '../files/report.ts';
import { openTable } from '../tables/open-table.ts';
import { isArchive, openLsa } from './archive.ts';
import { readLsrResponses } from './lsr.ts';
import { type Lss, readLss } from './lss.ts';
import { joinTables, type LssSurvey } from './lss-survey.ts';
import { indexQuestions } from './question-index.ts';
import { buildPages } from './survey-pages.ts';
import { readRules } from './survey-rules.ts';
import { keepSettings } from './survey-settings.ts';
import { readTsv, toRowProblem } from './tsv.ts';

/** Members of `source_data` that readers of responses need. */
const NEEDED: ReadonlySet<string> = new Set(['source', 'source_id', 'variable', 'type', 'moment', 'scale', 'qid']);

/** Reads a LimeSurvey survey (LSS), in both file versions, or an archive (LSA) with a survey and its responses. */
export const readLimesurveySurvey: SurveyFileReader = async (file, options) => {
  if (!(await isArchive(file))) return toSurvey(await readLss(file), options);
  const { structure, responses } = await openLsa(file, options.warn);
  const survey = toSurvey(await readLss(structure), options);
  if (responses === undefined) return survey;
  return {
    ...survey,
    responses: (warn) => readLsrResponses(responses, survey.payload, { table: options.table, warn }),
  };
};

/** Reads the tab-separated structure of a survey. */
export const readLimesurveyTsvSurvey: SurveyFileReader = async (file, options) => {
  const warn: SurveyReadOptions['warn'] = (warning) => options.warn(toRowProblem(warning));
  const survey = toSurvey(await readTsv(await openTable(file, options.table, options.warn)), { ...options, warn });
  return { ...survey, toFileProblem: (problem) => toRowProblem(survey.toFileProblem(problem)) };
};

function toSurvey(lss: Lss, options: SurveyReadOptions): ConvertedSurvey {
  const { warn } = options;
  const warnOnce = createWarnOnce(warn);
  const toText = createHtmlToText(warn);
  const languages = readLanguages(lss, options, warnOnce);
  const tags = languages.map(([, tag]) => tag);
  const survey = joinTables(lss, { languages, toText });
  const origins = createOrigins();
  origins.note('', '');
  const codes = languages.map(([code]) => code);
  const { pages, steps, unconverted } = buildPages(survey, {
    languages: codes,
    warnOnce,
    origins,
    budget: createBudget(toRowProblem),
  });

  const texts = textsOf(survey, options.title);
  const sourceData = {
    ...keepSettings(lss, survey, warnOnce),
    ...(unconverted.length === 0 ? {} : { questions: unconverted }),
  };
  const definition = {
    ...texts,
    supported_languages: tags,
    pages,
    source_data: { source: 'limesurvey', ...sourceData },
  };
  const payload: JsonObject = { schema_version: '1.0', version: 1, survey: definition };
  const read = readRules(steps, survey, indexQuestions(payload));
  const { logic, unsupported } = toLogic(read.rules, payload);
  const allUnsupported = [...read.unsupported, ...unsupported.map(({ rule, reason }) => ({ ...rule, reason }))];
  const withLogic = finishLogic(pages, logic, allUnsupported, warnOnce);
  return {
    payload: fitSize({ ...payload, survey: { ...definition, ...withLogic } }, NEEDED, warn),
    toFileProblem: origins.toFileProblem,
    responses: undefined,
  };
}

/** The survey's own language, then the others. Invalid languages are left out. */
function readLanguages(lss: Lss, { language }: SurveyReadOptions, warnOnce: WarnOnce) {
  const settings = lss.rows('surveys')[0];
  const mainLanguage = settings?.get('language') ?? '';
  const others = (settings?.get('additional_languages') ?? '').split(/\s+/);
  const written = lss.rows('surveys_languagesettings').map((row) => row.get('surveyls_language'));
  const codes = [...new Set([mainLanguage, ...others, ...written])].filter((code) => code !== '');
  const languages = codes.flatMap((code): readonly (readonly [string, string])[] => {
    const tag = canonicalTag(code);
    if (tag !== undefined) return [[code, tag]];
    const detail = `The language ${code} is unknown; its texts are not imported`;
    warnOnce(code, { path: settings?.path ?? '', code: 'NOT_IMPORTED', detail });
    return [];
  });
  if (languages.length > LIMITS.languages) {
    const detail = `The survey has more than ${LIMITS.languages} languages; the texts of the others are not imported`;
    warnOnce('languages', { path: settings?.path ?? '', code: 'NOT_IMPORTED', detail });
  }
  return languages.length === 0 ? [[language, language] as const] : languages.slice(0, LIMITS.languages);
}

function textsOf({ texts }: LssSurvey, fallback: string): JsonObject {
  const [title, description] = [texts('surveyls_title'), texts('surveyls_description')];
  const [welcome, end] = [texts('surveyls_welcometext'), texts('surveyls_endtext')];
  return {
    title: isEmptyText(title) ? fallback || UNTITLED : toJsonText(title),
    ...(isEmptyText(description) ? {} : { description: toJsonText(description) }),
    ...(isEmptyText(welcome) ? {} : { welcome_screen: { description: toJsonText(welcome) } }),
    ...(isEmptyText(end) ? {} : { thank_you_screen: { description: toJsonText(end) } }),
  };
}
