import type { JsonObject } from '@bufbuild/protobuf';
import type { Budget } from '../core/budget.ts';
import { createUniqueIds, type ToUniqueId } from '../core/ids.ts';
import { MAX_RANKS } from '../core/number-scale.ts';
import { makeFileOptional } from '../core/optional-file.ts';
import type { Origins } from '../core/origins.ts';
import { moveReserved } from '../core/source-data.ts';
import { isEmptyText, joinAllTexts, type Text, toJsonText } from '../core/texts.ts';
import type { WarnOnce } from '../files/report.ts';
import { isDay } from './date-rules.ts';
import { isDefault, keepItems, keepTexts, keepWhole, namesIn } from './kept-fields.ts';
import { toObject } from './lss.ts';
import type { LssGroup, LssQuestion, LssSurvey } from './lss-survey.ts';
import { type BuildContext, isAlwaysShown, isMandatory, type Part, showsAllItems } from './question-parts.ts';
import { buildParts } from './questions.ts';
import type { ConvertedQuestion } from './survey-rules.ts';
import { createRuleReader } from './text-rules.ts';

interface Options {
  readonly languages: readonly string[];
  readonly warnOnce: WarnOnce;
  readonly origins: Origins;
  readonly budget: Budget;
}

interface SurveyPages {
  readonly pages: JsonObject[];
  readonly steps: readonly ConvertedQuestion[];
  readonly unconverted: JsonObject[];
}

/** Attributes that are converted, with the question types that use them. */
const CONVERTED_ATTRIBUTES: Readonly<Record<string, string>> = {
  numbers_only: 'STUQ;',
  maximum_chars: 'STUQ',
  min_answers: 'MP',
  max_answers: 'MP',
  exclude_all_others: 'MP',
  num_value_int_only: 'NK',
  multiflexible_checkbox: ':',
  multiflexible_min: ':',
  multiflexible_max: ':',
  multiflexible_step: ':',
  input_boxes: ':',
  slider_layout: 'K',
  slider_min: 'K',
  slider_max: 'K',
  slider_accuracy: 'K',
  dualscale_headerA: '1',
  dualscale_headerB: '1',
  date_format: 'D',
  max_num_of_files: '|',
  max_filesize: '|',
  allowed_filetypes: '|',
};
/** Question members for attributes that can be invalid. If the question lacks the member, its attribute is invalid. */
const MEMBER_OF_ATTRIBUTE: Readonly<Record<string, string>> = {
  min_answers: 'min_selections',
  max_answers: 'max_selections',
  max_num_of_files: 'max_files',
  max_filesize: 'max_bytes',
  allowed_filetypes: 'accept',
};
const CONVERTED_FIELDS = new Set(
  'qid sid gid parent_qid type title question help language other preg relevance question_order mandatory'.split(' '),
);
const CONVERTED_GROUP_FIELDS = new Set(
  'id gid sid group_name group_order description language grelevance randomization_group'.split(' '),
);
/** Member names that the reader uses in `source_data`. */
const RESERVED_NAMES = new Set([
  ...['source_id', 'variable', 'type', 'moment', 'scale', 'required', 'logic', 'qid', 'attributes'],
  ...['answers', 'subquestions', 'texts', 'translations'],
]);
/** Question types with patterns. Patterns that cannot be converted have a warning of their own. */
const PATTERN_TYPES = 'STUQ;';
/** Default values of fields of questions. */
const DEFAULT_FIELDS: Readonly<Record<string, string>> = {
  encrypted: 'N',
  scale_id: '0',
  same_default: '0',
  same_script: '0',
};

