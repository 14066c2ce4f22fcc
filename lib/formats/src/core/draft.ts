import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { shorten } from '@survey/questionnaire/shorten';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { WarnOnce } from '../files/report.ts';
import { createBudget } from './budget.ts';
import { convertLogic } from './draft-logic.ts';
import { createUniqueIds } from './ids.ts';
import type { Jump, Step } from './logic/convert-jumps.ts';
import type { Formula } from './logic/formula.ts';
import type { ConvertedSurvey } from './reader.ts';
import { allowLongTexts, fitSize, sourceDataOf, toSourceData, withSourceData } from './source-data.ts';
import { isEmptyText, joinAllTexts, type Text, toJsonText, UNTITLED } from './texts.ts';

/**
 * The draft of a survey. A tool says what its file has, in the order of the file; the draft makes the survey of it. It
 * assigns ids, converts logic, limits the size, and warns about what it changes.
 *
 * Each part of a survey has two kinds of members in its `source_data`:
 * - `needed`: names and settings in the tool by which readers of responses find the answers. They are never removed.
 * - `kept`: members of the file without an equivalent, for people. If the survey is too large, the largest are removed.
 *
 * Locations (`at`) are JSON pointers into the file, or paths that the tool converts to locations later.
 */
export interface SurveyDraft {
  /** Begins a page. A page without a name is dropped if it gets neither questions nor texts. */
  page(page: DraftPage): void;
  /** Adds a text without an answer: a paragraph of the description of the page. */
  text(text: Text): void;
  /** Adds a question to the page, and returns it as in the survey. Throws `INVALID_IMPORT` if the survey is too large. */
  question(question: DraftQuestion): JsonObject;
  /** Throws `INVALID_IMPORT` unless this many more questions fit, each with these lists. See `createBudget`. */
  requireCapacityFor(questions: number, lists: readonly JsonValue[], at: string): void;
  /** Adds a section. Ids of sections are assigned last, so that a question keeps a name that a section also has. */
  section(section: DraftSection): void;
  /** Keeps a question without an equivalent in `source_data.questions` of the survey. */
  unconverted(question: JsonObject): void;
  /** Adds a condition of the tool under which questions are shown, required or skipped. */
  rule(rule: DraftRule): void;
  /** Adds a step. Jumps start from steps and lead to steps. */
  step(step: DraftStep): void;
  /** Adds a jump of the tool between steps. */
  jump(jump: Jump): void;
  /** The survey so far, without logic. */
  payload(): JsonObject;
  /** Completes the survey: converts its logic, and limits its size. */
  finish(survey: DraftSurvey): Pick<ConvertedSurvey, 'payload' | 'toFileProblem'>;
}

interface Texts {
  readonly title?: Text | undefined;
  readonly description?: Text | undefined;
}

interface DraftPage extends Texts {
  /** Name in the tool, from which the id is made. */
  readonly name?: string | undefined;
  readonly sourceData?: JsonObject;
  readonly at: string;
}

export interface DraftQuestion {
  /** Name in the tool, from which the id is made. */
  readonly name: string;
  readonly at: string;
  /** Location of the name; by default, that of the question. */
  readonly nameAt?: string;
  /** Title; if it is empty, the name is the title. */
  readonly title: Text;
  readonly description?: Text | undefined;
  /** All other members: type, options, limits. */
  readonly members: JsonObject;
  /** `'in_tool'`: only the tool requires an answer, because some respondents cannot give one. `source_data` has it. */
  readonly required?: boolean | 'in_tool' | undefined;
  readonly needed: JsonObject;
  readonly kept?: JsonObject;
}

/** A group of questions, which logic can show together. */
export interface DraftSection {
  /** Name in the tool, from which the id is made. */
  readonly name: string;
  /** Title; if it is empty, the name is the title. */
  readonly title: Text;
  readonly description?: Text;
  /** Ids of its questions, which can be added until the survey is complete. */
  readonly questions: readonly string[];
  readonly sourceData?: JsonObject;
}

export interface DraftRule {
  /** See `LogicRule`. */
  readonly action: 'show' | 'require' | 'skip';
  /** Ids of the questions. */
  readonly questions: readonly string[];
  /** The section with exactly these questions. */
  readonly section?: DraftSection;
  /** Converts the condition, when all questions are known. Throws `NotConvertedError` if it has no equivalent. */
  readonly when: () => Formula;
  readonly at: string;
  /** The condition as in the file. It is kept in `source_data` of the section or question if it is not converted. */
  readonly source: JsonValue;
  /** Name of the condition in the file, and in `source_data`; by default, it is one of the list `logic` there. */
  readonly member?: string;
}

/** Questions, or a text if there are none. */
export interface DraftStep extends Step {
  /** Empty if nothing is lost when a jump skips the step and it is shown nevertheless. */
  readonly at: string;
}

