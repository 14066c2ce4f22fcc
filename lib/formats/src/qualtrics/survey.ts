import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { createSurveyDraft, MAX_RANKS, type SurveyDraft } from '../core/draft.ts';
import type { SurveyFileReader } from '../core/reader.ts';
import { moveReserved } from '../core/source-data.ts';
import { createHtmlToText, isEmptyText } from '../core/texts.ts';
import { readJson } from '../files/json.ts';
import { createWarnOnce, type WarnOnce } from '../files/report.ts';
import {
  createTextReader,
  type FileTexts,
  isNothing,
  isOn,
  type Located,
  listOf,
  type Qsf,
  readQsf,
  type SourceQuestion,
  scalarText,
  toLanguageTag,
} from './document.ts';
import { type Flow, type FlowBlock, readBlockOptions, readFlow, showsAllItems } from './flow.ts';
import { addLogic, type ConvertedPart, idsOf, type SurveyStep, skipsOf } from './logic.ts';
import { build, dateFormatOf } from './questions.ts';

interface SurveyContext {
  readonly qsf: Qsf;
  readonly flow: Flow;
  readonly texts: FileTexts;
  readonly draft: SurveyDraft;
  readonly warnOnce: WarnOnce;
}

/** Internal elements without content. */
const BOOKKEEPING: ReadonlySet<JsonValue | undefined> = new Set(['QC', 'RS', 'STAT', 'PROJ', 'QG']);
const ENTRY_USED = ['SurveyID', 'SurveyName', 'SurveyDescription', 'SurveyLanguage'];
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
/** Types of validations that are converted. Some files have none. */
const TYPES_USED: ReadonlySet<unknown> = new Set([
  ...'None ContentType MinChoices MaxChoices ChoiceRange MinChar MaxChar CharRange'.split(' '),
  undefined,
]);

/** Reads a survey of Qualtrics (QSF). */
export const readQualtricsSurvey: SurveyFileReader = async (file, { title, language: fallback, warn }) => {
  const qsf = readQsf(await readJson(file));
  const warnOnce = createWarnOnce(warn);
  const { entry } = qsf;
  const language = toLanguageTag(scalarText(entry['SurveyLanguage']) ?? '') ?? fallback;
  const languages = new Set([language]);
  const toText = createHtmlToText(warn);
  const draft = createSurveyDraft({ source: 'qualtrics', title, warnOnce, optional: { required: false } });
  const texts: FileTexts = {
    toText,
    language,
    onLanguage: (tag) => languages.add(tag),
    onUnknownLanguage(code, path) {
      const detail = `The language ${code} is unknown; its texts are not imported`;
      warnOnce(code, { path, code: 'NOT_IMPORTED', detail });
    },
  };
  const context = { qsf, flow: readFlow(qsf), texts, draft, warnOnce };
  addLogic(addBlocks(context), context.flow, draft);
  const survey = draft.finish({
    title: toText(scalarText(entry['SurveyName']) ?? '', '/SurveyEntry/SurveyName'),
    description: toText(scalarText(entry['SurveyDescription']) ?? '', '/SurveyEntry/SurveyDescription'),
    languages,
    id: scalarText(entry['SurveyID']),
    kept: keepRest(context),
  });
  return { ...survey, responses: undefined };
};

/** Members of the survey without an equivalent, with warnings. */
function keepRest({ qsf, flow, warnOnce }: SurveyContext): JsonObject {
  const { entry } = qsf;
  const warn = (key: string, path: string, subject: string) =>
    warnOnce(key, {
      path,
      code: 'KEPT_AS_SOURCE_DATA',
      detail: `${subject} has no equivalent and is kept in source_data`,
    });
  const rest = Object.entries(entry).filter(([name, value]) => !ENTRY_USED.includes(name) && value !== null);
  const elements = qsf.others.filter(({ value }) => !BOOKKEEPING.has(value['Element']));
  for (const { path, value } of elements) warn(`element ${value['Element']}`, path, `The element ${value['Element']}`);
  for (const [type, path] of flow.unsupportedElements) warn(`flow ${type}`, path, `The element ${type} of the flow`);
  return {
    ...(rest.length === 0 ? {} : { entry: Object.fromEntries(rest) }),
    ...(elements.length === 0 ? {} : { elements: elements.map(({ value }) => value) }),
    ...(flow.unsupportedElements.size === 0 || qsf.flow === undefined ? {} : { flow: qsf.flow.value }),
  };
}

