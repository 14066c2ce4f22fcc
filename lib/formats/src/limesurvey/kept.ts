import type { JsonObject } from '@bufbuild/protobuf';
import { moveReserved } from '../core/source-data.ts';
import type { WarnOnce } from '../files/report.ts';
import { type Entity, type Lss, type LssItem, type LssQuestion, type LssSurvey, toObject } from './document.ts';
import { SUBQUESTION_CODES } from './headers.ts';
import { isDay } from './parts.ts';

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
const PATTERN_TYPES = 'STUQ;';
/** Default values of fields of questions. */
const DEFAULT_FIELDS: Readonly<Record<string, string>> = {
  encrypted: 'N',
  scale_id: '0',
  same_default: '0',
  same_script: '0',
};

/** Default values of attributes. `0` and `N` are defaults of all attributes. */
const DEFAULTS: Readonly<Record<string, string>> = {
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
const TEXT_USED = new Set('id aid qid gid sid language question answer'.split(' '));

/** Source data of a question without an equivalent, with warnings. */
export function keepMembers(question: LssQuestion, members: JsonObject, warnOnce: WarnOnce): JsonObject {
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
    ...moveReserved(Object.fromEntries(fields), RESERVED_OF_QUESTION, 'more'),
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

function isDefault(name: string, value: string): boolean {
  return value === '0' || value === 'N' || (Object.hasOwn(DEFAULTS, name) && DEFAULTS[name] === value);
}

/** Source data of answers and subquestions: fields without an equivalent, with warnings. */
function keepItems({ answers, subquestions }: LssQuestion, warnOnce: WarnOnce): JsonObject {
  const [ofAnswers, ofSubquestions] = [answers, subquestions].map((scales) =>
    scales.flatMap((items, scale) => {
      const isOld = hasOldAssessments(items);
      return items.flatMap((item) => keepItem(item, scale, isOld, warnOnce));
    }),
  );
  return {
    ...(ofAnswers?.length ? { answers: ofAnswers } : {}),
    ...(ofSubquestions?.length ? { subquestions: ofSubquestions } : {}),
  };
}

/** Whether all answers have the assessment value 1, the default of older versions. */
function hasOldAssessments(items: readonly LssItem[]): boolean {
  return items.every(({ row }) => row.get('assessment_value') === '1');
}

function keepItem(item: LssItem, scale: number, isOld: boolean, warnOnce: WarnOnce): readonly JsonObject[] {
  const { row, code } = item;
  const attributes = [...item.attributes].filter(([name, value]) => !isDefault(name, value));
  const fields = [...row.fields].filter(([name, value]) => !ITEM_USED.has(name) && ITEM_DEFAULTS[name] !== value);
  const texts = keepTexts(item, new Set([...ITEM_USED, ...Object.keys(ITEM_DEFAULTS)]));
  if (fields.length === 0 && attributes.length === 0 && texts.length === 0) return [];
  for (const name of [...[...fields, ...attributes].map(([name]) => name), ...namesIn(texts)]) {
    // Logic has its own warning.
    if (name === 'relevance' || (name === 'assessment_value' && isOld)) continue;
    const detail = `${name} of answers and subquestions has no equivalent and is kept in source_data of the question`;
    warnOnce(`item ${name}`, { path: row.path, code: 'KEPT_AS_SOURCE_DATA', detail });
  }
  return [
    {
      ...Object.fromEntries(fields),
      ...(attributes.length === 0 ? {} : { attributes: Object.fromEntries(attributes) }),
      ...(texts.length === 0 ? {} : { texts: [...texts] }),
      ...(scale === 0 ? {} : { scale_id: String(scale) }),
      code,
    },
  ];
}

/** Fields of translated rows that are not converted. */
function keepTexts({ row, others }: Entity, used: ReadonlySet<string> = new Set()): readonly JsonObject[] {
  return others.flatMap((one) => {
    const fields = [...one.fields].filter(
      ([name, value]) => !TEXT_USED.has(name) && !used.has(name) && row.get(name) !== value,
    );
    return fields.length === 0 ? [] : [{ ...Object.fromEntries(fields), language: one.get('language') }];
  });
}

function namesIn(texts: readonly JsonObject[]): readonly string[] {
  return texts.flatMap((text) => Object.keys(text).filter((name) => name !== 'language'));
}

/** Source data of a question that has no equivalent: all its fields. */
export function keepWhole(question: LssQuestion, warnOnce: WarnOnce): JsonObject {
  const { row, others, attributes, translations } = question;
  return {
    ...toObject(row),
    ...(others.length === 0 ? {} : { texts: others.map(toObject) }),
    ...(attributes.size === 0 ? {} : { attributes: Object.fromEntries(attributes) }),
    ...(translations.length === 0 ? {} : { translations: translations.map(toObject) }),
    ...keepItems(question, warnOnce),
  };
}

/** Settings that are converted or useless elsewhere. */
const SETTINGS_USED = new Set(['sid', 'gsid', 'owner_id', 'language', 'additional_languages', 'active']);
/** Settings with secrets, which are never imported. */
const SECRET = /pass|apikey/i;
/** Settings about staff and their mailboxes, which respondents must not read in `source_data`. */
const STAFF = /email|bounce|^(?:admin|faxto)$/i;
/** Tables that can contain secrets under any name. */
const SECRET_TABLE = /^plugin_settings$/;
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
  const kept = settings === undefined ? [] : [...settings.fields].filter(([name]) => !SETTINGS_USED.has(name));
  const withoutSecrets = kept.filter(isNotSecret);
  const publicSettings = withoutSecrets.filter(isPublic);
  const warnAt = (key: string, path: string, code: string, detail: string) => warnOnce(key, { path, code, detail });
  if (settings !== undefined && publicSettings.length > 0) {
    const detail =
      'Settings such as anonymity, notifications and layout have no equivalent and are kept in source_data';
    warnAt('settings', settings.path, 'KEPT_AS_SOURCE_DATA', detail);
  }
  const warnOfSecrets = (path: string) =>
    warnAt('secrets', path, 'NOT_IMPORTED', 'Passwords and keys of other services are not imported');
  if (settings !== undefined && withoutSecrets.length < kept.length) warnOfSecrets(settings.path);
  const texts = lss.rows('surveys_languagesettings');
  const mails = texts.find((row) => [...row.fields.keys()].some((name) => MAIL.test(name)));
  if (mails !== undefined) warnAt('mails', mails.path, 'NOT_IMPORTED', 'E-mail texts are not imported');
  if (settings !== undefined && publicSettings.length < withoutSecrets.length)
    warnAt('staff', settings.path, 'NOT_IMPORTED', 'Names, e-mail addresses and mailboxes of staff are not imported');
  const tables = lss.tables.flatMap((name) => {
    const rows = lss.rows(name);
    const [first] = rows;
    if (first === undefined || TABLES_USED.test(name)) return [];
    if (SECRET_TABLE.test(name) || rows.some((row) => ![...row.fields].every(isNotSecret))) warnOfSecrets(first.path);
    if (SECRET_TABLE.test(name)) return [];
    const detail = `The table ${name} has no equivalent and is kept in source_data`;
    warnAt(`table ${name}`, first.path, 'KEPT_AS_SOURCE_DATA', detail);
    return [
      [name, rows.map(({ fields }) => Object.fromEntries([...fields].filter(isNotSecret).filter(isPublic)))] as const,
    ];
  });
  const others = texts.flatMap((row) => {
    const given = [...row.fields].filter(isNotSecret).filter(([name]) => !TEXTS_USED.has(name) && !MAIL.test(name));
    for (const [name] of given) {
      const detail = `${name} has no equivalent and is kept in source_data`;
      warnAt(`text ${name}`, row.path, 'KEPT_AS_SOURCE_DATA', detail);
    }
    return given.length === 0 ? [] : [{ ...Object.fromEntries(given), language: row.get('surveyls_language') }];
  });
  return {
    ...(publicSettings.length === 0 ? {} : { settings: Object.fromEntries(publicSettings) }),
    ...(others.length === 0 ? {} : { texts: others }),
    ...moveReserved(Object.fromEntries(tables), RESERVED_NAMES, 'tables'),
  };
}

function isNotSecret([name]: readonly [name: string, value: string]): boolean {
  return !SECRET.test(name);
}

function isPublic([name]: readonly [name: string, value: string]): boolean {
  return !STAFF.test(name);
}
