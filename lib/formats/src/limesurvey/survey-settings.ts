import type { JsonObject } from '@bufbuild/protobuf';
import { moveReserved } from '../core/source-data.ts';
import type { WarnOnce } from '../files/report.ts';
import type { Lss } from './lss.ts';
import type { LssSurvey } from './lss-survey.ts';

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

/** Source data of the survey: everything without an equivalent, with warnings. */
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
    ...(settings === undefined ? {} : { source_id: settings.get('sid') }),
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