/** Converts the groups of a survey to pages with questions. */
export function buildPages(survey: LssSurvey, { languages, warnOnce, origins, budget }: Options): SurveyPages {
  const toUniqueId = createUniqueIds();
  const steps: ConvertedQuestion[] = [];
  const unconverted: JsonObject[] = [];
  const warnOfQuestion = (question: LssQuestion, code: string, detail: string) =>
    warnOnce(detail, { path: question.row.path, code, detail });
  const context: BuildContext = { languages, rules: createRuleReader(warnOfQuestion), warnOfQuestion };
  const pages = survey.groups.map((group, number): JsonObject => {
    const questions: JsonObject[] = [];
    const texts = [group.text('description')];
    for (const question of group.questions) {
      const parts = buildParts(question, context, budget);
      if (parts.length === 0) keepUnconverted(texts, question, { unconverted, warnOnce });
      warnOfTitle(question, warnOnce);
      const ids = parts.map((part, position) => {
        origins.note(`/survey/pages/${number}/questions/${questions.length}`, part.path);
        const converted = toQuestion(part, position === 0, question, { toUniqueId, warnOnce });
        questions.push(makeFileOptional(converted, part.path, warnOnce));
        return String(converted['id']);
      });
      warnOfItems(question, warnOnce);
      steps.push({ group, question, ids, parts });
    }
    origins.note(`/survey/pages/${number}`, group.row.path);
    return toPage(group, joinAllTexts(texts, '\n\n'), questions, warnOnce);
  });
  return { pages: pages.length === 0 ? [{ questions: [] }] : pages, steps, unconverted };
}

function toPage(group: LssGroup, description: Text, questions: JsonObject[], warnOnce: WarnOnce): JsonObject {
  const name = group.text('group_name');
  const random = group.row.get('randomization_group');
  if (random !== '') {
    const detail = 'Random order is not supported; groups keep the order of the file';
    warnOnce('random', { path: group.row.path, code: 'KEPT_AS_SOURCE_DATA', detail });
  }
  const fields = [...group.row.fields].filter(([name]) => !CONVERTED_GROUP_FIELDS.has(name));
  for (const [field] of fields) {
    const detail = `${field} of groups has no equivalent and is kept in source_data of the page`;
    warnOnce(`group ${field}`, { path: group.row.path, code: 'KEPT_AS_SOURCE_DATA', detail });
  }
  return {
    id: `group-${group.gid}`,
    ...(isEmptyText(name) ? {} : { title: toJsonText(name) }),
    ...(isEmptyText(description) ? {} : { description: toJsonText(description) }),
    questions,
    source_data: {
      ...Object.fromEntries(fields),
      source_id: group.gid,
      ...(random === '' ? {} : { randomization_group: random }),
    },
  };
}

function toQuestion(
  { sourceId, variable, members, moment, scale }: Part,
  isFirst: boolean,
  question: LssQuestion,
  { toUniqueId, warnOnce }: { readonly toUniqueId: ToUniqueId; readonly warnOnce: WarnOnce },
): JsonObject {
  const id = toUniqueId(variable);
  if (id !== variable.replace('#', '_')) {
    const detail = `The id ${variable} is invalid or duplicate; the new id is ${id}`;
    warnOnce('id', { path: question.row.path, code: 'ID_CHANGED', detail }, variable);
  }
  return {
    id,
    ...members,
    source_data: {
      ...(isFirst ? keepMembers(question, members, warnOnce) : {}),
      ...(isMandatory(question) && !showsAllItems(question) ? { required: true } : {}),
      source_id: sourceId,
      ...(variable === sourceId ? {} : { variable }),
      type: question.type,
      ...(moment === undefined ? {} : { moment }),
      ...(scale === undefined ? {} : { scale: String(scale) }),
    },
  };
}

/** Source data of a question, with warnings. */
function keepMembers(question: LssQuestion, members: JsonObject, warnOnce: WarnOnce): JsonObject {
  const { row, attributes, type, translations } = question;
  const fields = [...row.fields].filter(
    ([name, value]) => !CONVERTED_FIELDS.has(name) && DEFAULT_FIELDS[name] !== value,
  );
  const pattern = row.get('preg');
  if (pattern !== '' && members['pattern'] === undefined) fields.push(['preg', pattern]);
  if (row.get('mandatory') === 'S') fields.push(['mandatory', 'S']);
  const rest = [...attributes].filter(
    ([name, value]) =>
      !isConverted(name, question, members) && !isConvertedDate(name, value) && !isDefault(name, value),
  );
  const texts = keepTexts(question, new Set([...CONVERTED_FIELDS, ...Object.keys(DEFAULT_FIELDS)]));
  const names = [...fields, ...rest].map(([name]) => name);
  for (const name of [...names, ...namesIn(texts)]) {
    // Patterns have their own warning.
    if (name === 'preg' && PATTERN_TYPES.includes(type) && attributes.get('numbers_only') !== '1') continue;
    const detail =
      name === 'hidden'
        ? `The hidden question ${question.code} is shown, and not required`
        : `${name} has no equivalent and is kept in source_data of the question`;
    warnOnce(
      name,
      { path: row.path, code: 'KEPT_AS_SOURCE_DATA', detail },
      name === 'hidden' ? question.code : undefined,
    );
  }
  const [translated] = translations;
  if (translated !== undefined) {
    const detail = `Translated attributes such as ${translated.get('attribute')} are kept in source_data of the question`;
    warnOnce('translations', { path: translated.path, code: 'KEPT_AS_SOURCE_DATA', detail });
  }
  return {
    qid: question.qid,
    ...moveReserved(Object.fromEntries(fields), RESERVED_NAMES, 'more'),
    ...(rest.length === 0 ? {} : { attributes: Object.fromEntries(rest) }),
    ...(texts.length === 0 ? {} : { texts: [...texts] }),
    ...(translations.length === 0 ? {} : { translations: translations.map(toObject) }),
    ...keepItems(question, warnOnce),
  };
}

