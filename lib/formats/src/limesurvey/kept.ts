import type { JsonObject } from '@bufbuild/protobuf';
import { moveReserved, sourceDataOf } from '../core/source-data.ts';
import { objectsOf } from '../core/source-questions.ts';
import type { WarnOnce } from '../files/report.ts';
import { type Entity, type LssItem, type LssQuestion, type LssRow, toObject } from './document.ts';
import { SUBQUESTION_CODES } from './headers.ts';
import { isDay } from './parts.ts';

/** Whether the members of a question have the value of an attribute, or the value has no effect in LimeSurvey. */
type IsUsed = (members: JsonObject, value: string, question: LssQuestion) => boolean;

const hasMember =
  (name: string): IsUsed =>
  (members) =>
    members[name] !== undefined;
const isRating = (members: JsonObject) => members['type'] === 'rating';
const isMatrix = (members: JsonObject) => members['type'] === 'matrix';
const isLikert = (members: JsonObject) => members['type'] === 'likert';
const isLimitOfList: IsUsed = (members, _value, { type }) => type !== ':' || isRating(members) || isMatrix(members);
const isLimitOfSlider: IsUsed = (members, _value, { attributes }) =>
  attributes.get('slider_layout') !== '1' || isRating(members);
/** A time has no limits that are days. */
const isLimitOfDate = (member: string): IsUsed => {
  return (members, value) => members[member] !== undefined || (members['type'] === 'time' && isDay(value));
};

/** Attributes that can be converted. All others are kept, unless they have their default value. */
const ATTRIBUTES: ReadonlyMap<string, IsUsed> = new Map(
  Object.entries<IsUsed>({
    numbers_only: (members) => members['format'] === 'number',
    maximum_chars: (members, value) => members['max_length'] === Number(value),
    min_answers: hasMember('min_selections'),
    max_answers: hasMember('max_selections'),
    exclude_all_others: hasExclusiveOptions,
    num_value_int_only: (members) => members['format'] === 'integer' || hasIntegers(members),
    multiflexible_checkbox: isMatrix,
    input_boxes: (members) => members['format'] === 'number' || isMatrix(members),
    multiflexible_min: isLimitOfList,
    multiflexible_max: isLimitOfList,
    multiflexible_step: isLimitOfList,
    slider_layout: (_members, _value, { type }) => type === 'K',
    slider_min: isLimitOfSlider,
    slider_max: isLimitOfSlider,
    slider_accuracy: isLimitOfSlider,
    dualscale_headerA: (members, _value, { answers: [first] }) => isLikert(members) && first.length > 0,
    dualscale_headerB: (members, _value, { answers: [, second] }) => isLikert(members) && second.length > 0,
    date_format: (_members, _value, { type }) => type === 'D',
    date_min: isLimitOfDate('min'),
    date_max: isLimitOfDate('max'),
    max_num_of_files: hasMember('max_files'),
    max_filesize: hasMember('max_bytes'),
    allowed_filetypes: hasMember('accept'),
  }),
);

const CONVERTED_FIELDS = new Set(
  'id qid sid gid parent_qid type title question help language other preg relevance question_order mandatory'.split(
    ' ',
  ),
);
/** Member names that the reader uses in `source_data`. */
const RESERVED_OF_QUESTION = new Set([
  ...['source_id', 'variable', 'type', 'moment', 'scale', 'required', 'logic', 'qid', 'attributes'],
  ...['answers', 'subquestions', 'texts', 'translations', SUBQUESTION_CODES],
]);
/** Default values of fields of questions. */
const FIELD_DEFAULTS: Readonly<Record<string, string>> = {
  encrypted: 'N',
  scale_id: '0',
  same_default: '0',
  same_script: '0',
};

/** Attributes whose value `0` is a limit or the start of a slider. Without a value, they have none. */
const ZERO_LIMITS = /_num_value(?:_n)?$|^slider_(?:default|min|max)$|^multiflexible_(?:min|max)$/;
/** Attributes with texts, which can be `0`. */
const TEXTS =
  /^(?:slider_)?(?:prefix|suffix)$|^other_replace_text$|^em_validation_\w+_tip$|_message$|^dualscale_header/;
