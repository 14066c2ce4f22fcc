import type { JsonObject } from '@bufbuild/protobuf';
import { isObject, itemsOf } from '@survey/questionnaire/json';
import type { SurveyDraft } from '../core/draft.ts';
import { type KeepMembers, toSourceData } from '../core/source-data.ts';
import { type LocatedObject, locatedObjects, numberOf, objectOf } from '../core/source-questions.ts';
import type { HtmlToText } from '../core/texts.ts';
import type { WarnOnce } from '../files/report.ts';
import { ITEM_MEMBERS, isShown, listIn, type ReadList, type SurveyMonkeyQuestion, shownOf } from './document.ts';
import { amountTypes, onlyPart, type Part, partsOf } from './parts.ts';

interface QuestionContext {
  readonly toText: HtmlToText;
  readonly keep: KeepMembers;
  /**
   * Only warn about unconverted rules. Each kind of rule has its own function, because a function warns once about a
   * name, and the kinds share names.
   */
  readonly keepRules: Readonly<Record<'validation' | 'required' | 'display', KeepMembers>>;
  readonly warnOnce: WarnOnce;
  readonly readList: ReadList;
  /** Whether the file has responses. They may lack required answers, because the API does not return skip logic. */
  readonly hasResponses: boolean;
}

const QUESTION_MEMBERS = new Set([
  ...['id', 'family', 'subtype', 'headings', 'position', 'visible', 'answers', 'required', 'href'],
  ...['display_options', 'validation'],
]);

/** Families whose rows become questions. */
const ROW_FAMILIES = new Set(['open_ended', 'demographic', 'datetime']);

/** Converts a question and adds the results to the draft. A presentation begins a page. */
export function addQuestion(question: SurveyMonkeyQuestion, context: QuestionContext, draft: SurveyDraft): void {
  const { family, kind, id, path } = question;
  const { warnOnce } = context;
  const heading = headingOf(question, context.toText);
  if (family === 'presentation') {
    const detail = `${kind} has no answer and becomes the title of a page`;
    warnOnce(kind, { path: `${path}/family`, code: 'NO_SUCH_TYPE', detail });
    warnOfRules(question, [], context);
    if (!isShown(question.source)) {
      const hidden = `The hidden text ${id} is shown`;
      warnOnce('hidden text', { path: `${path}/visible`, code: 'NOT_IMPORTED', detail: hidden }, id);
    }
    const sourceData = { ...keepOf(question, false, context), source_id: id, type: kind };
    draft.page({ title: heading, sourceData, at: path });
    return;
  }
  const parts = partsOf(question, context.readList, draft);
  warnOfType(question, parts, warnOnce);
  warnOfRules(question, parts ?? [], context);
  const { required: requirement, ...kept } = keepOf(question, parts !== undefined, context);
  const isRequired = question.required !== undefined;
  const partsOrFallback =
    parts === undefined || parts.length === 0 ? [onlyPart({ type: 'textarea' }, isRequired)] : parts;
  for (const [index, part] of partsOrFallback.entries()) {
    const isFirst = index === 0;
    const isOptional = canBeUnanswered(question, part, context);
    draft.question({
      name: part.idSuffix === '' ? id : `${id}_${part.idSuffix}`,
      at: path,
      nameAt: `${path}/id`,
      title: titleOf(question, part, heading, context),
      members: part.members,
      required: part.required && isOptional ? 'in_tool' : part.required,
      needed: {
        ...(isFirst && requirement !== undefined ? { required: requirement } : {}),
        ...part.answerSource,
        source_id: id,
        type: kind,
      },
      ...(isFirst ? { kept } : {}),
    });
  }
}

/** Whether a complete response may lack an answer to a part of this question. */
function canBeUnanswered(
  { source, path, id }: SurveyMonkeyQuestion,
  { required }: Part,
  { hasResponses, warnOnce }: QuestionContext,
): boolean {
  const isHidden = source['visible'] === false;
  if (isHidden) {
    const detail = `The hidden question ${id} is shown, and not required`;
    warnOnce('hidden', { path: `${path}/visible`, code: 'NOT_IMPORTED', detail }, id);
  }
  if (hasResponses && required) {
    const detail =
      'SurveyMonkey does not export logic, so responses may lack answers: all questions become optional, and source_data says which were required';
    warnOnce('skipped', { path: `${path}/required`, code: 'LOGIC_NOT_CONVERTED', detail });
  }
  return isHidden || hasResponses;
}

function titleOf(
  { kind, path }: SurveyMonkeyQuestion,
  part: Part,
  heading: string,
  { toText, warnOnce }: QuestionContext,
): string {
  const title = [heading, toText(part.title, path)].filter((text) => text !== '').join(' – ');
  if (title !== '') return title;
  const detail = 'A question without a heading gets its kind as title';
  warnOnce('title', { path: `${path}/headings`, code: 'TITLE_MADE', detail });
  return kind;
}

function headingOf({ source, path }: SurveyMonkeyQuestion, toText: HtmlToText): string {
  return locatedObjects(source, 'headings', path)
    .map(({ source: { heading = '' }, path: at }) => toText(String(heading ?? ''), `${at}/heading`))
    .filter((text) => text !== '')
    .join('\n');
}

/**
 * Source data of the question. It has all rules, even those that the new questions express.
 *
 * @param hasParts whether its kind is known, so that a comment becomes a question
 */
