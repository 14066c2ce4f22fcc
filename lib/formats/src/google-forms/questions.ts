import type { JsonObject } from '@bufbuild/protobuf';
import { type DraftQuestion, ratingLabels, type SurveyDraft } from '../core/draft.ts';
import { createUniqueOptionIds } from '../core/ids.ts';
import type { KeepMembers } from '../core/source-data.ts';
import { objectOf, objectsOf } from '../core/source-questions.ts';
import type { WarnOnce } from '../files/report.ts';
import { integerIn, kindOf, objectIn, type QuestionKind, textIn } from './document.ts';
import { type Branching, isBranching, type Section } from './logic.ts';

/** The keys that are made here begin with a space, so they never equal an id of Google Forms. */
const FIRST_SECTION = ' first';
const endOf = (section: number): string => ` end ${section}`;
const stepOf = ({ index }: LocatedItem): string => ` ${index}`;

/**
 * Adds the items of a form to a draft: questions, grids of questions, page breaks, texts and pictures. A page break
 * begins a section, which becomes a page. Returns the sections.
 */
export function addItems(
  items: readonly JsonObject[],
  path: string,
  context: ItemContext,
  draft: SurveyDraft,
): readonly Section[] {
  const sections: (Section & { readonly branching: Branching[] })[] = [];
  const endSection = (): void => {
    const last = sections.at(-1);
    if (last !== undefined) draft.step({ key: last.end, questions: [], at: '' });
  };
  const beginSection = (key: string): void => {
    endSection();
    sections.push({ key, end: endOf(sections.length), branching: [] });
    draft.step({ key, questions: [], at: '' });
  };
  const addStep = (located: LocatedItem, parts: readonly DraftQuestion[]): readonly JsonObject[] => {
    const questions = parts.map((part) => draft.question(part));
    draft.step({ key: stepOf(located), questions, at: located.path });
    return questions;
  };

  beginSection(FIRST_SECTION);
  for (const [index, item] of items.entries()) {
    const located = { item, index, path: `${path}/${index}` };
    const asked = objectIn(objectOf(item['questionItem']), 'question');
    const group = objectIn(item, 'questionGroupItem');
    if (asked !== undefined) {
      const { parts, kind } = toSingleQuestion(located, asked, context);
      const [question = {}] = addStep(located, parts);
      if (isBranching(kind)) sections.at(-1)?.branching.push({ question, choice: kind });
    } else if (group !== undefined) {
      addStep(located, [toGridQuestion(located, group, context)]);
    } else if ('pageBreakItem' in item) {
      beginSection(textIn(item, 'itemId') || stepOf(located));
      beginPage(located, {}, draft);
    } else {
      addTextPage(located, context, draft);
    }
  }
  endSection();
  return sections;
}

/** An item without a question, such as a text, image or video, begins a page and becomes its title. */
function addTextPage(located: LocatedItem, context: ItemContext, draft: SurveyDraft): void {
  const { item, path } = located;
  const kind = Object.keys(item).find((name) => name.endsWith('Item')) ?? '';
  beginPage(located, context.keep(item, ITEM_MEMBERS, path), draft);
  draft.step({ key: stepOf(located), questions: [], at: path });
  warnOfKind(kind, 'the title of a page', path, context);
}

function beginPage({ item, path }: LocatedItem, kept: JsonObject, draft: SurveyDraft): void {
  const texts = { title: textIn(item, 'title'), description: textIn(item, 'description') };
  draft.page({ ...texts, sourceData: { ...kept, source_id: textIn(item, 'itemId') }, at: path });
}

interface ItemContext {
  readonly keep: KeepMembers;
  readonly warnOnce: WarnOnce;
}

interface LocatedItem {
  readonly item: JsonObject;
  readonly index: number;
  readonly path: string;
}

const ITEM_MEMBERS: ReadonlySet<string> = new Set([
  ...['itemId', 'title', 'description', 'questionItem', 'questionGroupItem', 'pageBreakItem', 'textItem'],
]);

/** The id of an item in Google Forms. Forms that are not created yet have no ids, so one is made. */
function sourceIdOf(owner: JsonObject, name: string, { index, path }: LocatedItem, context: ItemContext): string {
  const id = textIn(owner, name);
  if (id !== '') return id;
  const detail = 'Items without an id are numbered';
  context.warnOnce('id', { path, code: 'ID_CHANGED', detail });
  return `item_${index + 1}`;
}

function titleOf({ item, path }: LocatedItem, { warnOnce }: ItemContext): string {
  const title = textIn(item, 'title');
  if (title !== '') return title;
  warnOnce('title', { path, code: 'TITLE_MADE', detail: 'A question without a title is called Question' });
  return 'Question';
}

