import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { createSurveyDraft } from '../core/draft.ts';
import type { SurveyFileReader } from '../core/reader.ts';
import { createKeepMembers } from '../core/source-data.ts';
import { type LocatedObject, locatedObjects } from '../core/source-questions.ts';
import { createHtmlToText } from '../core/texts.ts';
import { createWarnOnce, type Warn } from '../files/report.ts';
import { createSurveyTexts, listIn, readSurveyDocument, type SurveyTexts } from './document.ts';
import { readLogic } from './logic.ts';
import { toQuestions } from './questions.ts';
import { readResponsesWithSurvey } from './responses.ts';

/** A part of the survey with logic of its own: a block of elements, or a question of older versions. */
interface Part extends LocatedObject {
  readonly elements: readonly LocatedObject[];
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
  const draft = createSurveyDraft({ source: 'formbricks', title: options.title, warnOnce });
  const context = { texts, keep, warnOnce };
  const parts = partsOf(survey, path);
  const questions = new Map<string, JsonObject>();
  const steps = new Map<string, string>();
  for (const { source: owner, path: at, elements } of parts) {
    const key = String(owner['id'] ?? at);
    const isBlock = elements[0]?.source !== owner;
    if (isBlock) draft.page({ sourceData: { ...keep(owner, BLOCK_MEMBERS, at), source_id: key }, at });
    const stepQuestions = elements.flatMap((element) => {
      const converted = toQuestions(element, context).map((part) => draft.question(part));
      const [only, ...others] = converted;
      const id = String(element.source['id']);
      if (only !== undefined && others.length === 0 && !questions.has(id)) questions.set(id, only);
      if (!steps.has(id)) steps.set(id, key);
      return converted;
    });
    if (!steps.has(key)) steps.set(key, key);
    draft.step({ key, questions: stepQuestions, at });
  }
  let hasOnlyJumps = true;
  for (const { source: owner, path: at } of parts) {
    const logic = readLogic(owner, String(owner['id'] ?? at), at, { questions, steps, warnOnce });
    for (const jump of logic.jumps) draft.jump(jump);
    hasOnlyJumps &&= logic.hasOnlyJumps;
  }
  const endings = locatedObjects(survey, 'endings', path);
  const { name, welcomeCard, thankYouCard, id } = survey;
  // Thanks are the first ending that is a text; files of old versions have a card.
  const ending = endings.find(({ source }) => source['type'] !== 'redirectToUrl');
  const written = { logic: logicOf(parts) };
  const { payload, toFileProblem } = draft.finish({
    title: typeof name === 'string' ? name : '',
    languages: texts.languages,
    welcome: readCard(welcomeCard, `${path}/welcomeCard`, texts),
    thanks: ending === undefined ? readCard(thankYouCard, `${path}/thankYouCard`, texts) : readScreen(ending, texts),
    id: typeof id === 'string' ? id : undefined,
    kept: {
      ...keep(survey, MEMBERS, path),
      ...(listIn(survey, 'endings').length === 0 ? {} : { endings: [...listIn(survey, 'endings')] }),
      ...(hasOnlyJumps ? {} : written),
    },
    jumps: written,
  });
  const responses = hasResponses ? (warn: Warn) => readResponsesWithSurvey(file, payload, warn) : undefined;
  return { payload, toFileProblem, responses };
};

function partsOf(survey: JsonObject, path: string): readonly Part[] {
  const blocks = locatedObjects(survey, 'blocks', path);
  return blocks.length === 0
    ? locatedObjects(survey, 'questions', path).map((question) => ({ ...question, elements: [question] }))
    : blocks.map((block) => ({ ...block, elements: locatedObjects(block.source, 'elements', block.path) }));
}

/** The original logic, for `source_data`. */
function logicOf(parts: readonly Part[]): JsonObject[] {
  return parts
    .filter(({ source }) => listIn(source, 'logic').length > 0 || source['logicFallback'] !== undefined)
    .map(({ source: { id = '', logic = [], logicFallback } }) => ({
      id,
      logic,
      ...(logicFallback === undefined ? {} : { logicFallback }),
    }));
}

function readCard(card: JsonValue | undefined, path: string, texts: SurveyTexts) {
  return isObject(card) && card['enabled'] !== false ? readScreen({ source: card, path }, texts) : undefined;
}

function readScreen({ source, path }: LocatedObject, texts: SurveyTexts) {
  const body = source['html'] === undefined ? 'subheader' : 'html';
  return {
    title: texts.read(source['headline'], `${path}/headline`),
    description: texts.read(source[body], `${path}/${body}`),
  };
}