/** Adds the blocks of the flow: a section for each block, pages by page breaks. Returns the questions in their order. */
function addBlocks(context: SurveyContext): readonly SurveyStep[] {
  const { qsf, flow, draft, warnOnce } = context;
  const steps = new Map<string, SurveyStep>();
  for (const block of flow.blocks) {
    const options = readBlockOptions(block);
    const ids: string[] = [];
    draft.page({ at: block.path });
    for (const element of listOf(block.value['BlockElements'], `${block.path}/BlockElements`)) {
      const { Type: type, QuestionID: questionId } = element.value;
      if (type === 'Page Break') draft.page({ at: element.path });
      const qid = scalarText(questionId) ?? '';
      const located = qsf.questions.get(qid);
      if (type !== 'Question' || located === undefined || steps.has(qid)) continue;
      const isSampled = block.shownQuestions === 'some' || options.shownQuestions === 'some';
      const source = readQuestion(qid, located, isSampled, context);
      const parts = addQuestions(source, context);
      const order = { block: block.order, questions: options.order };
      const required = source.required !== false;
      steps.set(qid, { qid, block, located, parts, required, skips: skipsOf(element), order });
      ids.push(...idsOf({ parts }));
    }
    const title = scalarText(block.value['Description']) ?? '';
    if (ids.length > 0) draft.section({ name: block.id, title, questions: ids, sourceData: options.kept });
    warnOfOptions(block, options, warnOnce);
  }
  warnOfUnused(context, steps);
  return [...steps.values()];
}

function warnOfOptions(block: FlowBlock, options: ReturnType<typeof readBlockOptions>, warnOnce: WarnOnce): void {
  if (Object.keys(options.kept).length > 0) {
    const detail =
      'Random order is not supported; questions keep the order of the file, and source_data has the setting';
    warnOnce('order', { path: `${block.path}/Options`, code: 'KEPT_AS_SOURCE_DATA', detail });
  }
  if (options.isLooped) {
    const detail = 'Loops are not supported; the block is asked once';
    warnOnce('loop', { path: block.path, code: 'NOT_IMPORTED', detail });
  }
}

/** Adds the questions that a Qualtrics question becomes. */
function addQuestions(source: SourceQuestion, { draft, warnOnce }: SurveyContext): readonly ConvertedPart[] {
  const parts: ConvertedPart[] = [];
  for (const part of build(source)) {
    const { sourceId, tag, path, title, members, required } = part;
    const isFirst = parts.length === 0;
    const dateFormat = members['type'] === 'date' ? dateFormatOf(source.settings) : undefined;
    const { id } = draft.question({
      ...{ at: path, nameAt: source.path, title, members, required },
      // Only the first part is reported if its id differs.
      name: isFirst ? sourceId : sourceId.replace('#', '_'),
      needed: {
        source_id: sourceId,
        export_tag: tag,
        ...(dateFormat === undefined ? {} : { date_format: dateFormat }),
        ...(isFirst ? { type: source.kind } : {}),
      },
      ...(isFirst ? { kept: keepMembers(source, warnOnce) } : {}),
    });
    parts.push({ ...part, id: String(id) });
  }
  if (parts.length === 0) keepUnconverted(source, draft);
  return parts;
}

function readQuestion(
  qid: string,
  located: Located,
  isSampled: boolean,
  { texts, warnOnce }: SurveyContext,
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
  const required = isForcedQuestion && reason !== undefined ? 'in_tool' : isForcedQuestion;
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

/** Members of a question without an equivalent, with warnings. */
function keepMembers({ value, path, settings }: SourceQuestion, warnOnce: WarnOnce): JsonObject {
  const kept = Object.entries(value).filter(([name, member]) => !USED.has(name) && !isNothing(member));
  const isPlain = TYPES_USED.has(settings['Type']);
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
function keepUnconverted(source: SourceQuestion, draft: SurveyDraft): void {
  const { id, kind, title, value } = source;
  draft.unconverted({ ...value, source_id: id, type: kind });
  if (kind.startsWith('DB')) {
    source.warnOfKind('NO_SUCH_TYPE', 'A text between questions becomes part of the description of its page');
    draft.text(title);
    return;
  }
  const isRanking = /^RO\b/.test(kind);
  const subject = isRanking ? `A ranking without choices, or of more than ${MAX_RANKS},` : `The question type ${kind}`;
  const detail = `${subject} has no equivalent; the question is kept in source_data of the survey`;
  source.warnOfQuestion('NO_SUCH_TYPE', detail);
}

/** Warns about the questions that are on no page. */
function warnOfUnused({ qsf, flow, warnOnce }: SurveyContext, used: ReadonlyMap<string, unknown>): void {
  const unused = [...qsf.questions.keys()].filter((qid) => !used.has(qid));
  const warnOf = (qids: readonly string[], reason: string) => {
    const path = qsf.questions.get(qids[0] ?? '')?.path;
    if (path === undefined) return;
    const more = qids.length > 1 ? ` and ${qids.length - 1} more` : '';
    warnOnce(reason, { path, code: 'NOT_IMPORTED', detail: `${qids[0]}${more} ${reason}` });
  };
  warnOf(
    unused.filter((qid) => qsf.trash.has(qid)),
    'is in the trash',
  );
  warnOf(
    unused.filter((qid) => !qsf.trash.has(qid)),
    flow.unused.length > 0 ? 'is in a block that the flow does not lead to' : 'is in no block',
  );
}
