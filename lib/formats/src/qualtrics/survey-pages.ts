import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import type { Budget } from '../core/budget.ts';
import { createUniqueIds, type ToUniqueId } from '../core/ids.ts';
import { MAX_RANKS } from '../core/number-scale.ts';
import { makeFileOptional } from '../core/optional-file.ts';
import type { Origins } from '../core/origins.ts';
import { moveReserved } from '../core/source-data.ts';
import { isEmptyText, joinAllTexts, type Text, toJsonText } from '../core/texts.ts';
import type { WarnOnce } from '../files/report.ts';
import { readBlockOptions } from './block-options.ts';
import type { Flow, FlowBlock } from './flow.ts';
import { type Located, listOf, type Qsf, scalarText } from './qsf.ts';
import { buildParts, type Part } from './questions.ts';
import { showsAllItems } from './shown-items.ts';
import { type SkipStep, skipsOf } from './skip-logic.ts';
import { createTextReader, type FileTexts, isNothing, isOn, type SourceQuestion } from './source-question.ts';
import { dateFormatOf } from './text-rules.ts';

export interface SurveyContext {
  readonly qsf: Qsf;
  readonly flow: Flow;
  readonly texts: FileTexts;
  readonly origins: Origins;
  readonly warnOnce: WarnOnce;
  readonly budget: Budget;
}

/** A Qualtrics question in the order of the survey, with its converted parts. */
export interface SurveyStep extends SkipStep {
  readonly located: Located;
  readonly flowBlock: FlowBlock;
  readonly parts: readonly Part[];
}

interface SurveyPages {
  readonly pages: JsonObject[];
  readonly sections: JsonObject[];
  readonly steps: readonly SurveyStep[];
  readonly unconverted: JsonObject[];
}

/** Members of a question that are converted, or have no content. */
const USED = new Set(
  (
    'QuestionText QuestionDescription QuestionID DataExportTag QuestionType Selector SubSelector Choices ChoiceOrder ' +
    'Answers AnswerOrder RecodeValues VariableNaming ChoiceDataExportTags Language DisplayLogic NextChoiceId ' +
    'NextAnswerId DefaultChoices AdditionalQuestions NumberOfQuestions Validation'
  ).split(' '),
);
/** Member names that the reader uses in `source_data`. */
const RESERVED_NAMES = new Set('source_id export_tag date_format type required logic'.split(' '));
/** Validation settings that are converted. */
const SETTINGS_USED = new Set(
  'ForceResponse ForceResponseType MinChoices MaxChoices MinChars MaxChars DateFormat'.split(' '),
);
/** Validation settings that are not kept if the type of the validation is converted. */
const SETTINGS_OF_TYPE = new Set('Type ContentType ValidNumber ValidDate ValidDateType'.split(' '));
/** Types of validations that are converted. */
const TYPES_USED: readonly unknown[] = [
  'None',
  'ContentType',
  'MinChoices',
  'MaxChoices',
  'ChoiceRange',
  'MinChar',
  'MaxChar',
  'CharRange',
  undefined,
];

/** Builds pages and sections: a section for each block, pages by page breaks. */
export function buildPages(context: SurveyContext): SurveyPages {
  const result: SurveyPages & { steps: SurveyStep[] } = { pages: [], sections: [], steps: [], unconverted: [] };
  const building: BuildState = {
    context,
    result,
    toUniqueId: createUniqueIds(),
    toSectionId: createUniqueIds(),
    seen: new Set(),
  };
  for (const block of context.flow.blocks) addBlock(block, building);
  if (result.pages.length === 0) result.pages.push({ questions: [] });
  warnOfUnused(context, building.seen);
  return result;
}

/** The state of `buildPages`. */
interface BuildState {
  readonly context: SurveyContext;
  readonly result: SurveyPages & { readonly steps: SurveyStep[] };
  readonly toUniqueId: ToUniqueId;
  readonly toSectionId: ToUniqueId;
  /** Ids of questions that are already on a page. */
  readonly seen: Set<string>;
}

