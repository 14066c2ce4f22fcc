import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import type { Group, Outline } from '../core/outline.ts';
import { sourceDataOf, withSourceData } from '../core/source-data.ts';
import { joinAllTexts, joinTexts, mapText, type Text } from '../core/texts.ts';
import { type ElementContext, keepRest, warnOfLost } from './element.ts';
import { readElement } from './elements.ts';
import { createMemberReader, type MemberReader } from './member-reader.ts';

interface PageContext extends ElementContext {
  readonly outline: Outline;
  /** Questions by their names in expressions. */
  readonly byName: Map<string, JsonObject>;
}

interface Container {
  readonly questions: string[];
  /** Texts of the description, in the order of the file. */
  readonly descriptions: Text[];
}

const MAX_DEPTH = 20;
const ELEMENT_LISTS = ['elements', 'questions'];

/** Reads the pages of a document. A document without pages is a page itself. */
export function readPages(document: MemberReader, base: string, context: PageContext): void {
  for (const [index, page] of document.takeList('pages').entries()) {
    if (isObject(page)) readPage(page, `${base}/pages/${index}`, context);
  }
  const topLevel = Object.fromEntries(ELEMENT_LISTS.map((name) => [name, [...document.takeList(name)]]));
  if (Object.values(topLevel).some((list) => list.length > 0)) readPage(topLevel, base, context);
}

function readPage(source: JsonObject, path: string, context: PageContext): void {
  const { texts, outline, warnOnce } = context;
  const members = createMemberReader(source);
  const name = members.takeText('name');
  const title = texts.read(members.take('title'), `${path}/title`);
  const container: Container = {
    questions: [],
    descriptions: [texts.read(members.take('description'), `${path}/description`)],
  };
  outline.beginPage(path);
  readAll(members, container, { path, depth: 0, isHidden: takeHidden(members, path, context) }, context);
  const { descriptions, questions } = container;
  // A condition of the page needs a section.
  const group: Group = { name: name ?? 'page', title, description: '', questions, kept: {} };
  if (questions.length === 0) takeConditionOfTexts(members, path, context);
  else if (takeRule(members, group, path, context)) outline.addGroup(group);
  const kept = keepRest(members, path, warnOnce);
  outline.endPage({ ...(name === undefined ? {} : { name }), title, description: describe(descriptions), kept });
}

interface ElementPosition {
  readonly path: string;
  readonly depth: number;
  /** Whether a surrounding page or panel is never visible. */
  readonly isHidden: boolean;
}

function readAll(
  members: MemberReader,
  container: Container,
  { path, depth, isHidden }: ElementPosition,
  context: PageContext,
): void {
  for (const list of ELEMENT_LISTS) {
    for (const [index, source] of members.takeList(list).entries()) {
      const position = { path: `${path}/${list}/${index}`, depth: depth + 1, isHidden };
      if (!isObject(source)) {
        context.warnOnce('element', {
          path: position.path,
          code: 'NOT_IMPORTED',
          detail: 'An element that is not an object is not imported',
        });
        continue;
      }
      const element = createMemberReader(source);
      const type = element.takeText('type') ?? 'text';
      if (type === 'panel' || type === 'flowpanel') readPanel(element, container, position, context);
      else if (type === 'html' || type === 'image') readDisplay(type, element, container, position, context);
      else readQuestion(type, element, container, position, context);
    }
  }
}

/** Converts a panel to a section that includes the questions of inner panels. */
function readPanel(members: MemberReader, parent: Container, position: ElementPosition, context: PageContext): void {
  const { texts, outline, warnOnce } = context;
  const { path, depth } = position;
  const name = members.takeText('name') ?? 'panel';
  const title = texts.read(members.take('title'), `${path}/title`);
  const container: Container = {
    questions: [],
    descriptions: [texts.read(members.take('description'), `${path}/description`)],
  };
  if (depth > MAX_DEPTH) {
    const detail = `Panels that are nested more than ${MAX_DEPTH} levels deep are not imported`;
    warnOnce('panel', { path, code: 'NOT_IMPORTED', detail });
    return;
  }
  const isHidden = takeHidden(members, path, context) || position.isHidden;
  readAll(members, container, { ...position, isHidden }, context);
  const { questions, descriptions } = container;
  const description = describe(descriptions);
  if (questions.length === 0) {
    // A panel without questions becomes part of the surrounding description.
    takeConditionOfTexts(members, path, context);
    parent.descriptions.push(joinTexts(title, description, '\n'));
    warnOfLost(members, path, warnOnce);
    return;
  }
  const kept: JsonObject = {};
  const group: Group = { name, title, description, questions, kept };
  takeRule(members, group, path, context);
  Object.assign(kept, keepRest(members, path, warnOnce));
  outline.addGroup(group);
  parent.questions.push(...questions);
}

