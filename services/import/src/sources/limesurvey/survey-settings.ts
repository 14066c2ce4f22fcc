import type { JsonObject } from '@bufbuild/protobuf';
import type { WarnOnce } from '../warn-once.ts';
import type { Lss, LssRow } from './lss.ts';
import type { LssSurvey } from './lss-survey.ts';

/** Taken over, or of no use to anybody. */
const SETTINGS_USED = new Set(['sid', 'gsid', 'owner_id', 'language', 'additional_languages', 'active']);
/** Nothing that a survey should carry about. */
const SECRET = /pass|apikey/i;
const TEXTS_KEPT = ['surveyls_url', 'surveyls_urldescription', 'surveyls_policy_notice', 'surveyls_alias'];
/** Tables that are read, or say how things look. */
const TABLES_USED =
  /^(answers|answer_l10ns|conditions|groups|group_l10ns|questions|question_l10ns|question_attributes|subquestions|surveys|surveys_languagesettings|themes|themes_inherited)$/;
const TABLES = [
  'defaultvalues',
  'defaultvalue_l10ns',
  'quota',
  'quota_members',
  'quota_languagesettings',
  'assessments',
];

/** What of the survey as a whole has no home. */
export function keepSettings(lss: Lss, { settings }: LssSurvey, once: WarnOnce): JsonObject {
  const kept = settings === undefined ? [] : [...settings.fields].filter(([name]) => !SETTINGS_USED.has(name));
  const open = kept.filter(([name]) => !SECRET.test(name));
  const warn = (key: string, path: string, code: string, detail: string) => once(key, { path, code, detail });
  if (settings !== undefined && open.length > 0) {
    const detail =
      'How the survey runs (anonymity, notifications, layout, …) has no meaning here and is kept in source_data';
    warn('settings', settings.path, 'KEPT_AS_SOURCE_DATA', detail);
  }
  if (settings !== undefined && open.length < kept.length) {
    warn('secrets', settings.path, 'NOT_IMPORTED', 'Passwords and keys of other services are not imported');
  }
  const texts = lss.rows('surveys_languagesettings');
  const mails = texts.find((row) => [...row.fields.keys()].some((name) => name.includes('email')));
  if (mails !== undefined) warn('mails', mails.path, 'NOT_IMPORTED', 'The texts of e-mails are not imported');
  const tables = TABLES.flatMap((name) => {
    const rows = lss.rows(name);
    const [first] = rows;
    if (first === undefined || TABLES_USED.test(name)) return [];
    warn(name, first.path, 'KEPT_AS_SOURCE_DATA', `The table ${name} has no meaning here and is kept in source_data`);
    return [[name, rows.map(toObject)] as const];
  });
  const others = texts.flatMap((row) => {
    const given = TEXTS_KEPT.map((name) => [name, row.get(name)] as const).filter(([, text]) => text !== '');
    return given.length === 0 ? [] : [{ language: row.get('surveyls_language'), ...Object.fromEntries(given) }];
  });
  return {
    ...(settings === undefined ? {} : { source_id: settings.get('sid') }),
    ...(open.length === 0 ? {} : { settings: Object.fromEntries(open) }),
    ...(others.length === 0 ? {} : { texts: others }),
    ...Object.fromEntries(tables),
  };
}

export function toObject({ fields }: LssRow): JsonObject {
  return Object.fromEntries(fields);
}
