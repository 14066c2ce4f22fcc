import type { JsonObject } from '@bufbuild/protobuf';
import { canonicalTag } from '@survey/questionnaire/definition/language-tag';
import { LIMITS } from '@survey/questionnaire/limits';
import { createSurveyDraft, MAX_RANKS, type SurveyDraft } from '../core/draft.ts';
import type { ConvertedSurvey, SurveyFileReader, SurveyReadOptions } from '../core/reader.ts';
import { moveReserved } from '../core/source-data.ts';
import { createHtmlToText, isEmptyText, textsOf } from '../core/texts.ts';
import { createWarnOnce, type WarnOnce } from '../files/report.ts';
import { isZip } from '../files/zip.ts';
import { openTable } from '../tables/open-table.ts';
import {
  joinTables,
  type Languages,
  type Lss,
  type LssGroup,
  type LssQuestion,
  type LssRow,
  type LssSurvey,
  openLsa,
  readLss,
} from './document.ts';
import { SUBQUESTION_CODES } from './headers.ts';
import { type Field, keepMembers, keepWhole, keptWarning, withoutEmpty } from './kept.ts';
import { addLogic, type ConvertedPart, type ConvertedQuestion } from './logic.ts';
import { type BuildContext, createRuleReader, isAlwaysShown, isMandatory, showsAllItems } from './parts.ts';
import { build } from './questions.ts';
import { readLsrResponses } from './responses.ts';
import { readTsv, toRowProblem } from './tsv.ts';

interface SurveyContext {
  readonly draft: SurveyDraft;
  readonly warnOnce: WarnOnce;
}

/** Reads a LimeSurvey survey (LSS), in both file versions, or an archive (LSA) with a survey and its responses. */
export const readLimesurveySurvey: SurveyFileReader = async (file, options) => {
  if (!(await isZip(file))) return toSurvey(await readLss(file), options);
  const { structure, responses } = await openLsa(file, options.warn);
  const survey = toSurvey(await readLss(structure), options);
  if (responses === undefined) return survey;
  return {
    ...survey,
    responses: (warn) => readLsrResponses(responses, survey.payload, { table: options.table, warn }),
  };
};

/** Reads the tab-separated structure of a survey. */
export const readLimesurveyTsvSurvey: SurveyFileReader = async (file, options) => {
  const warn: SurveyReadOptions['warn'] = (warning) => options.warn(toRowProblem(warning));
  return toSurvey(await readTsv(await openTable(file, options.table, options.warn)), { ...options, warn });
};

function toSurvey(lss: Lss, options: SurveyReadOptions): ConvertedSurvey {
  const { warn, title } = options;
  const warnOnce = createWarnOnce(warn);
  const toText = createHtmlToText(warn);
  const languages = readLanguages(lss, options, warnOnce);
  const survey = joinTables(lss, { languages, toText });
  const draft = createSurveyDraft({
    source: 'limesurvey',
    title,
    warnOnce,
    toLocation: toRowProblem,
    optional: { required: false },
  });
  const codes = languages.map(([code]) => code);
  addLogic(addGroups(survey, codes, { draft, warnOnce }), survey, draft, warnOnce);
  keepUnplaced(survey, { draft, warnOnce });
  const made = draft.finish({
    title: survey.texts('surveyls_title'),
    description: survey.texts('surveyls_description'),
    languages: languages.map(([, tag]) => tag),
    welcome: { description: survey.texts('surveyls_welcometext') },
    thanks: { description: survey.texts('surveyls_endtext') },
    id: survey.settings?.get('sid'),
    kept: keepSettings(lss, survey, warnOnce),
  });
  return { ...made, responses: undefined };
}