/** Default values of attributes. `0` is a default of others, except of `ZERO_LIMITS` and `TEXTS`. */
const ATTRIBUTE_DEFAULTS: Readonly<Record<string, string>> = {
  clear_default: 'N',
  save_as_default: 'N',
  time_limit_action: '1',
  statistics_showgraph: '1',
  location_mapheight: '300',
  location_mapwidth: '500',
  location_mapzoom: '11',
  slider_separator: '|',
  slider_default_set: '1',
  slider_custom_handle: 'f1ae',
  value_range_allows_missing: '1',
  question_template: 'core',
  display_columns: '1',
  show_comment: '1',
  show_title: '1',
  relevance: '1',
};
/** Fields of answers and subquestions that are converted or structural. */
const CONVERTED_ITEM_FIELDS = new Set([
  ...['id', 'aid', 'qid', 'parent_qid', 'sid', 'gid', 'type', 'title', 'code', 'question', 'answer', 'language'],
  ...['scale_id', 'sortorder', 'question_order', 'question_theme_name'],
]);
/** Default values of fields of answers and subquestions. */
const ITEM_DEFAULTS: Readonly<Record<string, string>> = {
  assessment_value: '0',
  encrypted: 'N',
  mandatory: 'N',
  other: 'N',
  relevance: '1',
  same_default: '0',
  same_script: '0',
};
/** Fields of translated rows that are converted or structural. */
const CONVERTED_TRANSLATION_FIELDS = new Set('id aid qid gid sid language question answer'.split(' '));

export type Field = readonly [name: string, value: string];

/**
 * Source data of a question: its fields and attributes without an equivalent, with warnings.
 *
 * @param members the members that the question became, of its first part
 * @param hasPatternWarning whether there is already a warning about its pattern
 */
export function keepMembers(
  question: LssQuestion,
  members: JsonObject,
  hasPatternWarning: boolean,
  warnOnce: WarnOnce,
): JsonObject {
  const { row, code, translations } = question;
  const fields = [...row.fields].filter((field) => !isConvertedField(field, members));
  const attributes = [...question.attributes].filter((attribute) => isKept(attribute, question, members));
  const texts = keepTexts(question, new Set([...CONVERTED_FIELDS, ...Object.keys(FIELD_DEFAULTS)]));
  for (const name of namesIn([...fields, ...attributes], texts)) {
    if (name === 'hidden') {
      const detail = `The hidden question ${code} is shown, and not required`;
      warnOnce(name, { path: row.path, code: 'KEPT_AS_SOURCE_DATA', detail }, code);
    } else if (name !== 'preg' || !hasPatternWarning) {
      warnOnce(name, keptWarning(row, `${name} has no equivalent and is kept in source_data of the question`));
    }
  }
  const [translated] = translations;
  if (translated !== undefined) {
    const detail = `Translated attributes such as ${translated.get('attribute')} are kept in source_data of the question`;
    warnOnce('translations', keptWarning(translated, detail));
  }
  return {
    ...moveReserved(Object.fromEntries(fields), RESERVED_OF_QUESTION, 'more'),
    ...withoutEmpty({
      attributes: Object.fromEntries(attributes),
      texts: [...texts],
      translations: translations.map(toObject),
      ...keepItems(question, warnOnce),
    }),
  };
}

/** Source data of a question that has no equivalent: all its fields. */
export function keepWhole(question: LssQuestion, warnOnce: WarnOnce): JsonObject {
  const { row, others, attributes, translations } = question;
  return {
    ...toObject(row),
    ...withoutEmpty({
      texts: others.map(toObject),
      attributes: Object.fromEntries(attributes),
      translations: translations.map(toObject),
      ...keepItems(question, warnOnce),
    }),
  };
}

export function keptWarning({ path }: LssRow, detail: string) {
  return { path, code: 'KEPT_AS_SOURCE_DATA', detail };
}

export function withoutEmpty(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => Object.keys(value ?? {}).length > 0));
}