function addBlock(block: FlowBlock, building: BuildState): void {
  const { context, result, toSectionId, seen } = building;
  const ids: string[] = [];
  let page: Page = { questions: [], texts: [] };
  const options = readBlockOptions(block);
  for (const element of listOf(block.value['BlockElements'], `${block.path}/BlockElements`)) {
    if (element.value['Type'] === 'Page Break') {
      addPage(page, result.pages);
      page = { questions: [], texts: [] };
    }
    const qid = scalarText(element.value['QuestionID']) ?? '';
    const question = context.qsf.questions.get(qid);
    if (element.value['Type'] !== 'Question' || question === undefined || seen.has(qid)) continue;
    seen.add(qid);
    const source = readQuestion(qid, question, {
      context,
      isSampled: block.shownQuestions === 'some' || options.shownQuestions === 'some',
    });
    const parts = buildParts(source, context.budget);
    if (parts.length === 0) keepUnconverted(page, source, result.unconverted);
    const added = addQuestions(parts, source, page, building);
    for (const id of added) ids.push(id);
    const required = isForced(source.settings);
    const order = { block: block.order, questions: options.order };
    const step = { qid, block: block.id, ids: added, required, skips: skipsOf(element), order };
    result.steps.push({ ...step, located: question, flowBlock: block, parts });
  }
  addPage(page, result.pages);
  const title = scalarText(block.value['Description']) ?? '';
  if (ids.length > 0) {
    const section = { id: toSectionId(block.id), title: title || block.id, question_ids: ids };
    result.sections.push({ ...section, ...(isEmpty(options.kept) ? {} : { source_data: options.kept }) });
  }
  if (!isEmpty(options.kept)) {
    const detail =
      'Random order is not supported; questions keep the order of the file, and source_data has the setting';
    context.warnOnce('order', { path: `${block.path}/Options`, code: 'KEPT_AS_SOURCE_DATA', detail });
  }
  if (options.isLooped) {
    const detail = 'Loops are not supported; the block is asked once';
    context.warnOnce('loop', { path: block.path, code: 'NOT_IMPORTED', detail });
  }
}

function addQuestions(
  parts: readonly Part[],
  source: SourceQuestion,
  page: Page,
  { context, result, toUniqueId }: BuildState,
): readonly string[] {
  return parts.map((part, index) => {
    const payloadPath = `/survey/pages/${result.pages.length}/questions/${page.questions.length}`;
    context.origins.note(payloadPath, part.path);
    return addQuestion(part, index === 0 ? source : undefined, { page, toUniqueId, warnOnce: context.warnOnce });
  });
}

interface Page {
  readonly questions: JsonObject[];
  readonly texts: Text[];
}

function addPage({ questions, texts }: Page, pages: JsonObject[]): void {
  const description = joinAllTexts(texts, '\n\n');
  if (questions.length === 0 && isEmptyText(description)) return;
  pages.push({ ...(isEmptyText(description) ? {} : { description: toJsonText(description) }), questions });
}