interface DraftSurvey {
  /** Title; if it is empty, the title of the import. */
  readonly title: Text;
  readonly description?: Text;
  readonly languages: Iterable<string>;
  readonly welcome?: Texts | undefined;
  readonly thanks?: Texts | undefined;
  /** Id in the tool. */
  readonly id?: string | undefined;
  readonly kept: JsonObject;
  /** The jumps as in the file. They are kept if some are not converted. */
  readonly jumps?: JsonObject;
}

interface DraftOptions {
  /** Source of the import, such as `typeform`. */
  readonly source: string;
  /** Title of the import; can be empty. */
  readonly title: string;
  readonly warnOnce: WarnOnce;
  /** Members of optional questions; by default, none. */
  readonly optional?: { readonly required: false };
  /** Converts the location of a problem to a location in the file. */
  readonly toLocation?: (problem: FieldProblem) => FieldProblem;
}

interface LocatedQuestion {
  readonly question: JsonObject;
  readonly kept: JsonObject;
  readonly at: string;
}

interface Page {
  readonly id: string | undefined;
  readonly page: DraftPage;
  readonly texts: Text[];
  readonly questions: LocatedQuestion[];
}

/** Adds members to the `source_data` of a question or section. */
type Complete = (part: JsonObject, kept?: JsonObject) => JsonObject;

/** Longest name in a warning. */
const MAX_QUOTED = 200;

export function createSurveyDraft({ source, title: importTitle, warnOnce, ...options }: DraftOptions): SurveyDraft {
  const { optional = {}, toLocation = (problem) => problem } = options;
  const budget = createBudget(toLocation);
  const toUniqueId = createUniqueIds();
  const toPageId = createUniqueIds();
  const pages: Page[] = [];
  const sections: DraftSection[] = [];
  const unconverted: JsonObject[] = [];
  const rules: DraftRule[] = [];
  const steps: DraftStep[] = [];
  const stepKeys = new Set<string>();
  const jumps: Jump[] = [];
  const neededNames = new Set(['source', 'source_id', 'required']);

  function beginPage(page: DraftPage): Page {
    const begun = { id: page.name === undefined ? undefined : toPageId(page.name), page, texts: [], questions: [] };
    pages.push(begun);
    return begun;
  }
  const currentPage = () => pages.at(-1) ?? beginPage({ at: '' });

  return {
    page: beginPage,
    text: (text) => currentPage().texts.push(text),
    question(draft) {
      const { name, at, nameAt = at, needed, kept = {} } = draft;
      const id = toUniqueId(name);
      if (id !== name) {
        const detail = `The id ${shorten(name, MAX_QUOTED)} is invalid or duplicate; the new id is ${id}`;
        warnOnce('id', { path: nameAt, code: 'ID_CHANGED', detail }, name);
      }
      for (const member of Object.keys(needed)) neededNames.add(member);
      const question = makeFileOptional(toQuestion(draft, id, optional), at, warnOnce);
      budget.take({ ...question, source_data: { ...kept, ...needed } }, at);
      currentPage().questions.push({ question, kept, at });
      return question;
    },
    requireCapacityFor: budget.requireCapacityFor,
    section: (section) => sections.push(section),
    unconverted: (question) => unconverted.push(question),
    rule: (rule) => rules.push(rule),
    step(step) {
      // Jumps lead to the first step with a key. Later steps with this key get a key that no jump can name.
      steps.push(stepKeys.has(step.key) ? { ...step, key: `  ${steps.length}` } : step);
      stepKeys.add(step.key);
    },
    jump: (jump) => jumps.push(jump),
    payload: () => toPayload({}, filledPages(pages), (question) => question),
    finish({ title, description, languages, welcome, thanks, id, kept, jumps: jumpsInFile = {} }) {
      const sectionIds = new Map(sections.map((section) => [section, toUniqueId(section.name)]));
      const filled = filledPages(pages);
      const madeSections = [...sectionIds].map(([section, sectionId]) => toSection(section, sectionId));
      const members = {
        ...textMembers({ title: isEmptyText(title) ? importTitle || UNTITLED : title, description }),
        supported_languages: [...languages],
        ...screenMember('welcome_screen', welcome),
        ...screenMember('thank_you_screen', thanks),
      };
      const withoutLogic = toPayload({ ...members, ...listMember('sections', madeSections) }, filled, (one) => one);
      const logic = convertLogic({ rules, steps, jumps }, withoutLogic, sectionIds, warnOnce);
      const complete: Complete = (part, ofPart = {}) => {
        const partId = String(part['id']);
        const fitting = logic.alwaysShown.has(partId) ? makeOptional(part, optional) : part;
        const data = { ...ofPart, ...sourceDataOf(fitting), ...logic.kept.get(partId) };
        return isEmpty(data) ? fitting : { ...fitting, source_data: data };
      };
      const sourceData = {
        ...toSourceData({ ...kept, ...(logic.hasAllJumps ? {} : jumpsInFile) }),
        source,
        ...(id === undefined ? {} : { source_id: id }),
        ...listMember('questions', unconverted),
      };
      const survey = {
        ...members,
        ...listMember(
          'sections',
          madeSections.map((section) => complete(section)),
        ),
        ...listMember('logic', logic.entries),
        source_data: sourceData,
      };
      const payload = allowLongTexts(toPayload(survey, filled, complete));
      return {
        payload: fitSize(payload, neededNames, (warning) => warnOnce('size', warning)),
        toFileProblem(problem) {
          const [, page, question] = /^\/survey\/pages\/(\d+)(?:\/questions\/(\d+))?/.exec(problem.path) ?? [];
          const found = filled[Number(page)];
          return toLocation({ ...problem, path: found?.questions[Number(question)]?.at ?? found?.page.at ?? '' });
        },
      };
    },
  };
}