function isConvertedField([name, value]: Field, members: JsonObject): boolean {
  if (name === 'preg') return members['pattern'] !== undefined;
  if (name === 'mandatory') return value !== 'S';
  return CONVERTED_FIELDS.has(name) || FIELD_DEFAULTS[name] === value;
}

function isKept([name, value]: Field, question: LssQuestion, members: JsonObject): boolean {
  return !isDefault([name, value]) && ATTRIBUTES.get(name)?.(members, value, question) !== true;
}

function isDefault([name, value]: Field): boolean {
  return (value === '0' && !ZERO_LIMITS.test(name) && !TEXTS.test(name)) || ATTRIBUTE_DEFAULTS[name] === value;
}

/** Whether all items of `exclude_all_others` are exclusive options. `other` and unknown items cannot be. */
function hasExclusiveOptions(members: JsonObject, value: string): boolean {
  const exclusive = objectsOf(members['options']).filter((option) => option['exclusive'] === true);
  const codes = new Set(exclusive.map((option) => sourceDataOf(option)['source_id']));
  return value.split(';').every((code) => code === '' || codes.has(code));
}

/** Whether a rating has only integers. */
function hasIntegers({ type, min, step = 1 }: JsonObject): boolean {
  return type === 'rating' && Number.isInteger(min) && Number.isInteger(step);
}

/** Source data of answers and subquestions: fields without an equivalent, with warnings. */
function keepItems({ answers, subquestions }: LssQuestion, warnOnce: WarnOnce) {
  const keep = (scales: LssQuestion['answers']) =>
    scales.flatMap((items, scale) => {
      // Older versions give each answer an assessment value of 1. Such values are kept without a warning.
      const hasOldAssessments = items.every(({ row }) => row.get('assessment_value') === '1');
      return items.flatMap((item) => keptItem(item, scale, hasOldAssessments, warnOnce) ?? []);
    });
  return { answers: keep(answers), subquestions: keep(subquestions) };
}

/** Source data of an answer or a subquestion; undefined if it has nothing to keep. */
function keptItem(
  item: LssItem,
  scale: number,
  hasOldAssessments: boolean,
  warnOnce: WarnOnce,
): JsonObject | undefined {
  const { row, code } = item;
  const attributes = [...item.attributes].filter((attribute) => !isDefault(attribute));
  const fields = [...row.fields].filter(
    ([name, value]) => !CONVERTED_ITEM_FIELDS.has(name) && ITEM_DEFAULTS[name] !== value,
  );
  const texts = keepTexts(item, new Set([...CONVERTED_ITEM_FIELDS, ...Object.keys(ITEM_DEFAULTS)]));
  if (fields.length === 0 && attributes.length === 0 && texts.length === 0) return undefined;
  for (const name of namesIn([...fields, ...attributes], texts)) {
    // Logic has its own warning.
    if (name === 'relevance' || (name === 'assessment_value' && hasOldAssessments)) continue;
    const detail = `${name} of answers and subquestions has no equivalent and is kept in source_data of the question`;
    warnOnce(`item ${name}`, keptWarning(row, detail));
  }
  return {
    ...Object.fromEntries(fields),
    ...withoutEmpty({ attributes: Object.fromEntries(attributes), texts: [...texts] }),
    ...(scale === 0 ? {} : { scale_id: String(scale) }),
    code,
  };
}

/** Fields of translated rows that are not converted. */
function keepTexts({ row, others }: Entity, used: ReadonlySet<string>): readonly JsonObject[] {
  return others.flatMap((one) => {
    const fields = [...one.fields].filter(
      ([name, value]) => !CONVERTED_TRANSLATION_FIELDS.has(name) && !used.has(name) && row.get(name) !== value,
    );
    return fields.length === 0 ? [] : [{ ...Object.fromEntries(fields), language: one.get('language') }];
  });
}

function namesIn(fields: readonly Field[], texts: readonly JsonObject[]): readonly string[] {
  return [...fields.map(([name]) => name), ...texts.flatMap(Object.keys).filter((name) => name !== 'language')];
}