function readQuestion(
  qid: string,
  located: Located,
  { context: { texts, warnOnce }, isSampled }: { readonly context: SurveyContext; readonly isSampled: boolean },
): SourceQuestion {
  const { value, path } = located;
  const text = createTextReader(located, texts);
  const names = [value['QuestionType'], value['Selector'], value['SubSelector']];
  const validation = isObject(value['Validation']) ? value['Validation']['Settings'] : undefined;
  const settings = isObject(validation) ? validation : {};
  const tag = scalarText(value['DataExportTag']) ?? qid;
  const written = text((owner) => owner['QuestionText'], `${path}/QuestionText`);
  const fallbackTitle = text((owner) => owner['QuestionDescription'], `${path}/QuestionDescription`);
  const kind = names.filter((name) => typeof name === 'string').join('/');
  const warn = (code: string, detail: string, below: string | undefined, question: string | undefined) => {
    const at = below === undefined ? path : `${path}/${below}`;
    warnOnce(detail, { path: at, code, detail: `${qid}: ${detail}` }, question);
  };
  const warnOfKind: SourceQuestion['warnOfKind'] = (code, detail) => warn(code, detail, undefined, undefined);
  const warnOfQuestion: SourceQuestion['warnOfQuestion'] = (code, detail, below) => warn(code, detail, below, qid);
  if (isEmptyText(written))
    warnOfQuestion('EMPTY_TITLE', 'The question has no text; its description or name becomes the title');
  const title = !isEmptyText(written) ? written : !isEmptyText(fallbackTitle) ? fallbackTitle : tag;
  if (/\$\{\w+:\/\//.test(JSON.stringify(title))) {
    warnOfQuestion('PLACEHOLDER_KEPT', `Placeholders \${…} are not replaced`);
  }
  const isForcedQuestion = isForced(settings);
  const reason = isForcedQuestion ? reasonToBeOptional(value, isSampled) : undefined;
  if (reason !== undefined) {
    const detail = `${qid}: The question is not required, because ${reason}`;
    warnOnce(`release ${reason}`, { path, code: 'KEPT_AS_SOURCE_DATA', detail }, qid);
  }
  const required = isForcedQuestion && reason === undefined;
  return { id: qid, tag, kind, path, value, title, required, settings, text, warnOfKind, warnOfQuestion };
}

/** The reason why some respondents could not answer a required question; undefined if all could. */
function reasonToBeOptional(value: JsonObject, isSampled: boolean): string | undefined {
  if (isSampled) return 'some respondents do not get it';
  return showsAllItems(value) ? undefined : 'some respondents do not see all choices or rows';
}

function isForced(settings: JsonObject): boolean {
  return settings['ForceResponse'] === 'ON';
}

function addQuestion(
  { sourceId, tag, members, path }: Part,
  source: SourceQuestion | undefined,
  { page, toUniqueId, warnOnce }: { readonly page: Page; readonly toUniqueId: ToUniqueId; readonly warnOnce: WarnOnce },
): string {
  const id = toUniqueId(sourceId);
  if (id !== sourceId && source !== undefined) {
    const detail = `The id ${sourceId} is invalid; the new id is ${id}`;
    warnOnce('id', { path: source.path, code: 'ID_CHANGED', detail }, sourceId);
  }
  const dateFormat = source !== undefined && members['type'] === 'date' ? dateFormatOf(source.settings) : undefined;
  const isMadeOptional = source !== undefined && isForced(source.settings) && !source.required;
  const question = {
    id,
    ...members,
    source_data: {
      ...(source === undefined ? {} : keepMembers(source, warnOnce)),
      ...(isMadeOptional ? { required: true } : {}),
      source_id: sourceId,
      export_tag: tag,
      ...(dateFormat === undefined ? {} : { date_format: dateFormat }),
      ...(source === undefined ? {} : { type: source.kind }),
    },
  };
  page.questions.push(makeFileOptional(question, path, warnOnce));
  return id;
}

/** Source data of a question, with warnings. */
function keepMembers({ value, path, settings }: SourceQuestion, warnOnce: WarnOnce): JsonObject {
  const kept = Object.entries(value).filter(([name, member]) => !USED.has(name) && !isNothing(member));
  const isPlain = TYPES_USED.includes(settings['Type']);
  const otherSettings = Object.entries(settings).filter(
    ([name, member]) =>
      !SETTINGS_USED.has(name) && !(isPlain && SETTINGS_OF_TYPE.has(name)) && isOn(member) && member !== 'None',
  );
  if (otherSettings.length > 0) kept.push(['Validation', Object.fromEntries(otherSettings)]);
  for (const [name] of kept) {
    const detail = `${name} has no equivalent and is kept in source_data of the question`;
    warnOnce(name, { path: `${path}/${name}`, code: 'KEPT_AS_SOURCE_DATA', detail });
  }
  return moveReserved(Object.fromEntries(kept), RESERVED_NAMES, 'more');
}

/**
 * Keeps a question without an equivalent in the source data of the survey. If the question is only a text, the text is
 * also added to the description of its page.
 */
function keepUnconverted(page: Page, source: SourceQuestion, unconverted: JsonObject[]): void {
  const { id, kind, title, value } = source;
  unconverted.push({ ...value, source_id: id, type: kind });
  if (kind.startsWith('DB')) {
    source.warnOfKind('NO_SUCH_TYPE', 'A text between questions becomes part of the description of its page');
    page.texts.push(title);
    return;
  }
  const isRanking = /^RO\b/.test(kind);
  const subject = isRanking ? `A ranking without choices, or of more than ${MAX_RANKS},` : `The question type ${kind}`;
  const detail = `${subject} has no equivalent; the question is kept in source_data of the survey`;
  source.warnOfQuestion('NO_SUCH_TYPE', detail);
}

function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}

/** Warns about the questions that are on no page. */
function warnOfUnused({ qsf, flow, warnOnce }: SurveyContext, seen: ReadonlySet<string>): void {
  const [inTrash, others] = [...qsf.questions]
    .filter(([qid]) => !seen.has(qid))
    .reduce<[string[], string[]]>(
      (sorted, [qid]) => {
        sorted[qsf.trash.has(qid) ? 0 : 1].push(qid);
        return sorted;
      },
      [[], []],
    );
  const warnOf = (qids: readonly string[], reason: string) => {
    const path = qsf.questions.get(qids[0] ?? '')?.path;
    if (path === undefined) return;
    const more = qids.length > 1 ? ` and ${qids.length - 1} more` : '';
    warnOnce(reason, { path, code: 'NOT_IMPORTED', detail: `${qids[0]}${more} ${reason}` });
  };
  warnOf(inTrash, 'is in the trash');
  warnOf(others, flow.unused.length > 0 ? 'is in a block that the flow does not lead to' : 'is in no block');
}