/**
 * Warns that a kind of item has no equivalent.
 *
 * @param replacement type or text that the item becomes
 */
function warnOfKind(kind: string, replacement: string, path: string, { warnOnce }: ItemContext): void {
  const detail = `${kind === '' ? 'An unknown item' : kind} has no equivalent question type and becomes ${replacement}`;
  warnOnce(`${kind} ${replacement}`, { path, code: 'NO_SUCH_TYPE', detail });
}

const QUESTION_ITEM_MEMBERS = new Set(['question']);
const QUESTION_MEMBERS = ['questionId', 'required'];
const KIND_MEMBERS = new Set([
  ...['type', 'options', 'paragraph', 'low', 'high', 'lowLabel', 'highLabel', 'ratingScaleLevel'],
  ...['includeTime', 'includeYear', 'duration', 'maxFiles', 'maxFileSize'],
]);

interface SingleQuestion {
  /** One question. A date with a time becomes two: for the date, and for the time. */
  readonly parts: readonly DraftQuestion[];
  /** The member of the file that defines the kind, such as `choiceQuestion`. */
  readonly kind: JsonObject;
}

/**
 * Converts an item with a single question.
 *
 * @param asked `questionItem.question`
 */
function toSingleQuestion(located: LocatedItem, asked: JsonObject, context: ItemContext): SingleQuestion {
  const { item, path } = located;
  const { keep } = context;
  const kind = kindOf(asked);
  const questionPath = `${path}/questionItem/question`;
  const { members, time, replacement } = membersOf(kind, keep, `${questionPath}/${kind.name}`);
  const sourceId = sourceIdOf(asked, 'questionId', located, context);
  if (replacement !== undefined) warnOfKind(kind.name, replacement, questionPath, context);
  const question = {
    name: sourceId,
    at: path,
    title: titleOf(located, context),
    description: textIn(item, 'description'),
    members,
    required: asked['required'] === true,
    needed: { source_id: sourceId, type: kind.name },
    kept: {
      ...keep(item, ITEM_MEMBERS, path),
      ...keep(objectOf(item['questionItem']), QUESTION_ITEM_MEMBERS, `${path}/questionItem`),
      ...keep(asked, new Set([...QUESTION_MEMBERS, kind.name]), questionPath),
      ...keep(kind.members, KIND_MEMBERS, `${questionPath}/${kind.name}`),
    },
  };
  const { title, required } = question;
  const timeQuestion = { name: `${sourceId}_time`, at: path, title, required, members: { type: 'time' } };
  const timeParts = time === undefined ? [] : [{ ...timeQuestion, needed: { source_id: sourceId, part: 'time' } }];
  return { parts: [question, ...timeParts], kind: kind.members };
}

const GROUP_MEMBERS = new Set(['questions', 'grid']);
const GRID_MEMBERS = new Set(['columns']);
const ROW_MEMBERS = new Set(['questionId', 'required', 'rowQuestion']);

/**
 * Converts a grid; each question of the group is a row.
 *
 * @param group `questionGroupItem`
 */
function toGridQuestion(located: LocatedItem, group: JsonObject, context: ItemContext): DraftQuestion {
  const { item, path } = located;
  const groupPath = `${path}/questionGroupItem`;
  const grid = objectOf(group['grid']);
  const sourceId = sourceIdOf(item, 'itemId', located, context);
  return {
    name: sourceId,
    at: path,
    title: titleOf(located, context),
    description: textIn(item, 'description'),
    members: gridMembers(group, objectOf(grid['columns']), groupPath, context),
    needed: { source_id: sourceId, type: 'questionGroupItem' },
    kept: {
      ...context.keep(item, ITEM_MEMBERS, path),
      ...context.keep(group, GROUP_MEMBERS, groupPath),
      ...context.keep(grid, GRID_MEMBERS, `${groupPath}/grid`),
    },
  };
}

