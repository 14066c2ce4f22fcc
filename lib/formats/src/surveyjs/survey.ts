import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { once } from '@survey/questionnaire/once';
import { createSurveyDraft, type DraftSection } from '../core/draft.ts';
import type { Formula } from '../core/logic/formula.ts';
import type { SurveyFileReader, SurveyReadOptions } from '../core/reader.ts';
import { createHtmlToText, joinAllTexts, joinTexts, mapText, type Text } from '../core/texts.ts';
import { readJson } from '../files/json.ts';
import { createWarnOnce, invalidImport } from '../files/report.ts';
import { createMemberReader, createTextReader, type MemberReader } from './document.ts';
import { type ElementContext, keepRest, warnOfLost } from './element.ts';
import { createToFormula } from './logic.ts';
import { readElement } from './read-element.ts';
import { readResultItems } from './responses.ts';

/** Reads a SurveyJS survey, or `{"survey": …, "responses": […]}` with its results. */
export const readSurveyjsSurvey: SurveyFileReader = async (file, options) => {
  const root = await readJson(file, { without: ['responses'] });
  if (!isObject(root)) throw noSurveyError('', 'The file must be an object with a survey of SurveyJS');
  const survey = root['survey'];
  const isEnvelope = isObject(survey);
  const base = isEnvelope ? '/survey' : '';
  const document = isEnvelope ? survey : root;
  const responses = isEnvelope ? root['responses'] : undefined;
  if (responses !== undefined && !Array.isArray(responses)) {
    throw noSurveyError('/responses', 'The responses must be an array of results');
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
  const html = createHtmlToText(warn);
  const draft = createSurveyDraft({ source: 'surveyjs', title, warnOnce });
  const byName = new Map<string, JsonObject>();
  // The names of all questions are known when the survey is complete.
  const getToFormula = once(() => createToFormula(byName));
  const questions = readPages(members, base, { texts, html, warnOnce, draft, byName, getToFormula });
  if (questions.length === 0) throw noSurveyError(base, 'The survey has no questions in pages or elements');
  const thanks = texts.take(members, 'completedHtml', base);
  return draft.finish({
    title: texts.take(members, 'title', base),
    description: texts.take(members, 'description', base),
    thanks: { description: mapText(thanks, (text) => html(text, `${base}/completedHtml`)) },
    languages: texts.languages(),
    kept: keepRest(members, base, warnOnce),
  });
}

function noSurveyError(path: string, detail: string) {
  return invalidImport([{ path, code: 'NO_SURVEY', detail }]);
}

interface PageContext extends ElementContext {
  /** Questions by their names in expressions. */
  readonly byName: Map<string, JsonObject>;
  /** Returns the converter of expressions. */
  readonly getToFormula: () => (expression: string) => Formula;
}

/** The content of a page or panel, in the order of the file. */
interface Contents {
  /** Ids of the questions, including those of inner panels. */
  readonly questions: readonly string[];
  /** Texts without an answer, for the description. */
  readonly texts: readonly Text[];
}

const NOTHING: Contents = { questions: [], texts: [] };
const MAX_DEPTH = 20;
const ELEMENT_LISTS = ['elements', 'questions'];

/** Reads the pages of a document, or a document without pages as a page. Returns the ids of the questions. */
function readPages(document: MemberReader, base: string, context: PageContext): readonly string[] {
  const ids = document
    .takeList('pages')
    .flatMap((page, index) => (isObject(page) ? readPage(page, `${base}/pages/${index}`, context) : []));
  const topLevel = Object.fromEntries(ELEMENT_LISTS.map((name) => [name, [...document.takeList(name)]]));
  const isEmpty = Object.values(topLevel).every((list) => list.length === 0);
  return isEmpty ? ids : [...ids, ...readPage(topLevel, base, context)];
}

function readPage(source: JsonObject, path: string, context: PageContext): readonly string[] {
  const { texts, draft, warnOnce } = context;
  const members = createMemberReader(source);
  const name = members.takeText('name');
  const title = texts.take(members, 'title', path);
  const description = texts.take(members, 'description', path);
  const elements = takeElements(members, path);
  const isHidden = takeHidden(members, path, context);
  const visibleIf = members.take('visibleIf');
  const kept = keepRest(members, path, warnOnce);
  const sourceData = { ...kept, ...(name === undefined ? {} : { source_id: name }) };
  draft.page({ name, title, description, sourceData, at: path });
  const { questions, texts: shown } = readElements(elements, { depth: 1, isHidden }, context);
  for (const text of shown) draft.text(text);
  // A condition of the page needs a section.
  const section = { name: name ?? 'page', title, questions, sourceData: { source_id: name ?? 'page' } };
  if (addRule(visibleIf, section, path, context)) draft.section(section);
  return questions;
}

/** The pages and panels around an element. */
interface Surroundings {
  /** Their number. */
  readonly depth: number;
  /** Whether one of them is never visible. */
  readonly isHidden: boolean;
}

interface LocatedElement {
  readonly source: JsonValue;
  readonly path: string;
}

function takeElements(members: MemberReader, path: string): readonly LocatedElement[] {
  return ELEMENT_LISTS.flatMap((list) =>
    members.takeList(list).map((source, index) => ({ source, path: `${path}/${list}/${index}` })),
  );
}

/** Reads the elements of a page or panel. */
function readElements(elements: readonly LocatedElement[], surroundings: Surroundings, context: PageContext): Contents {
  const contents = elements.map(({ source, path }): Contents => {
    if (!isObject(source)) {
      const detail = 'An element that is not an object is not imported';
      context.warnOnce('element', { path, code: 'NOT_IMPORTED', detail });
      return NOTHING;
    }
    const members = createMemberReader(source);
    const type = members.takeText('type') ?? 'text';
    if (type === 'panel' || type === 'flowpanel') return readPanel(members, path, surroundings, context);
    if (type === 'html' || type === 'image') return readDisplay(type, members, path, context);
    return { questions: readQuestion(type, members, path, surroundings, context), texts: [] };
  });
  return {
    questions: contents.flatMap(({ questions }) => questions),
    texts: contents.flatMap(({ texts }) => texts),
  };
}

/** Converts a panel to a section. A panel without questions becomes a text of the page or panel around it. */
function readPanel(members: MemberReader, path: string, around: Surroundings, context: PageContext): Contents {
  const { texts, draft, warnOnce } = context;
  if (around.depth > MAX_DEPTH) {
    const detail = `Panels that are nested more than ${MAX_DEPTH} levels deep are not imported`;
    warnOnce('panel', { path, code: 'NOT_IMPORTED', detail });
    return NOTHING;
  }
  const name = members.takeText('name') ?? 'panel';
  const title = texts.take(members, 'title', path);
  const ownDescription = texts.take(members, 'description', path);
  const isHidden = takeHidden(members, path, context) || around.isHidden;
  const inner = readElements(takeElements(members, path), { depth: around.depth + 1, isHidden }, context);
  const { questions } = inner;
  const description = joinAllTexts([ownDescription, ...inner.texts], '\n\n');
  const visibleIf = members.take('visibleIf');
  if (questions.length === 0) {
    addRule(visibleIf, { name, title, questions }, path, context);
    warnOfLost(members, path, warnOnce);
    return { questions, texts: [joinTexts(title, description, '\n')] };
  }
  const sourceData = { ...keepRest(members, path, warnOnce), source_id: name };
  const section = { name, title, description, questions, sourceData };
  addRule(visibleIf, section, path, context);
  draft.section(section);
  return { questions, texts: [] };
}

/** Adds the condition of a page or panel; returns whether it has one. */
function addRule(
  visibleIf: JsonValue | undefined,
  section: DraftSection,
  path: string,
  { draft, getToFormula, warnOnce }: PageContext,
): boolean {
  const at = `${path}/visibleIf`;
  if (section.questions.length === 0 && visibleIf !== undefined) {
    const detail = 'Conditions of texts are not converted; texts are always shown';
    warnOnce('text', { path: at, code: 'LOGIC_NOT_CONVERTED', detail });
  }
  if (section.questions.length === 0 || typeof visibleIf !== 'string' || visibleIf.trim() === '') return false;
  const when = () => getToFormula()(visibleIf);
  const { questions } = section;
  draft.rule({ action: 'show', questions, section, when, at, source: visibleIf, member: 'visibleIf' });
  return true;
}

/** Converts an element without an answer to a text. */
function readDisplay(type: string, members: MemberReader, path: string, context: PageContext): Contents {
  const { texts, html, warnOnce } = context;
  const [markup, alternative, title] = ['html', 'altText', 'title'].map((name) => members.take(name));
  const shown = mapText(texts.read(markup ?? alternative ?? title, path), (text) => html(text, path));
  const unsupported = ['visibleIf', 'imageLink', 'contentLink'].filter((name) => members.take(name) !== undefined);
  const without = unsupported.length === 0 ? '' : `, without its ${unsupported.join(' and ')}`;
  const detail = `An element of type ${type} becomes part of the description of its page or panel${without}`;
  warnOnce(`${type}${without}`, { path, code: 'NO_SUCH_TYPE', detail });
  return { questions: [], texts: [shown] };
}

/** Adds the questions of an element, with its conditions. Returns their ids. */
function readQuestion(
  type: string,
  members: MemberReader,
  path: string,
  around: Surroundings,
  context: PageContext,
): readonly string[] {
  const { draft, byName, getToFormula, warnOnce } = context;
  const given = members.take('name');
  const name = typeof given === 'string' || typeof given === 'number' ? String(given) : '';
  if (name.trim() === '') {
    warnOnce('name', { path, code: 'NOT_IMPORTED', detail: 'A question without a name is not imported' });
    return [];
  }
  const isHidden = takeHidden(members, path, context) || around.isHidden;
  const [visibleIf, requiredIf] = ['visibleIf', 'requiredIf'].map((member) => members.takeText(member));
  const canBeRequired = !isHidden && requiredIf === undefined;
  const read = readElement({ type, name, members, path, canBeRequired }, context);
  const parts = read.filter(({ question }) => question.needed['part'] !== 'comment');
  // If the element becomes several questions, an answer to any of them is enough. Such a rule cannot be converted.
  const isSplit = parts.length > 1;
  const ids = read.map(({ question, names }, index) => {
    const added = draft.question({
      ...question,
      kept: {
        ...question.kept,
        ...(isHidden ? { visible: false } : {}),
        ...(requiredIf !== undefined && isSplit && index === 0 ? { requiredIf } : {}),
      },
    });
    for (const one of names) if (!byName.has(one)) byName.set(one, added);
    return String(added['id']);
  });
  const rule = (action: 'show' | 'require', questions: readonly string[], member: string, source: string) =>
    draft.rule({ action, questions, when: () => getToFormula()(source), at: `${path}/${member}`, source, member });
  if (visibleIf !== undefined) rule('show', ids, 'visibleIf', visibleIf);
  if (requiredIf === undefined || parts.length === 0 || isHidden) return ids;
  if (isSplit) {
    const detail = 'requiredIf cannot be converted: the element becomes several questions. It is kept in source_data';
    warnOnce('requiredIf', { path: `${path}/requiredIf`, code: 'LOGIC_NOT_CONVERTED', detail });
  } else rule('require', ids.slice(0, 1), 'requiredIf', requiredIf);
  return ids;
}

/** Whether an element is never visible. `visibleIf` takes precedence. */
function takeHidden(members: MemberReader, path: string, { warnOnce }: ElementContext): boolean {
  const isHidden = members.take('visible') === false && members.peek('visibleIf') === undefined;
  if (isHidden) {
    const detail = 'An element that is never visible is shown, and not required';
    warnOnce('visible', { path: `${path}/visible`, code: 'LOGIC_NOT_CONVERTED', detail }, path);
  }
  return isHidden;
}