function toQuestion(
  { name, title, description, members, required, needed }: DraftQuestion,
  id: string,
  optional: JsonObject,
): JsonObject {
  return {
    id,
    title: toJsonText(isEmptyText(title) ? name : title),
    ...textMembers({ description }),
    ...(required === true ? { required } : optional),
    ...members,
    source_data: { ...(required === 'in_tool' ? { required: true } : {}), ...needed },
  };
}

/** Makes a required file question optional. Otherwise all responses would fail, because files are not imported. */
function makeFileOptional(question: JsonObject, at: string, warnOnce: WarnOnce): JsonObject {
  if (question['type'] !== 'file_upload' || question['required'] !== true) return question;
  const detail = 'File questions are not required, because responses are imported without files';
  warnOnce('required file', { path: at, code: 'KEPT_AS_SOURCE_DATA', detail });
  return makeOptional(question, {});
}

/** Moves `required` to `source_data`. */
function makeOptional(question: JsonObject, optional: JsonObject): JsonObject {
  const { required, ...others } = question;
  return required === true ? withSourceData({ ...others, ...optional }, { required }) : question;
}

function toSection({ name, title, description, questions, sourceData }: DraftSection, id: string): JsonObject {
  return {
    id,
    ...textMembers({ title: isEmptyText(title) ? name : title, description }),
    question_ids: [...questions],
    ...(isEmpty(sourceData) ? {} : { source_data: sourceData }),
  };
}

/** The pages of the survey; a survey has at least one. */
function filledPages(pages: readonly Page[]): readonly Page[] {
  const filled = pages.filter(
    ({ page, texts, questions }) =>
      page.name !== undefined || questions.length > 0 || !isEmpty(textMembers(page)) || !texts.every(isEmptyText),
  );
  return filled.length > 0 ? filled : [pages[0] ?? { id: undefined, page: { at: '' }, texts: [], questions: [] }];
}

/** @param complete completes a question with its kept members */
function toPayload(members: JsonObject, pages: readonly Page[], complete: Complete): JsonObject {
  const made = pages.map(({ id, page, texts, questions }) => ({
    ...(id === undefined ? {} : { id }),
    ...textMembers({ ...page, description: joinAllTexts([page.description ?? '', ...texts], '\n\n') }),
    questions: questions.map(({ question, kept }) => complete(question, kept)),
    ...(isEmpty(page.sourceData) ? {} : { source_data: page.sourceData }),
  }));
  return { schema_version: '1.0', version: 1, survey: { ...members, pages: made } };
}

function textMembers({ title = '', description = '' }: Texts): JsonObject {
  return {
    ...(isEmptyText(title) ? {} : { title: toJsonText(title) }),
    ...(isEmptyText(description) ? {} : { description: toJsonText(description) }),
  };
}

function screenMember(name: string, texts: Texts = {}): JsonObject {
  const screen = textMembers(texts);
  return isEmpty(screen) ? {} : { [name]: screen };
}

function listMember(name: string, list: readonly JsonObject[]): JsonObject {
  return list.length === 0 ? {} : { [name]: [...list] };
}

function isEmpty(object: JsonObject | undefined): boolean {
  return object === undefined || Object.keys(object).length === 0;
}

/** Maximum items of a ranking that becomes a matrix, which has a column for each rank. */
export const MAX_RANKS = 100;

/** Options or columns with the numbers from 1 on: a scale, or the ranks of a ranking. */
export function numberScale(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, index) => {
    const number = String(index + 1);
    return { id: number, text: number, source_data: { source_id: number } };
  });
}

/** The member `labels` of a rating, from labels by value. Empty labels are left out; `{}` if all are empty. */
export function ratingLabels(labels: readonly (readonly [value: number, label: Text])[]): JsonObject {
  const given = labels.filter(([, label]) => !isEmptyText(label));
  if (given.length === 0) return {};
  return { labels: Object.fromEntries(given.map(([value, label]) => [value, toJsonText(label)])) };
}
