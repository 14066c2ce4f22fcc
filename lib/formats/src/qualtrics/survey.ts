import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { createBudget } from '../core/budget.ts';
import { toLogic } from '../core/logic/to-logic.ts';
import { createOrigins } from '../core/origins.ts';
import type { SurveyFileReader } from '../core/reader.ts';
import { fitSize } from '../core/source-data.ts';
import { createHtmlToText, UNTITLED } from '../core/texts.ts';
import { finishLogic } from '../core/unsupported-logic.ts';
import { readJson } from '../files/json.ts';
import { createWarnOnce } from '../files/report.ts';
import { readFlow } from './flow.ts';
import { writeJumps } from './jumps.ts';
import { toLanguageTag } from './languages.ts';
import { readQsf, scalarText } from './qsf.ts';
import { indexQuestions } from './question-index.ts';
import { buildPages, type SurveyContext } from './survey-pages.ts';
import { readRules } from './survey-rules.ts';

/** Members of `source_data` that readers of responses need. */
const NEEDED: ReadonlySet<string> = new Set(['source', 'source_id', 'export_tag', 'date_format', 'type']);
/** Internal elements without content. */
const BOOKKEEPING: ReadonlySet<JsonValue | undefined> = new Set(['QC', 'RS', 'STAT', 'PROJ', 'QG']);
const ENTRY_USED = ['SurveyID', 'SurveyName', 'SurveyDescription', 'SurveyLanguage'];

export const readQualtricsSurvey: SurveyFileReader = async (file, { title, language: fallback, warn }) => {
  const qsf = readQsf(await readJson(file));
  const warnOnce = createWarnOnce(warn);
  const { entry } = qsf;
  const language = toLanguageTag(scalarText(entry['SurveyLanguage']) ?? '') ?? fallback;
  const languages = new Set([language]);
  const origins = createOrigins();
  origins.note('', '');
  const toText = createHtmlToText(warn);
  const context: SurveyContext = {
    qsf,
    flow: readFlow(qsf),
    origins,
    warnOnce,
    budget: createBudget(),
    texts: {
      toText,
      language,
      onLanguage: (tag) => languages.add(tag),
      onUnknownLanguage: (code, path) =>
        warnOnce(code, {
          path,
          code: 'NOT_IMPORTED',
          detail: `The language ${code} is unknown; its texts are not imported`,
        }),
    },
  };
  const { pages, sections, steps, unconverted } = buildPages(context);
  const name = toText(scalarText(entry['SurveyName']) ?? '', '/SurveyEntry/SurveyName');
  const description = toText(scalarText(entry['SurveyDescription']) ?? '', '/SurveyEntry/SurveyDescription');
  const survey: JsonObject = {
    title: name || title || UNTITLED,
    ...(description === '' ? {} : { description }),
    supported_languages: [...languages],
    pages,
    ...(sections.length === 0 ? {} : { sections }),
    source_data: {
      source: 'qualtrics',
      ...keepRest(context),
      ...(unconverted.length === 0 ? {} : { questions: unconverted }),
    },
  };
  const payload: JsonObject = { schema_version: '1.0', version: 1, survey };
  const read = readRules(steps, context.flow, indexQuestions(payload));
  const displayLogic = toLogic(read.rules, payload);
  const ids = steps.flatMap((step) => step.ids);
  const { logic, unsupported } = writeJumps(read.jumps, displayLogic.logic, ids, payload);
  const allUnsupported = [
    ...read.unsupported,
    ...displayLogic.unsupported.map(({ rule, reason }) => ({ ...rule, reason })),
    ...unsupported,
  ];
  const withLogic = finishLogic(pages, logic, allUnsupported, warnOnce);
  return {
    payload: fitSize({ ...payload, survey: { ...survey, ...withLogic } }, NEEDED, warn),
    toFileProblem: origins.toFileProblem,
    responses: undefined,
  };
};

/** Source data of the survey: everything without an equivalent, with warnings. */
function keepRest({ qsf, flow, warnOnce }: SurveyContext): JsonObject {
  const { entry } = qsf;
  const warn = (key: string, path: string, subject: string) =>
    warnOnce(key, {
      path,
      code: 'KEPT_AS_SOURCE_DATA',
      detail: `${subject} has no equivalent and is kept in source_data`,
    });
  const rest = Object.entries(entry).filter(([name, value]) => !ENTRY_USED.includes(name) && value !== null);
  const elements = qsf.others.filter(({ value }) => !BOOKKEEPING.has(value['Element']));
  for (const { path, value } of elements) warn(`element ${value['Element']}`, path, `The element ${value['Element']}`);
  for (const [type, path] of flow.unsupportedElements) warn(`flow ${type}`, path, `The element ${type} of the flow`);
  return {
    ...(scalarText(entry['SurveyID']) === undefined ? {} : { source_id: String(entry['SurveyID']) }),
    ...(rest.length === 0 ? {} : { entry: Object.fromEntries(rest) }),
    ...(elements.length === 0 ? {} : { elements: elements.map(({ value }) => value) }),
    ...(flow.unsupportedElements.size === 0 || qsf.flow === undefined ? {} : { flow: qsf.flow.value }),
  };
}
