import type { JsonObject } from '@bufbuild/protobuf';
import { moveReserved } from '../core/source-data.ts';
import type { WarnOnce } from '../files/report.ts';
import {
  type Entity,
  type Lss,
  type LssItem,
  type LssQuestion,
  type LssRow,
  type LssSurvey,
  toObject,
} from './document.ts';
import { SUBQUESTION_CODES } from './headers.ts';
import { isDay } from './parts.ts';

/** Attributes that are converted, each with the types of the questions that use it. */
const CONVERTED_ATTRIBUTES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'STUQ;': 'numbers_only',
    STUQ: 'maximum_chars',
    MP: 'min_answers max_answers exclude_all_others',
    NK: 'num_value_int_only',
    ':': 'multiflexible_checkbox multiflexible_min multiflexible_max multiflexible_step input_boxes',
    K: 'slider_layout slider_min slider_max slider_accuracy',
    1: 'dualscale_headerA dualscale_headerB',
    D: 'date_format',
    '|': 'max_num_of_files max_filesize allowed_filetypes',
  }).flatMap(([types, names]) => names.split(' ').map((name) => [name, [...types]])),
);
/** The question members that become of attributes. An attribute whose member is missing was invalid. */
const MEMBER_OF_ATTRIBUTE: Readonly<Record<string, string>> = {
  min_answers: 'min_selections',
  max_answers: 'max_selections',
  max_num_of_files: 'max_files',
  max_filesize: 'max_bytes',
  allowed_filetypes: 'accept',
};
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
/** Question types with patterns. Patterns that cannot be converted have a warning of their own. */
const PATTERN_TYPES = [...'STUQ;'];
/** Default values of fields of questions. */
const FIELD_DEFAULTS: Readonly<Record<string, string>> = {
  encrypted: 'N',
  scale_id: '0',
  same_default: '0',
  same_script: '0',
};