function describe(descriptions: readonly Text[]): Text {
  return joinAllTexts(descriptions, '\n\n');
}

/** Adds a display element to the description of its page or panel. */
function readDisplay(
  type: string,
  members: MemberReader,
  container: Container,
  { path }: ElementPosition,
  context: PageContext,
): void {
  const { texts, html, warnOnce } = context;
  const [markup, alternative, title] = ['html', 'altText', 'title'].map((name) => members.take(name));
  const shown = texts.read(markup ?? alternative ?? title, path);
  const plain = mapText(shown, (text) => html(text, path));
  container.descriptions.push(plain);
  const unsupported = ['visibleIf', 'imageLink', 'contentLink'].filter((name) => members.take(name) !== undefined);
  const without = unsupported.length === 0 ? '' : `, without its ${unsupported.join(' and ')}`;
  const detail = `An element of type ${type} becomes part of the description of its page or panel${without}`;
  warnOnce(`${type}${without}`, { path, code: 'NO_SUCH_TYPE', detail });
}

function readQuestion(
  type: string,
  members: MemberReader,
  parent: Container,
  position: ElementPosition,
  context: PageContext,
): void {
  const { path } = position;
  const { outline, byName, warnOnce } = context;
  const given = members.take('name');
  const name = typeof given === 'string' || typeof given === 'number' ? String(given) : '';
  if (name.trim() === '') {
    warnOnce('name', { path, code: 'NOT_IMPORTED', detail: 'A question without a name is not imported' });
    return;
  }
  const isHidden = takeHidden(members, path, context) || position.isHidden;
  const [visibleIf, requiredIf] = ['visibleIf', 'requiredIf'].map((member) => members.takeText(member));
  const canBeRequired = !isHidden && requiredIf === undefined;
  const questions = readElement({ type, name, members, path, canBeRequired }, context);
  const parts = questions.map(({ question }) => question).filter((one) => sourceDataOf(one)['part'] !== 'comment');
  const [whole, ...others] = parts;
  // If the element becomes several questions, an answer to any of them is enough. Such a rule cannot be converted.
  const unsupported = requiredIf === undefined || others.length === 0 ? {} : { requiredIf };
  for (const { question, names } of questions) {
    const kept = { ...(isHidden ? { visible: false } : {}), ...(question === whole ? unsupported : {}) };
    outline.addQuestion(withSourceData(question, kept), path);
    for (const one of names) if (!byName.has(one)) byName.set(one, question);
  }
  const ids = questions.map(({ question }) => String(question['id']));
  parent.questions.push(...ids);
  if (visibleIf !== undefined) {
    outline.addRule({ action: 'show', expression: visibleIf, questions: ids, member: 'visibleIf', path });
  }
  if (requiredIf === undefined || whole === undefined || isHidden) return;
  if (others.length > 0) {
    const detail = 'requiredIf cannot be converted: the element becomes several questions. It is kept in source_data';
    warnOnce('requiredIf', { path: `${path}/requiredIf`, code: 'LOGIC_NOT_CONVERTED', detail });
    return;
  }
  const required = [String(whole['id'])];
  outline.addRule({ action: 'require', expression: requiredIf, questions: required, member: 'requiredIf', path });
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

/** Warns about the condition of a page or panel without questions. */
function takeConditionOfTexts(members: MemberReader, path: string, { warnOnce }: ElementContext): void {
  if (members.take('visibleIf') === undefined) return;
  const detail = 'Conditions of texts are not converted; texts are always shown';
  warnOnce('text', { path: `${path}/visibleIf`, code: 'LOGIC_NOT_CONVERTED', detail });
}

/** Adds the rule of a page or panel; returns whether it has one. */
function takeRule(members: MemberReader, group: Group, path: string, { outline }: PageContext): boolean {
  const expression = members.takeText('visibleIf');
  if (expression === undefined) return false;
  outline.addRule({ action: 'show', expression, questions: group.questions, group, member: 'visibleIf', path });
  return true;
}
