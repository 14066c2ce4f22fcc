import type { JsonObject } from '@bufbuild/protobuf';
import { moveReserved } from '../core/source-data.ts';
import type { WarnOnce } from '../files/report.ts';
import type { Lss, LssRow, LssSurvey } from './document.ts';
import { type Field, keptWarning, withoutEmpty } from './kept.ts';

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
  const withoutSecrets = rest.filter((field) => !isSecret(field));
  const kept = withoutSecrets.filter((field) => !isStaff(field));
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
    const kept = [...row.fields].filter(
      (field) => !isSecret(field) && !TEXTS_USED.has(field[0]) && !MAIL.test(field[0]),
    );
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
    const hasField = (test: (field: Field) => boolean) => rows.some((row) => [...row.fields].some(test));
    const isSecretTable = name === SECRET_TABLE;
    if (isSecretTable || hasField(isSecret)) warnOfSecrets(first, warnOnce);
    if (isSecretTable) continue;
    if (hasField(isStaff)) warnOfStaff(first, warnOnce);
    warnOnce(`table ${name}`, keptWarning(first, `The table ${name} has no equivalent and is kept in source_data`));
    tables.push([
      name,
      rows.map(({ fields }) => Object.fromEntries([...fields].filter((field) => !isSecret(field) && !isStaff(field)))),
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

function isSecret([name]: Field): boolean {
  return SECRET.test(name);
}

function isStaff([name]: Field): boolean {
  return STAFF.test(name);
}