/** Attributes for which `0` is no default: without a value, there is no limit, and the slider has no answer. */
const ZERO_SETTINGS = /_num_value(?:_n)?$|^slider_default$/;
/** Default values of attributes. `0` and `N` are defaults of all others. */
const ATTRIBUTE_DEFAULTS: Readonly<Record<string, string>> = {
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
const ITEM_USED = new Set([
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
const TRANSLATION_FIELDS_USED = new Set('id aid qid gid sid language question answer'.split(' '));

type Field = readonly [name: string, value: string];

/** Source data of a question: its members without an equivalent, with warnings. */
export function keepMembers(question: LssQuestion, members: JsonObject, warnOnce: WarnOnce): JsonObject {
  const { row, code, translations } = question;
  const fields = [...row.fields].filter((field) => !isConvertedField(field, members));
  const attributes = [...question.attributes].filter((attribute) => !needsNoKeeping(attribute, question, members));
  const texts = keepTexts(question, new Set([...CONVERTED_FIELDS, ...Object.keys(FIELD_DEFAULTS)]));
  for (const name of namesIn([...fields, ...attributes], texts)) {
    if (name === 'hidden') {
      const detail = `The hidden question ${code} is shown, and not required`;
      warnOnce(name, { path: row.path, code: 'KEPT_AS_SOURCE_DATA', detail }, code);
    } else if (name !== 'preg' || !warnsOfPattern(question)) {
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

function keptWarning({ path }: LssRow, detail: string) {
  return { path, code: 'KEPT_AS_SOURCE_DATA', detail };
}

function withoutEmpty(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => Object.keys(value ?? {}).length > 0));
}

function isConvertedField([name, value]: Field, members: JsonObject): boolean {
  if (name === 'preg') return members['pattern'] !== undefined;
  if (name === 'mandatory') return value !== 'S';
  return CONVERTED_FIELDS.has(name) || FIELD_DEFAULTS[name] === value;
}

/** Whether the pattern of a question, if it is not converted, has a warning of its own. */
function warnsOfPattern({ type, attributes }: LssQuestion): boolean {
  return PATTERN_TYPES.includes(type) && attributes.get('numbers_only') !== '1';
}

/** Whether an attribute is converted, or has no effect in LimeSurvey either. */
function needsNoKeeping([name, value]: Field, { type, attributes }: LssQuestion, members: JsonObject): boolean {
  if (isDefault([name, value])) return true;
  if (name === 'date_min' || name === 'date_max') return isDay(value);
  if (CONVERTED_ATTRIBUTES.get(name)?.includes(type) !== true) return false;
  if (name === 'maximum_chars') return members['max_length'] === Number(value);
  if (/^slider_(?:min|max|accuracy)$/.test(name)) {
    return attributes.get('slider_layout') !== '1' || members['type'] === 'rating';
  }
  if (/^multiflexible_(?:min|max|step)$/.test(name)) {
    return members['type'] === 'rating' || members['type'] === 'matrix';
  }
  const member = MEMBER_OF_ATTRIBUTE[name];
  return member === undefined || members[member] !== undefined;
}

function isDefault([name, value]: Field): boolean {
  return (value === '0' && !ZERO_SETTINGS.test(name)) || value === 'N' || ATTRIBUTE_DEFAULTS[name] === value;
}

/** Source data of answers and subquestions: fields without an equivalent, with warnings. */
function keepItems({ answers, subquestions }: LssQuestion, warnOnce: WarnOnce) {
  const keep = (scales: LssQuestion['answers']) =>
    scales.flatMap((items, scale) => {
      // Older versions give each answer an assessment value of 1, so this needs no warning.
      const hasOldAssessments = items.every(({ row }) => row.get('assessment_value') === '1');
      return items.flatMap((item) => keepItem(item, scale, hasOldAssessments, warnOnce));
    });
  return { answers: keep(answers), subquestions: keep(subquestions) };
}

function keepItem(item: LssItem, scale: number, hasOldAssessments: boolean, warnOnce: WarnOnce): readonly JsonObject[] {
  const { row, code } = item;
  const attributes = [...item.attributes].filter((attribute) => !isDefault(attribute));
  const fields = [...row.fields].filter(([name, value]) => !ITEM_USED.has(name) && ITEM_DEFAULTS[name] !== value);
  const texts = keepTexts(item, new Set([...ITEM_USED, ...Object.keys(ITEM_DEFAULTS)]));
  if (fields.length === 0 && attributes.length === 0 && texts.length === 0) return [];
  for (const name of namesIn([...fields, ...attributes], texts)) {
    // Logic has its own warning.
    if (name === 'relevance' || (name === 'assessment_value' && hasOldAssessments)) continue;
    const detail = `${name} of answers and subquestions has no equivalent and is kept in source_data of the question`;
    warnOnce(`item ${name}`, keptWarning(row, detail));
  }
  return [
    {
      ...Object.fromEntries(fields),
      ...withoutEmpty({ attributes: Object.fromEntries(attributes), texts: [...texts] }),
      ...(scale === 0 ? {} : { scale_id: String(scale) }),
      code,
    },
  ];
}

/** Fields of translated rows that are not converted. */
function keepTexts({ row, others }: Entity, used: ReadonlySet<string>): readonly JsonObject[] {
  return others.flatMap((one) => {
    const fields = [...one.fields].filter(
      ([name, value]) => !TRANSLATION_FIELDS_USED.has(name) && !used.has(name) && row.get(name) !== value,
    );
    return fields.length === 0 ? [] : [{ ...Object.fromEntries(fields), language: one.get('language') }];
  });
}

function namesIn(fields: readonly Field[], texts: readonly JsonObject[]): readonly string[] {
  return [...fields.map(([name]) => name), ...texts.flatMap(Object.keys).filter((name) => name !== 'language')];
}

/** Settings that are converted or useless elsewhere. */
const SETTINGS_USED = new Set(['sid', 'gsid', 'owner_id', 'language', 'additional_languages', 'active']);
/** Settings with secrets, which are never imported. */
const SECRET = /pass|apikey/i;
/** Settings about staff and their mailboxes, which respondents must not read in `source_data`. */
const STAFF = /email|bounce|^(?:admin|faxto)$/i;
/** A table that can contain secrets under any name. */
const SECRET_TABLE = 'plugin_settings';
/** Texts that are converted. The formats of numbers and dates are useless elsewhere. */
const TEXTS_USED = new Set([
  ...['surveyls_survey_id', 'surveyls_language', 'surveyls_title', 'surveyls_description', 'surveyls_welcometext'],
  ...['surveyls_endtext', 'surveyls_dateformat', 'surveyls_numberformat'],
]);
const MAIL = /email|^attachments$/;
/** Tables that are converted, or that describe the layout. */
const TABLES_USED =
  /^(answers|answer_l10ns|conditions|groups|group_l10ns|questions|question_l10ns|question_attributes|subquestions|surveys|surveys_languagesettings|themes|themes_inherited)$/;
/** Member names that the reader uses in `source_data` of the survey. */
const RESERVED_NAMES = new Set(['source', 'source_id', 'settings', 'texts', 'questions']);

/** Settings, texts and tables of the survey without an equivalent, with warnings. */
export function keepSettings(lss: Lss, { settings }: LssSurvey, warnOnce: WarnOnce): JsonObject {
  const texts = lss.rows('surveys_languagesettings');
  const ownSettings = keepOwnSettings(settings, warnOnce);
  const mails = texts.find((row) => [...row.fields.keys()].some((name) => MAIL.test(name)));
  if (mails !== undefined) {
    warnOnce('mails', { path: mails.path, code: 'NOT_IMPORTED', detail: 'E-mail texts are not imported' });
  }
  const tables = moveReserved(keepTables(lss, warnOnce), RESERVED_NAMES, 'tables');
  return { ...withoutEmpty({ settings: ownSettings, texts: [...keepSurveyTexts(texts, warnOnce)] }), ...tables };
}

function keepOwnSettings(settings: LssRow | undefined, warnOnce: WarnOnce): JsonObject {
  if (settings === undefined) return {};
  const rest = [...settings.fields].filter(([name]) => !SETTINGS_USED.has(name));
  const withoutSecrets = rest.filter(isNotSecret);
  const kept = withoutSecrets.filter(isNotStaff);
  if (kept.length > 0) {
    const detail =
      'Settings such as anonymity, notifications and layout have no equivalent and are kept in source_data';
    warnOnce('settings', keptWarning(settings, detail));
  }
  if (withoutSecrets.length < rest.length) warnOfSecrets(settings, warnOnce);
  if (kept.length < withoutSecrets.length) warnOfStaff(settings, warnOnce);
  return Object.fromEntries(kept);
}

function keepSurveyTexts(rows: readonly LssRow[], warnOnce: WarnOnce): readonly JsonObject[] {
  return rows.flatMap((row) => {
    const kept = [...row.fields].filter(isNotSecret).filter(([name]) => !TEXTS_USED.has(name) && !MAIL.test(name));
    for (const [name] of kept) {
      warnOnce(`text ${name}`, keptWarning(row, `${name} has no equivalent and is kept in source_data`));
    }
    return kept.length === 0 ? [] : [{ ...Object.fromEntries(kept), language: row.get('surveyls_language') }];
  });
}

/** The rows of tables that are not converted, by the name of the table. */
function keepTables(lss: Lss, warnOnce: WarnOnce): JsonObject {
  const tables: [name: string, rows: JsonObject[]][] = [];
  for (const name of lss.tables) {
    const rows = lss.rows(name);
    const [first] = rows;
    if (first === undefined || TABLES_USED.test(name)) continue;
    const isSecret = name === SECRET_TABLE;
    if (isSecret || rows.some((row) => ![...row.fields].every(isNotSecret))) warnOfSecrets(first, warnOnce);
    if (isSecret) continue;
    if (rows.some((row) => ![...row.fields].every(isNotStaff))) warnOfStaff(first, warnOnce);
    warnOnce(`table ${name}`, keptWarning(first, `The table ${name} has no equivalent and is kept in source_data`));
    tables.push([
      name,
      rows.map(({ fields }) => Object.fromEntries([...fields].filter(isNotSecret).filter(isNotStaff))),
    ]);
  }
  return Object.fromEntries(tables);
}

function warnOfSecrets({ path }: LssRow, warnOnce: WarnOnce): void {
  const detail = 'Passwords and keys of other services are not imported';
  warnOnce('secrets', { path, code: 'NOT_IMPORTED', detail });
}

function warnOfStaff({ path }: LssRow, warnOnce: WarnOnce): void {
  const detail = 'Names, e-mail addresses and mailboxes of staff are not imported';
  warnOnce('staff', { path, code: 'NOT_IMPORTED', detail });
}

function isNotSecret([name]: Field): boolean {
  return !SECRET.test(name);
}

function isNotStaff([name]: Field): boolean {
  return !STAFF.test(name);
}