/** The members of a matrix; those of a textarea if rows or columns are missing. */
function gridMembers(group: JsonObject, columns: JsonObject, path: string, context: ItemContext): JsonObject {
  const questions = objectsOf(group['questions']);
  const options = readOptions(columns, context.keep, `${path}/grid/columns`);
  if (questions.length === 0 || options.length === 0) {
    warnOfKind('grid without rows or columns', 'a text', path, context);
    return { type: 'textarea' };
  }
  const required = questions.filter((question) => question['required'] === true).length;
  const isPartlyRequired = required > 0 && required < questions.length;
  if (isPartlyRequired) {
    const detail = `Not all rows are required: ${required} must be answered, and source_data has the exact ones`;
    context.warnOnce('rows', { path: `${path}/questions`, code: 'KEPT_AS_SOURCE_DATA', detail }, path);
  }
  const toUniqueId = createUniqueOptionIds();
  return {
    type: 'matrix',
    rows: questions.map((question, index) => {
      const id = textIn(question, 'questionId') || `row_${index + 1}`;
      const kept = context.keep(question, ROW_MEMBERS, `${path}/questions/${index}`);
      const isRequired = question['required'] === true;
      return {
        id: toUniqueId(id),
        text: textIn(objectOf(question['rowQuestion']), 'title') || id,
        source_data: { ...kept, source_id: id, ...(isRequired ? { required: true } : {}) },
      };
    }),
    columns: options,
    ...(columns['type'] === 'CHECKBOX' ? { multiple: true } : {}),
    ...(required > 0 ? { required: true } : {}),
    ...(isPartlyRequired ? { required_rows: required } : {}),
  };
}

interface QuestionMembers {
  readonly members: JsonObject;
  /** Whether a date has a time, which becomes a second question. */
  readonly time?: true;
  /** The replacement type for the warning, if the conversion is not exact. */
  readonly replacement?: string;
}

const OPTION_MEMBERS = new Set(['value', 'isOther', 'goToAction', 'goToSectionId']);
const MAX_SCALE = 1_000;

/**
 * Converts the kind of a question.
 *
 * @param path JSON pointer to the member that describes the kind, such as `…/choiceQuestion`
 */
function membersOf({ name, members }: QuestionKind, keep: KeepMembers, path: string): QuestionMembers {
  switch (name) {
    case 'choiceQuestion':
      return choiceMembers(members, keep, path);
    case 'textQuestion':
      return { members: { type: members['paragraph'] === true ? 'textarea' : 'text' } };
    case 'scaleQuestion':
      return { members: scaleMembers(members) };
    case 'ratingQuestion':
      return { members: { type: 'rating', min: 1, max: clampMax(integerIn(members, 'ratingScaleLevel') ?? 5, 1) } };
    case 'dateQuestion':
      // The API leaves out members that are false.
      if (members['includeYear'] !== true)
        return { members: { type: 'text' }, replacement: 'a text, because it has no year' };
      return { members: { type: 'date' }, ...(members['includeTime'] === true ? { time: true } : {}) };
    case 'timeQuestion':
      if (members['duration'] === true)
        return { members: { type: 'text' }, replacement: 'a text, because it is a duration' };
      return { members: { type: 'time' } };
    case 'fileUploadQuestion':
      return { members: fileMembers(members) };
    default:
      return { members: { type: 'textarea' }, replacement: 'a text' };
  }
}

/** Converts options or columns. Google Forms identifies them only by their value. */
function readOptions(list: JsonObject, keep: KeepMembers, path: string): JsonObject[] {
  const toUniqueId = createUniqueOptionIds();
  return objectsOf(list['options'])
    .filter((option) => option['isOther'] !== true)
    .map((option, index) => {
      const value = textIn(option, 'value');
      const text = value === '' ? `Option ${index + 1}` : value;
      const kept = keep(option, OPTION_MEMBERS, `${path}/options/${index}`);
      return { id: toUniqueId(text), text, source_data: { ...kept, source_id: text } };
    });
}

function choiceMembers(members: JsonObject, keep: KeepMembers, path: string): QuestionMembers {
  const options = readOptions(members, keep, path);
  if (options.length === 0) return { members: { type: 'textarea' }, replacement: 'a text, because it has no options' };
  const hasOther = objectsOf(members['options']).some((option) => option['isOther'] === true);
  return {
    members: {
      type: members['type'] === 'CHECKBOX' ? 'multiple_choice' : 'single_choice',
      options,
      ...(hasOther ? { allow_other: true } : {}),
    },
  };
}

function scaleMembers(members: JsonObject): JsonObject {
  const min = integerIn(members, 'low') ?? 0;
  const max = clampMax(integerIn(members, 'high') ?? 5, min);
  const labels = ratingLabels([
    [min, textIn(members, 'lowLabel')],
    [max, textIn(members, 'highLabel')],
  ]);
  return { type: 'rating', min, max, ...labels };
}

function clampMax(max: number, min: number): number {
  return Math.min(Math.max(max, min), min + MAX_SCALE);
}

function fileMembers(members: JsonObject): JsonObject {
  const [files, bytes] = [integerIn(members, 'maxFiles'), integerIn(members, 'maxFileSize')];
  return {
    type: 'file_upload',
    ...(files !== undefined && files > 0 ? { max_files: files } : {}),
    ...(bytes !== undefined && bytes > 0 ? { max_bytes: bytes } : {}),
  };
}