/** Whether an attribute is converted, or has no effect in LimeSurvey either. */
function isConverted(name: string, { type, attributes }: LssQuestion, members: JsonObject): boolean {
  if (!Object.hasOwn(CONVERTED_ATTRIBUTES, name) || CONVERTED_ATTRIBUTES[name]?.includes(type) !== true) return false;
  if (name === 'maximum_chars') return members['max_length'] === Number(attributes.get(name));
  if (/^slider_(?:min|max|accuracy)$/.test(name)) {
    return attributes.get('slider_layout') !== '1' || members['type'] === 'rating';
  }
  if (/^multiflexible_(?:min|max|step)$/.test(name))
    return members['type'] === 'rating' || members['type'] === 'matrix';
  const member = Object.hasOwn(MEMBER_OF_ATTRIBUTE, name) ? MEMBER_OF_ATTRIBUTE[name] : undefined;
  return member === undefined || members[member] !== undefined;
}

function isConvertedDate(name: string, value: string): boolean {
  return (name === 'date_min' || name === 'date_max') && isDay(value);
}

/**
 * Keeps a question without an equivalent in the source data of the survey. If the question is only a text, the text is
 * also added to the description of its page.
 */
function keepUnconverted(
  texts: Text[],
  question: LssQuestion,
  { unconverted, warnOnce }: { readonly unconverted: JsonObject[]; readonly warnOnce: WarnOnce },
): void {
  const { row, code, type } = question;
  unconverted.push(keepWhole(question, warnOnce));
  const isText = type === 'X';
  const kind = type === 'R' ? `A ranking of more than ${MAX_RANKS} answers` : `The question type ${type || '?'}`;
  const detail = isText
    ? `${code}: A text between questions becomes part of the description of its page`
    : `${code}: ${kind} has no equivalent; the question is kept in source_data of the survey`;
  warnOnce(`type ${type}`, { path: row.path, code: 'NO_SUCH_TYPE', detail }, isText ? undefined : code);
  if (isText) texts.push(question.text('question'));
}

function warnOfTitle(question: LssQuestion, warnOnce: WarnOnce): void {
  const { row, code } = question;
  const title = question.text('question');
  if (isEmptyText(title) && question.type !== 'X') {
    const detail = `${code} has no text; its code becomes the title`;
    warnOnce('title', { path: row.path, code: 'EMPTY_TITLE', detail }, code);
  }
  if (/\{[A-Za-z_(][^{}]*\}/.test(JSON.stringify(Object.values(typeof title === 'string' ? [title] : title)))) {
    const detail = `${code}: Placeholders {…} are not replaced`;
    warnOnce('pipe', { path: row.path, code: 'PLACEHOLDER_KEPT', detail }, code);
  }
}

/** Warns about logic of subquestions, and about a mandatory question that is not required because of such logic. */
function warnOfItems(question: LssQuestion, warnOnce: WarnOnce): void {
  const { subquestions, code, row } = question;
  const item = subquestions.flat().find((one) => !isAlwaysShown(one));
  if (item !== undefined) {
    const detail = `${code}: Logic of subquestions is not converted; they are always shown`;
    warnOnce('items', { path: `${item.row.path}/relevance`, code: 'LOGIC_NOT_CONVERTED', detail }, code);
  }
  if (isMandatory(question) && !showsAllItems(question)) {
    const detail = `${code}: The question is not required, because some respondents do not see all subquestions`;
    warnOnce('release', { path: row.path, code: 'KEPT_AS_SOURCE_DATA', detail }, code);
  }
}