/** The languages of the survey, without invalid ones; the language of the import if none is valid. */
function readLanguages(lss: Lss, { language }: SurveyReadOptions, warnOnce: WarnOnce): Languages {
  const settings = lss.rows('surveys')[0];
  const path = settings?.path ?? '';
  const others = (settings?.get('additional_languages') ?? '').split(/\s+/);
  const written = lss.rows('surveys_languagesettings').map((row) => row.get('surveyls_language'));
  const codes = new Set([settings?.get('language') ?? '', ...others, ...written]);
  const languages: [code: string, tag: string][] = [];
  for (const code of codes) {
    const tag = code === '' ? undefined : canonicalTag(code);
    const same = languages.find(([, other]) => other === tag);
    if (same !== undefined) {
      const detail = `The languages ${same[0]} and ${code} are the same; the texts of ${code} are not imported`;
      warnOnce(code, { path, code: 'NOT_IMPORTED', detail });
    } else if (tag !== undefined) languages.push([code, tag]);
    else if (code !== '') {
      const detail = `The language ${code} is unknown; its texts are not imported`;
      warnOnce(code, { path, code: 'NOT_IMPORTED', detail });
    }
  }
  if (languages.length > LIMITS.languages) {
    const detail = `The survey has more than ${LIMITS.languages} languages; the texts of the others are not imported`;
    warnOnce('languages', { path, code: 'NOT_IMPORTED', detail });
  }
  const [own = [language, language], ...more] = languages.slice(0, LIMITS.languages);
  return [own, ...more];
}

/** Adds a page for each group, with its questions. Returns the questions in their order. */
function addGroups(
  { groups }: LssSurvey,
  languages: readonly string[],
  context: SurveyContext,
): readonly ConvertedQuestion[] {
  const { draft, warnOnce } = context;
  const warnOfQuestion = (question: LssQuestion, code: string, detail: string) =>
    warnOnce(detail, { path: question.row.path, code, detail });
  const buildContext: BuildContext = { languages, rules: createRuleReader(warnOfQuestion), warnOfQuestion };
  return groups.flatMap((group) => {
    draft.page({
      name: `group-${group.gid}`,
      title: group.text('group_name'),
      description: group.text('description'),
      sourceData: keepGroup(group, warnOnce),
      at: group.row.path,
    });
    return group.questions.map((question) => {
      const parts = addQuestions(question, buildContext, context);
      if (parts.length > 0 || question.type === 'X') warnOfPlaceholders(question, warnOnce);
      if (parts.length > 0) {
        warnOfEmptyTitle(question, warnOnce);
        warnOfItems(question, warnOnce);
      }
      return { group, question, parts };
    });
  });
}

const CONVERTED_GROUP_FIELDS = new Set('id gid sid group_name group_order description language grelevance'.split(' '));

/** Source data of a group, with warnings. */
function keepGroup({ row, gid }: LssGroup, warnOnce: WarnOnce): JsonObject {
  const fields = [...row.fields].filter(([name]) => !CONVERTED_GROUP_FIELDS.has(name));
  for (const [name] of fields) {
    const detail =
      name === 'randomization_group'
        ? 'Random order is not supported; groups keep the order of the file'
        : `${name} of groups has no equivalent and is kept in source_data of the page`;
    warnOnce(`group ${name}`, { path: row.path, code: 'KEPT_AS_SOURCE_DATA', detail });
  }
  return { ...Object.fromEntries(fields), source_id: gid };
}

/** Adds the questions that a LimeSurvey question becomes. */
function addQuestions(
  question: LssQuestion,
  buildContext: BuildContext,
  { draft, warnOnce }: SurveyContext,
): readonly ConvertedPart[] {
  const { rules } = buildContext;
  const parts: ConvertedPart[] = [];
  for (const part of build(question, buildContext)) {
    const { sourceId, variable, path, title, description, members, required, moment, scale } = part;
    const isFirst = parts.length === 0;
    const { id } = draft.question({
      ...{ at: path, nameAt: question.row.path, title, description, members, required },
      name: variable.replace('#', '_'),
      needed: {
        source_id: sourceId,
        ...(isFirst ? idsOf(question) : {}),
        ...(variable === sourceId ? {} : { variable }),
        type: question.type,
        ...(moment === undefined ? {} : { moment }),
        ...(scale === undefined ? {} : { scale: String(scale) }),
      },
      ...(isFirst ? { kept: keepMembers(question, members, rules.hasPatternWarning(question), warnOnce) } : {}),
    });
    parts.push({ ...part, id: String(id) });
  }
  if (parts.length === 0) keepUnconverted(question, { draft, warnOnce });
  return parts;
}

