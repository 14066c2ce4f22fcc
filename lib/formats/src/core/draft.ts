import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { WarnOnce } from '../files/report.ts';
import type { Budget } from './budget.ts';
import type { Jump, Step } from './logic/jump-graph.ts';
import { toShowRules } from './logic/to-show-rules.ts';
import { makeFileOptional } from './optional-file.ts';
import { createOrigins } from './origins.ts';
import { fitLengths, fitSize, MAX_TEXT, toSourceData } from './source-data.ts';
import { isEmptyText, type Text, textsOf, toJsonText, UNTITLED } from './texts.ts';

interface PageTexts {
  readonly title?: Text | undefined;
  readonly description?: Text | undefined;
  readonly sourceData?: JsonObject;
}

/** Members of `source_data` that readers of responses need. They are never removed. */
const NEEDED: ReadonlySet<string> = new Set([
  ...['source', 'source_id', 'type', 'ref', 'part', 'row_id', 'col_id', 'date_format', 'weights', 'required'],
]);

/** Builds the survey of a tool whose logic has jumps. Pages and questions are added in their order. */
export interface SurveyDraft {
  /** Begins a page. Pages without questions and texts are dropped. */
  beginPage(texts: PageTexts, path: string): void;
  /** Adds a question, which must have an id. */
  addQuestion(question: JsonObject, path: string): void;
  /**
   * Adds a step that jumps can start from or lead to: converted questions, or a text without questions.
   *
   * @param path empty if skipping the step loses nothing
   */
  addStep(step: Step, path: string): void;
  /** Completes the survey. Warns about jumps that cannot be converted. */
  finish(members: JsonObject, logic: DraftLogic): FinishedDraft;
}

interface DraftLogic {
  readonly jumps: readonly Jump[];
  /** The original logic. It is kept in `source_data` unless all of it is converted. */
  readonly source: JsonObject;
  /** Whether the logic consists of jumps only. */
  readonly hasOnlyJumps: boolean;
}

interface FinishedDraft {
  readonly payload: JsonObject;
  toFileProblem(problem: FieldProblem): FieldProblem;
}

interface LocatedQuestion {
  readonly question: JsonObject;
  readonly path: string;
}

interface Page {
  readonly texts: PageTexts;
  readonly path: string;
  readonly questions: LocatedQuestion[];
}

export function createSurveyDraft(warnOnce: WarnOnce, budget: Budget): SurveyDraft {
  const pages: Page[] = [];
  const steps: Step[] = [];
  const stepPaths = new Map<string, string>();

  const beginPage: SurveyDraft['beginPage'] = (texts, path) => {
    const last = pages.at(-1);
    if (last !== undefined && last.questions.length === 0 && isBlank(last.texts)) pages.pop();
    pages.push({ texts, path, questions: [] });
  };

  return {
    beginPage,
    addQuestion(question, path) {
      const fitted = makeFileOptional(fitLengths(allowLongText(question)), path, warnOnce);
      budget.take(fitted, path);
      if (pages.length === 0) beginPage({}, '');
      pages.at(-1)?.questions.push({ question: fitted, path });
    },
    addStep(step, path) {
      // Jumps lead to the first step with a key. Later steps with this key get a key that no jump can name.
      const key = stepPaths.has(step.key) ? `  ${steps.length}` : step.key;
      stepPaths.set(key, path);
      steps.push({ ...step, key });
    },
    finish({ source_data: sourceData, title = '', ...members }, { jumps, source, hasOnlyJumps }) {
      const filled = pages.filter(({ texts, questions }) => questions.length > 0 || !isBlank(texts));
      const pathOf = (step: string) => stepPaths.get(step) ?? '';
      const { rules, unproven, conditionalTexts } = toShowRules(steps, jumps);
      const skippedTexts = conditionalTexts.filter((step) => pathOf(step) !== '');
      for (const { step, reason } of unproven) {
        const detail = `The jumps to this question cannot be converted: ${reason}. It is always shown and not required`;
        warnOnce(step, { path: pathOf(step), code: 'LOGIC_NOT_CONVERTED', detail });
      }
      for (const step of skippedTexts) {
        const detail = 'Jumps that skip a text are not converted; a text is shown with the questions after it';
        warnOnce('text', { path: pathOf(step), code: 'LOGIC_NOT_CONVERTED', detail });
      }
      const unprovenSteps = new Set(unproven.map(({ step }) => step));
      const optionalIds = new Set(
        steps
          .filter(({ key }) => unprovenSteps.has(key))
          .flatMap(({ questions }) => questions.map(({ id }) => String(id))),
      );
      const keepsSource = !hasOnlyJumps || unproven.length + skippedTexts.length > 0;
      const kept = toSourceData({ ...(isObject(sourceData) ? sourceData : {}), ...(keepsSource ? source : {}) });
      const surveyTitle = textsOf(title).some((text) => text.trim() !== '') ? title : UNTITLED;
      const payload = toPayload({ title: surveyTitle, ...members, source_data: kept }, filled, rules, optionalIds);
      return {
        payload: fitSize(payload, NEEDED, (warning) => warnOnce('size', warning)),
        toFileProblem: originsOf(filled).toFileProblem,
      };
    },
  };
}

function isBlank({ title = '', description = '' }: PageTexts): boolean {
  return isEmptyText(title) && isEmptyText(description);
}

/** @param optionalIds ids of questions that are always shown although the other tool may skip them */
function toPayload(
  { source_data: sourceData = {}, ...members }: JsonObject,
  pages: readonly Page[],
  rules: readonly JsonObject[],
  optionalIds: ReadonlySet<string>,
): JsonObject {
  return {
    schema_version: '1.0',
    version: 1,
    survey: {
      ...members,
      pages: pages.map(({ texts, questions }) => ({
        ...textMember('title', texts.title),
        ...textMember('description', texts.description),
        ...(texts.sourceData === undefined ? {} : { source_data: texts.sourceData }),
        questions: questions.map(({ question }) =>
          optionalIds.has(String(question['id'])) ? makeOptional(question) : question,
        ),
      })),
      ...(rules.length === 0 ? {} : { logic: [...rules] }),
      source_data: sourceData,
    },
  };
}

/** Makes a question optional, and keeps `required` in `source_data`. */
export function makeOptional(question: JsonObject): JsonObject {
  if (question['required'] !== true) return question;
  const { required: _required, source_data: sourceData, ...members } = question;
  return { ...members, source_data: { required: true, ...(isObject(sourceData) ? sourceData : {}) } };
}

/** Sets the maximum length of a text question that has none. Numbers need no maximum. */
function allowLongText(question: JsonObject): JsonObject {
  const { type, format, max_length: length } = question;
  if (type !== 'text' || length !== undefined || format === 'number' || format === 'integer') return question;
  return { ...question, max_length: MAX_TEXT };
}

/** An object with the text as its only member; empty for an empty text. */
export function textMember(name: string, text: Text | undefined): JsonObject {
  return text === undefined || isEmptyText(text) ? {} : { [name]: toJsonText(text) };
}

function originsOf(pages: readonly Page[]) {
  const origins = createOrigins();
  for (const [index, page] of pages.entries()) {
    origins.note(`/survey/pages/${index}`, page.path);
    for (const [position, { path }] of page.questions.entries()) {
      origins.note(`/survey/pages/${index}/questions/${position}`, path);
    }
  }
  return origins;
}
