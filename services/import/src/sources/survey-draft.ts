import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import type { Jump, Step } from '../jumps/jump-graph.ts';
import { toShowRules } from '../jumps/to-show-rules.ts';
import type { Budget } from './budget.ts';
import { releaseFile } from './file-question.ts';
import { fitSize } from './fit-size.ts';
import { isEmptyText, type Text, textsOf, toJsonText } from './language-texts.ts';
import { createOrigins } from './origins.ts';
import { toSourceData } from './source-data.ts';
import type { WarnOnce } from './warn-once.ts';

interface PageTexts {
  readonly title?: Text | undefined;
  readonly description?: Text | undefined;
  /** What else the file says of it. */
  readonly sourceData?: JsonObject;
}

/** Characters that a line of text may have in the other tools, which set no limit of their own. */
const MAX_TEXT = 20_000;
const TITLE = 'Imported survey';
/** What of `source_data` is needed to read responses, or to ask for the same answers. */
const NEEDED: ReadonlySet<string> = new Set([
  ...['source', 'source_id', 'type', 'ref', 'part', 'row_id', 'col_id', 'date_format', 'weights', 'required'],
]);

/** A survey in the making, read from the first question to the last, of a tool that leads by jumps. */
export interface SurveyDraft {
  /** What follows is on a page of its own. A page that would be empty and says nothing is none. */
  beginPage(texts: PageTexts, path: string): void;
  /** The question has to have an id. */
  addQuestion(question: JsonObject, path: string): void;
  /**
   * The next thing that jumps may lead to or from: the questions that it has become, none for a text.
   *
   * @param path empty where nothing is lost when the step is passed over
   */
  addStep(step: Step, path: string): void;
  /** Puts it together; what of the logic cannot be turned into rules is warned of. */
  finish(members: JsonObject, logic: DraftLogic): FinishedDraft;
}

interface DraftLogic {
  readonly jumps: readonly Jump[];
  /** The logic as the tool has it; it is kept as source data unless all of it has become rules. */
  readonly source: JsonObject;
  /** Whether jumps are all that there is of it. */
  readonly isWhole: boolean;
}

interface FinishedDraft {
  readonly payload: JsonObject;
  inFile(problem: FieldProblem): FieldProblem;
}

interface Placed {
  readonly question: JsonObject;
  readonly path: string;
}

interface Page {
  readonly texts: PageTexts;
  readonly path: string;
  readonly questions: Placed[];
}

export function createSurveyDraft(warnOnce: WarnOnce, budget: Budget): SurveyDraft {
  const pages: Page[] = [];
  const steps: Step[] = [];
  const stepPaths = new Map<string, string>();

  const beginPage: SurveyDraft['beginPage'] = (texts, path) => {
    const last = pages.at(-1);
    if (last !== undefined && last.questions.length === 0 && saysNothing(last.texts)) pages.pop();
    pages.push({ texts, path, questions: [] });
  };

  return {
    beginPage,
    addQuestion(question, path) {
      const own = releaseFile(withLength(question), path, warnOnce);
      budget.take(own, path);
      if (pages.length === 0) beginPage({}, '');
      pages.at(-1)?.questions.push({ question: own, path });
    },
    addStep(step, path) {
      // Jumps know the first of several with one name; no other has a name of two blanks.
      const key = stepPaths.has(step.key) ? `  ${steps.length}` : step.key;
      stepPaths.set(key, path);
      steps.push({ ...step, key });
    },
    finish({ source_data: sourceData, title = '', ...members }, { jumps, source, isWhole }) {
      const filled = pages.filter(({ texts, questions }) => questions.length > 0 || !saysNothing(texts));
      const pathOf = (step: string) => stepPaths.get(step) ?? '';
      const { rules, unproven, conditionalTexts } = toShowRules(steps, jumps);
      const texts = conditionalTexts.filter((step) => pathOf(step) !== '');
      for (const { step, reason } of unproven) {
        const detail = `The jumps that lead here are not converted: ${reason}. It is always shown, and not required`;
        warnOnce(step, { path: pathOf(step), code: 'LOGIC_NOT_CONVERTED', detail });
      }
      for (const step of texts) {
        const detail =
          'Jumps lead past this text, here and maybe elsewhere; a text is shown with the questions after it';
        warnOnce('text', { path: pathOf(step), code: 'LOGIC_NOT_CONVERTED', detail });
      }
      const lost = new Set(unproven.map(({ step }) => step));
      const shown = new Set(
        steps.filter(({ key }) => lost.has(key)).flatMap(({ questions }) => questions.map(({ id }) => String(id))),
      );
      const isKept = !isWhole || unproven.length + texts.length > 0;
      const kept = toSourceData({ ...(isObject(sourceData) ? sourceData : {}), ...(isKept ? source : {}) });
      const named = textsOf(title).some((text) => text.trim() !== '') ? title : TITLE;
      const payload = toPayload({ title: named, ...members, source_data: kept }, filled, rules, shown);
      return {
        payload: fitSize(payload, NEEDED, (warning) => warnOnce('size', warning)),
        inFile: originsOf(filled).inFile,
      };
    },
  };
}

function saysNothing({ title = '', description = '' }: PageTexts): boolean {
  return isEmptyText(title) && isEmptyText(description);
}

/** @param shown ids of the questions that are shown though the other tool may pass over them, and so cannot be required */
function toPayload(
  { source_data: sourceData = {}, ...members }: JsonObject,
  pages: readonly Page[],
  rules: readonly JsonObject[],
  shown: ReadonlySet<string>,
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
        questions: questions.map(({ question }) => (shown.has(String(question['id'])) ? relax(question) : question)),
      })),
      ...(rules.length === 0 ? {} : { logic: [...rules] }),
      source_data: sourceData,
    },
  };
}

/** The question without being required, which it keeps as source data. */
export function relax(question: JsonObject): JsonObject {
  if (question['required'] !== true) return question;
  const { required: _required, source_data: sourceData, ...members } = question;
  return { ...members, source_data: { required: true, ...(isObject(sourceData) ? sourceData : {}) } };
}

/** Numbers are as long as they are. */
function withLength(question: JsonObject): JsonObject {
  const { type, format, max_length: length } = question;
  if (type !== 'text' || length !== undefined || format === 'number' || format === 'integer') return question;
  return { ...question, max_length: MAX_TEXT };
}

/** A member with a text, unless that is empty. */
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