function keepOf(question: SurveyMonkeyQuestion, hasParts: boolean, { keep }: QuestionContext): JsonObject {
  const { source, path, other } = question;
  const rules = ['display_options', 'validation', 'required'].flatMap((name) => {
    const value = source[name];
    return isObject(value) ? [[name, value] as const] : [];
  });
  const kept = other === undefined ? {} : keep(other, otherMembers(other, hasParts), `${path}/answers/other`);
  const items = shownOf(itemsOfParts(question)).flatMap((item) => {
    const members = keep(item.source, ITEM_MEMBERS, item.path);
    return Object.keys(members).length === 0 ? [] : [{ ...members, source_id: String(item.source['id']) }];
  });
  return {
    ...keep(source, QUESTION_MEMBERS, path),
    ...toSourceData(Object.fromEntries(rules)),
    ...(Object.keys(kept).length === 0 ? {} : { other: kept }),
    ...(items.length === 0 ? {} : { items }),
  };
}

/** The items that become questions if they are shown. `keepOf` puts their unconverted members into `source_data`. */
function itemsOfParts({ family, subtype, rows, columns }: SurveyMonkeyQuestion): readonly LocatedObject[] {
  if (ROW_FAMILIES.has(family)) return rows;
  return subtype === 'menu' ? columns : [];
}

/** Members of `other` that are converted. If it is a comment field, its `text` becomes the title of the question. */
function otherMembers({ is_answer_choice: isChoice }: JsonObject, hasParts: boolean): ReadonlySet<string> {
  const isTitle = isChoice === false && hasParts;
  return new Set(['id', 'is_answer_choice', 'visible', 'position', ...(isTitle ? ['text'] : [])]);
}

const REQUIRED_MEMBERS = new Set(['type', 'amount']);

/** Only warns about rules that were not converted. `keepOf` copies the rules to `source_data`. */
function warnOfRules(question: SurveyMonkeyQuestion, parts: readonly Part[], { keepRules }: QuestionContext): void {
  const { path, validation, required = {}, display } = question;
  keepRules.validation(validation, handledRules(question, parts), `${path}/validation`);
  keepRules.required(required, REQUIRED_MEMBERS, `${path}/required`);
  keepRules.display(display, handledDisplay(display), `${path}/display_options`);
}

function warnOfType(question: SurveyMonkeyQuestion, parts: readonly Part[] | undefined, warnOnce: WarnOnce): void {
  const { kind, path, required, family, validation } = question;
  const warnAt = (key: string, code: string, at: string, detail: string) =>
    warnOnce(key, { path: `${path}/${at}`, code, detail });
  if (parts === undefined || parts.length === 0) {
    const detail = `${kind} has no equivalent question type or no choices, and becomes a text`;
    warnAt(`${kind} text`, 'NO_SUCH_TYPE', 'family', detail);
  } else if (kind === 'matrix/ranking') {
    const detail = 'matrix/ranking has no equivalent question type and becomes a matrix of ranks';
    warnAt(kind, 'NO_SUCH_TYPE', 'family', detail);
  }
  if (parts !== undefined && parts.length > 1) {
    warnAt(`${kind} parts`, 'NO_SUCH_TYPE', 'family', `${kind} becomes several questions, one for each part`);
  }
  if (amountTypes.has(String(required?.['type'])) && ROW_FAMILIES.has(family)) {
    warnAt('required', 'KEPT_AS_SOURCE_DATA', 'required', 'The number of required parts is kept in source_data');
  }
  if (validation['sum'] !== undefined && validation['sum'] !== null) {
    warnAt('sum', 'KEPT_AS_SOURCE_DATA', 'validation', 'The required sum of the answers is kept in source_data');
  }
  for (const at of pathsOfLostItems(question).slice(0, 1)) {
    const detail = 'Hidden rows that would become questions, and hidden lists and comments, are not imported';
    warnOnce('hidden item', { path: at, code: 'NOT_IMPORTED', detail });
  }
}

/** Locations of hidden items that have no equivalent. Other hidden items become inactive options. */
function pathsOfLostItems(question: SurveyMonkeyQuestion): readonly string[] {
  const { source, path } = question;
  const answers = objectOf(source['answers']);
  const lists = ['choices', 'rows', 'cols'].filter((name) => itemsOf(answers[name]).length > 0);
  const hiddenLists = lists.filter((name) => listIn(answers, name, path).length === 0);
  const { other } = answers;
  return [
    ...hiddenLists.map((name) => `${path}/answers/${name}`),
    ...itemsOfParts(question).flatMap((item) => (isShown(item.source) ? [] : [item.path])),
    ...(isObject(other) && !isShown(other) ? [`${path}/answers/other`] : []),
  ];
}

const SLIDER = ['display_type', 'left_label', 'middle_label', 'right_label', 'custom_options'];
const TYPED = new Set(['rating', 'date', 'time']);

/**
 * The validation members that need no warning: the new questions express them, or another warning reports them. For
 * `{type: text_length, min: 0, max: 50}`, these are all: `max_length` is 50, and a minimum of 0 has no effect.
 */
function handledRules({ validation }: SurveyMonkeyQuestion, parts: readonly Part[]): ReadonlySet<string> {
  const members = parts.map((part) => part.members);
  const has = (name: string) => members.some((one) => one[name] !== undefined);
  const { type, min } = validation;
  const isLength = type === 'text_length';
  const isTyped = isLength || type === 'any' || has('format') || members.some((one) => TYPED.has(String(one['type'])));
  const isAnyLength = isLength && (numberOf(min) ?? 0) <= 0;
  return new Set([
    ...(isTyped ? ['type'] : []),
    ...(has(isLength ? 'min_length' : 'min') || isAnyLength ? ['min'] : []),
    ...(has(isLength ? 'max_length' : 'max') ? ['max'] : []),
    // Sums have a warning of their own.
    ...['sum', 'sum_text'],
  ]);
}

/** The display members that are converted. */
function handledDisplay({ display_type: type }: JsonObject): ReadonlySet<string> {
  return new Set(type === 'slider' ? SLIDER : type === 'file_upload' ? ['display_type'] : []);
}
