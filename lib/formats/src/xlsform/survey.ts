import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { addLogic } from '../core/add-logic.ts';
import { createBudget } from '../core/budget.ts';
import { createUniqueIds } from '../core/ids.ts';
import { createOrigins } from '../core/origins.ts';
import { createOutline } from '../core/outline.ts';
import type { ConvertedSurvey, SurveyFileReader, SurveyReadOptions } from '../core/reader.ts';
import { allowLongTexts, fitSize } from '../core/source-data.ts';
import { isEmptyText, type Text, toJsonText, UNTITLED } from '../core/texts.ts';
import type { ImportFile } from '../files/import-file.ts';
import { readJson } from '../files/json.ts';
import { createWarnOnce, invalidImport } from '../files/report.ts';
import { openTable } from '../tables/open-table.ts';
import type { TableOptions } from '../tables/table-options.ts';
import { type Form, type FormRow, readCsvForm, readJsonForm, readXlsxForm, withSheetLocation } from './form.ts';
import { toSourceCells } from './form-context.ts';
import { createToTag } from './languages.ts';
import { readLists } from './lists.ts';
import { createToFormula } from './logic.ts';
import { readSubmissionItems } from './responses.ts';
import { readSurveyRows } from './survey-rows.ts';

/** Members of `source_data` that are never removed: readers of submissions need them, or they are unconverted logic. */
const NEEDED = new Set('source source_id type part kept_as relevant required'.split(' '));
const CONVERTED_SETTINGS = new Set(['form_title', 'default_language']);

/** Reads a workbook with the sheets survey, choices and settings. */
export const readXlsformXlsxSurvey: SurveyFileReader = async (file, options) =>
  toSurvey(await readXlsxForm(file), options);

/** Reads the sheets survey, choices and settings from one CSV file. */
export const readXlsformCsvSurvey: SurveyFileReader = async (file, options) =>
  toSurvey(await readCsvForm(await openTable(file, options.table, options.warn)), options);

/** Reads a Kobo asset, `{content: {survey, choices, settings}, submissions?}`. */
export const readXlsformJsonSurvey: SurveyFileReader = async (file, options) => {
  const survey = toSurvey(await readJsonForm(file), options);
  return { ...survey, responses: await responsesOf(file, survey.payload, options.table) };
};

async function responsesOf(
  file: ImportFile,
  payload: JsonObject,
  table: TableOptions,
): Promise<ConvertedSurvey['responses']> {
  const root = await readJson(file, { without: ['submissions'] });
  const submissions = isObject(root) ? root['submissions'] : undefined;
  return Array.isArray(submissions)
    ? (warn) => readSubmissionItems(file, ['submissions'], payload, { table, warn })
    : undefined;
}

function toSurvey(form: Form, { title, language, warn }: SurveyReadOptions): ConvertedSurvey {
  const warnInSheets: SurveyReadOptions['warn'] = (warning) => warn(withSheetLocation(warning));
  const warnOnce = createWarnOnce(warnInSheets);
  const { settings } = form;
  const texts = createFormTexts(form, language);
  const origins = createOrigins();
  const toUniqueId = createUniqueIds();
  const outline = createOutline(origins, toUniqueId, { budget: createBudget(withSheetLocation), warnOnce });
  const byName = new Map<string, JsonObject>();
  const context = { textOf: texts.textOf, toUniqueId, warnOnce };
  outline.beginPage(form.survey[0]?.path ?? '');
  const lists = readLists(form.choices, context);
  const keptRows = readSurveyRows(form.survey, { ...context, outline, lists, byName });
  outline.endPage({ title: '', description: '', kept: {} });
  const outlined = outline.end();
  if (outlined.questionCount === 0) throw reject('The sheet survey has no questions');
  for (const name of form.others) {
    const detail = `The sheet ${name.slice(0, 100)} is not imported`;
    warnOnce(name, { path: '', code: 'NOT_IMPORTED', detail });
  }
  const formTitle = settings === undefined ? '' : texts.textOf(settings, 'form_title');
  const survey: JsonObject = {
    title: isEmptyText(formTitle) ? title || settings?.cells.get('form_id') || UNTITLED : toJsonText(formTitle),
    supported_languages: [...texts.languages],
    source_data: {
      ...toSourceCells([...(settings?.cells ?? [])].filter(([name]) => !CONVERTED_SETTINGS.has(name))),
      source: 'xlsform',
      ...(keptRows.length === 0 ? {} : { filled_in: [...keptRows] }),
    },
  };
  const payload = allowLongTexts(addLogic(survey, outlined, { convert: createToFormula(byName), warn: warnInSheets }));
  return {
    payload: fitSize(payload, NEEDED, warn),
    toFileProblem: (problem) => withSheetLocation(origins.toFileProblem(problem)),
    responses: undefined,
  };
}

/** Reads texts by language. Columns without a language are in the form's own language. */
function createFormTexts({ survey, choices, settings }: Form, language: string) {
  const toTag = createToTag();
  const named = new Set<string>();
  for (const { texts } of [...survey, ...choices]) {
    for (const column of ['label', 'hint']) for (const [one] of texts.get(column) ?? []) named.add(toTag(one));
  }
  const [first] = named;
  const given = settings?.cells.get('default_language');
  const hasUnnamed = [...survey, ...choices].some(({ cells }) => cells.has('label') || cells.has('hint'));
  // Columns without a language are in the default language of the settings, or else in the language of the import.
  const formLanguage =
    given === undefined || given === 'default' ? (hasUnnamed || first === undefined ? language : first) : toTag(given);
  const languages = new Set([formLanguage, ...named]);
  return {
    languages,
    textOf({ cells, texts }: FormRow, column: string): Text {
      const byLanguage = new Map((texts.get(column) ?? []).map(([one, text]) => [toTag(one), text]));
      const unnamed = cells.get(column);
      if (unnamed !== undefined && !byLanguage.has(formLanguage)) byLanguage.set(formLanguage, unnamed);
      const inFormLanguage = byLanguage.get(formLanguage);
      if (inFormLanguage !== undefined && (byLanguage.size === 1 || languages.size === 1)) return inFormLanguage;
      return byLanguage.size === 0 ? '' : Object.fromEntries(byLanguage);
    },
  };
}

function reject(detail: string) {
  return invalidImport([{ path: '', code: 'NO_SURVEY', detail }]);
}
