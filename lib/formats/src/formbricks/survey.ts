import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { createBudget } from '../core/budget.ts';
import { createSurveyDraft, textMember } from '../core/draft.ts';
import { createUniqueIds } from '../core/ids.ts';
import type { Jump } from '../core/logic/jump-graph.ts';
import type { SurveyFileReader } from '../core/reader.ts';
import { createKeepMembers } from '../core/source-data.ts';
import { createHtmlToText } from '../core/texts.ts';
import { createWarnOnce } from '../files/report.ts';
import { readLogic } from './conditions.ts';
import { listIn, readSurveyDocument } from './document.ts';
import { toQuestions } from './questions.ts';
import { readResponsesWithSurvey } from './responses.ts';
import { createSurveyTexts, type SurveyTexts } from './texts.ts';

/** A part of the survey with logic of its own: a block of elements, or a question of older versions. */
interface Part {
  readonly owner: JsonObject;
  readonly path: string;
  readonly elements: readonly { readonly source: JsonObject; readonly path: string }[];
}

const MEMBERS = new Set(['id', 'name', 'questions', 'blocks', 'welcomeCard', 'endings', 'thankYouCard', 'languages']);
const BLOCK_MEMBERS = new Set(['id', 'name', 'elements', 'logic', 'logicFallback', 'buttonLabel', 'backButtonLabel']);

/** Reads a survey of Formbricks, as returned by its management API. */
export const readFormbricksSurvey: SurveyFileReader = async (file, options) => {
  const { survey, path, hasResponses } = await readSurveyDocument(file);
  const warnOnce = createWarnOnce(options.warn);
  const keep = createKeepMembers(options.warn);
  const toText = createHtmlToText(options.warn);
  const texts = createSurveyTexts(survey, options.language, { toText, warnOnce });
  const draft = createSurveyDraft(warnOnce, createBudget());
  const context = { texts, toUniqueId: createUniqueIds(), keep, warnOnce };
  const parts = partsOf(survey, path);
  const questions = new Map<string, JsonObject>();
  const steps = new Map<string, string>();
  for (const { owner, path: at, elements } of parts) {
    const key = String(owner['id'] ?? at);
    const isBlock = elements[0]?.source !== owner;
    if (isBlock) draft.beginPage({ sourceData: { ...keep(owner, BLOCK_MEMBERS, at), source_id: key } }, at);
    const stepQuestions = elements.flatMap(({ source, path: elementPath }) => {
      const converted = toQuestions({ source, path: elementPath }, context);
      for (const question of converted) draft.addQuestion(question, elementPath);
      const [only, ...others] = converted;
      const id = String(source['id']);
      if (only !== undefined && others.length === 0 && !questions.has(id)) questions.set(id, only);
      if (!steps.has(id)) steps.set(id, key);
      return converted;
    });
    if (!steps.has(key)) steps.set(key, key);
    draft.addStep({ key, questions: stepQuestions }, at);
  }
  const jumps: Jump[] = [];
  let hasOnlyJumps = true;
  for (const { owner, path: at } of parts) {
    const logic = readLogic(owner, String(owner['id'] ?? at), at, { questions, steps, warnOnce });
    jumps.push(...logic.jumps);
    hasOnlyJumps &&= logic.hasOnlyJumps;
  }
  const title = survey['name'];
  const { payload, toFileProblem } = draft.finish(
    {
      title: typeof title === 'string' && title.trim() !== '' ? title : options.title,
      ...screensOf(survey, path, texts),
      supported_languages: [...texts.languages],
      source_data: {
        ...keep(survey, MEMBERS, path),
        ...(listIn(survey, 'endings').length === 0 ? {} : { endings: [...listIn(survey, 'endings')] }),
        source: 'formbricks',
        ...(typeof survey['id'] === 'string' ? { source_id: survey['id'] } : {}),
      },
    },
    { jumps, hasOnlyJumps, source: { logic: logicOf(parts) } },
  );
  const responses = hasResponses ? readResponsesWithSurvey : undefined;
  return { payload, toFileProblem, responses: responses && ((warn) => responses(file, payload, warn)) };
};

function partsOf(survey: JsonObject, path: string): readonly Part[] {
  const blocks = objectsIn(survey, 'blocks', path);
  if (blocks.length === 0) {
    return objectsIn(survey, 'questions', path).map(({ source, path: at }) => ({
      owner: source,
      path: at,
      elements: [{ source, path: at }],
    }));
  }
  return blocks.map(({ source, path: at }) => ({
    owner: source,
    path: at,
    elements: objectsIn(source, 'elements', at),
  }));
}

function objectsIn(owner: JsonObject, name: string, path: string) {
  return listIn(owner, name).flatMap((source, index) =>
    isObject(source) ? [{ source, path: `${path}/${name}/${index}` }] : [],
  );
}

/** The original logic, for `source_data`. */
function logicOf(parts: readonly Part[]): JsonObject[] {
  return parts
    .filter(({ owner }) => listIn(owner, 'logic').length > 0 || owner['logicFallback'] !== undefined)
    .map(({ owner: { id = '', logic = [], logicFallback } }) => ({
      id,
      logic,
      ...(logicFallback === undefined ? {} : { logicFallback }),
    }));
}

/** The welcome card, and the first ending that is a text. */
function screensOf(survey: JsonObject, path: string, texts: SurveyTexts): JsonObject {
  const { welcomeCard: welcome, thankYouCard: thanks } = survey;
  const endings = objectsIn(survey, 'endings', path);
  const ending = endings.find(({ source }) => source['type'] !== 'redirectToUrl');
  const read = (name: string, card: JsonObject, at: string): JsonObject => {
    const title = textMember('title', texts.read(card['headline'], `${at}/headline`));
    const body = card['html'] === undefined ? 'subheader' : 'html';
    const description = textMember('description', texts.read(card[body], `${at}/${body}`));
    const screen = { ...title, ...description };
    return Object.keys(screen).length === 0 ? {} : { [name]: screen };
  };
  return {
    ...(isObject(welcome) && welcome['enabled'] !== false
      ? read('welcome_screen', welcome, `${path}/welcomeCard`)
      : {}),
    ...(ending !== undefined
      ? read('thank_you_screen', ending.source, ending.path)
      : isObject(thanks) && thanks['enabled'] !== false
        ? read('thank_you_screen', thanks, `${path}/thankYouCard`)
        : {}),
  };
}
