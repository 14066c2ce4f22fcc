import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { addLogic } from '../core/add-logic.ts';
import { createBudget } from '../core/budget.ts';
import { createUniqueIds } from '../core/ids.ts';
import { createOrigins } from '../core/origins.ts';
import { createOutline } from '../core/outline.ts';
import type { SurveyFileReader, SurveyReadOptions } from '../core/reader.ts';
import { allowLongTexts, fitSize } from '../core/source-data.ts';
import { createHtmlToText, isEmptyText, mapText, toJsonText, UNTITLED } from '../core/texts.ts';
import { readJson } from '../files/json.ts';
import { createWarnOnce, invalidImport } from '../files/report.ts';
import { keepRest } from './element.ts';
import { createToFormula } from './logic.ts';
import { createMemberReader } from './member-reader.ts';
import { readPages } from './pages.ts';
import { readResultItems } from './responses.ts';
import { createTextReader } from './text-reader.ts';

/** Members of `source_data` that are never removed: readers of results need them, or they are unconverted logic. */
const NEEDED = new Set('source source_id type item column row part kept_as visibleIf requiredIf'.split(' '));

/** Reads a SurveyJS survey, or `{"survey": …, "responses": […]}` with its results. */
export const readSurveyjsSurvey: SurveyFileReader = async (file, options) => {
  const root = await readJson(file, { without: ['responses'] });
  if (!isObject(root)) throw reject('', 'The file must be an object with a survey of SurveyJS');
  const survey = root['survey'];
  const isEnvelope = isObject(survey);
  const base = isEnvelope ? '/survey' : '';
  const document = isEnvelope ? survey : root;
  const responses = isEnvelope ? root['responses'] : undefined;
  if (responses !== undefined && !Array.isArray(responses)) {
    throw reject('/responses', 'The responses must be an array of results');
  }
  const { payload, toFileProblem } = readDocument(document, base, options);
  return {
    payload,
    toFileProblem,
    responses: responses === undefined ? undefined : (warn) => readResultItems(file, ['responses'], payload, { warn }),
  };
};

function readDocument(document: JsonObject, base: string, { title, language, warn }: SurveyReadOptions) {
  const warnOnce = createWarnOnce(warn);
  const members = createMemberReader(document);
  const texts = createTextReader(members.takeText('locale') ?? language, warnOnce);
  const origins = createOrigins();
  const toUniqueId = createUniqueIds();
  const budget = createBudget();
  const outline = createOutline(origins, toUniqueId, { budget, warnOnce });
  const byName = new Map<string, JsonObject>();
  const html = createHtmlToText(warn);
  readPages(members, base, { texts, html, toUniqueId, warnOnce, budget, outline, byName });
  const outlined = outline.end();
  if (outlined.questionCount === 0) {
    throw reject(base, 'The survey has no questions in pages or elements');
  }
  const given = texts.read(members.take('title'), `${base}/title`);
  const description = texts.read(members.take('description'), `${base}/description`);
  const thanks = mapText(texts.read(members.take('completedHtml'), `${base}/completedHtml`), (text) =>
    html(text, `${base}/completedHtml`),
  );
  const survey: JsonObject = {
    title: isEmptyText(given) ? title || UNTITLED : toJsonText(given),
    ...(isEmptyText(description) ? {} : { description: toJsonText(description) }),
    supported_languages: [...texts.languages()],
    ...(isEmptyText(thanks) ? {} : { thank_you_screen: { description: toJsonText(thanks) } }),
    source_data: { ...keepRest(members, base, warnOnce), source: 'surveyjs' },
  };
  const payload = allowLongTexts(
    addLogic(survey, outlined, {
      convert: createToFormula(byName),
      warn,
    }),
  );
  return { payload: fitSize(payload, NEEDED, warn), toFileProblem: origins.toFileProblem };
}

function reject(path: string, detail: string) {
  return invalidImport([{ path, code: 'NO_SURVEY', detail }]);
}