/** Database ids of a question and its subquestions. Names of columns contain them, and so do conditions. */
function idsOf({ number, subquestions }: LssQuestion): JsonObject {
  if (number === undefined) return {};
  const codes = subquestions.flat().flatMap((item) => (item.number === undefined ? [] : [[item.number, item.code]]));
  return { qid: number, ...(codes.length === 0 ? {} : { [SUBQUESTION_CODES]: Object.fromEntries(codes) }) };
}

/**
 * Keeps a question without an equivalent in the source data of the survey. If the question is only a text, the text is
 * also added to the description of its page.
 */
function keepUnconverted(question: LssQuestion, { draft, warnOnce }: SurveyContext): void {
  const { row, code, type } = question;
  draft.unconverted(keepWhole(question, warnOnce));
  const isText = type === 'X';
  const kind = type === 'R' ? `A ranking of more than ${MAX_RANKS} answers` : `The question type ${type || '?'}`;
  const detail = isText
    ? `${code}: A text between questions becomes part of the description of its page`
    : `${code}: ${kind} has no equivalent; the question is kept in source_data of the survey`;
  warnOnce(`type ${type}`, { path: row.path, code: 'NO_SUCH_TYPE', detail }, isText ? undefined : code);
  if (isText) draft.text(question.text('question'));
}

/** Keeps questions of no group, and warns about subquestions and answers of no question. LimeSurvey skips them, too. */
function keepUnplaced({ unplaced }: LssSurvey, { draft, warnOnce }: SurveyContext): void {
  for (const question of unplaced.questions) {
    const { row, code, gid } = question;
    draft.unconverted(keepWhole(question, warnOnce));
    const detail = `${code}: The file does not have its group ${gid}; the question is kept in source_data of the survey`;
    warnOnce('no group', { path: row.path, code: 'KEPT_AS_SOURCE_DATA', detail }, code);
  }
  for (const { row } of unplaced.items) {
    const detail = 'Subquestions and answers of a question that the file does not have are not imported';
    warnOnce('no question', { path: row.path, code: 'NOT_IMPORTED', detail });
  }
}

function warnOfEmptyTitle(question: LssQuestion, warnOnce: WarnOnce): void {
  const { row, code } = question;
  if (!isEmptyText(question.text('question'))) return;
  const detail = `${code} has no text; its code becomes the title`;
  warnOnce('title', { path: row.path, code: 'EMPTY_TITLE', detail }, code);
}

function warnOfPlaceholders(question: LssQuestion, warnOnce: WarnOnce): void {
  const { row, code } = question;
  if (!textsOf(question.text('question')).some((text) => /\{[A-Za-z_(][^{}]*\}/.test(text))) return;
  const detail = `${code}: Placeholders {…} are not replaced`;
  warnOnce('placeholder', { path: row.path, code: 'PLACEHOLDER_KEPT', detail }, code);
}

/** Warns about logic of subquestions, and about a mandatory question that is not required, because items can be hidden. */
function warnOfItems(question: LssQuestion, warnOnce: WarnOnce): void {
  const { subquestions, code, row } = question;
  const item = subquestions.flat().find((one) => !isAlwaysShown(one));
  if (item !== undefined) {
    const detail = `${code}: Logic of subquestions is not converted; they are always shown`;
    warnOnce('items', { path: `${item.row.path}/relevance`, code: 'LOGIC_NOT_CONVERTED', detail }, code);
  }
  if (isMandatory(question) && !showsAllItems(question)) {
    const detail = `${code}: The question is not required, because some respondents do not see all subquestions`;
    warnOnce('not required', { path: row.path, code: 'KEPT_AS_SOURCE_DATA', detail }, code);
  }
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
function keepSettings(lss: Lss, { settings }: LssSurvey, warnOnce: WarnOnce): JsonObject {
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
