import type { JsonObject } from '@bufbuild/protobuf';
import { once } from '@survey/questionnaire/once';
import { createSurveyDraft, type DraftQuestion, type DraftSection, type SurveyDraft } from '../core/draft.ts';
import type { Formula } from '../core/logic/formula.ts';
import type { ConvertedSurvey, SurveyFileReader, SurveyReadOptions } from '../core/reader.ts';
import { isEmptyText, joinAllTexts, type Text, toJsonText } from '../core/texts.ts';
import { createWarnOnce, type WarnOnce } from '../files/report.ts';
import { openTable } from '../tables/open-table.ts';
import {
  createToTag,
  type Form,
  type FormPart,
  type FormRow,
  isAutomatic,
  isNote,
  noSurveyError,
  readCsvForm,
  readFormParts,
  readJsonForm,
  readXlsxForm,
  withSheetLocation,
} from './document.ts';
import { createToFormula } from './logic.ts';
import {
  type AskedRow,
  type FormContext,
  keepCells,
  readFormQuestions,
  readLists,
  requiredOf,
  toFormQuestion,
  toSourceCells,
  warnOfUnsupportedType,
} from './questions.ts';
import { readSubmissionItems } from './responses.ts';
import { createFindTables, type QuestionTable, toTableQuestion } from './tables.ts';

const CONVERTED_SETTINGS = new Set(['form_title', 'default_language']);

/** Reads a workbook with the sheets survey, choices and settings. */
export const readXlsformXlsxSurvey: SurveyFileReader = async (file, options) =>
  toSurvey(await readXlsxForm(file), options);

/** Reads the sheets survey, choices and settings from one CSV file. */
export const readXlsformCsvSurvey: SurveyFileReader = async (file, options) =>
  toSurvey(await readCsvForm(await openTable(file, options.table, options.warn)), options);

/** Reads a Kobo asset, and its submissions as responses. */
export const readXlsformJsonSurvey: SurveyFileReader = async (file, options) => {
  const form = await readJsonForm(file);
  const survey = toSurvey(form, options);
  if (!form.hasSubmissions) return survey;
  const { table } = options;
  return { ...survey, responses: (warn) => readSubmissionItems(file, survey.payload, { table, warn }) };
};

function toSurvey(form: Form, { title, language, warn }: SurveyReadOptions): ConvertedSurvey {
  const warnOnce = createWarnOnce((warning) => warn(withSheetLocation(warning)));
  const { settings } = form;
  const { languages, textOf } = createFormTexts(form, language, warnOnce);
  const draft = createSurveyDraft({
    source: 'xlsform',
    title: title || settings.cells.get('form_id') || '',
    warnOnce,
    toLocation: withSheetLocation,
  });
  const byName = new Map<string, JsonObject>();
  const lists = readLists(form.choices, { textOf, warnOnce });
  const context: SurveyContext = {
    textOf,
    warnOnce,
    lists,
    draft,
    byName,
    // The names of all questions are known when the survey is complete.
    getToFormula: once(() => createToFormula(byName)),
    findTables: createFindTables(form.survey, lists, warnOnce),
    notes: [],
    keptRows: [],
  };
  draft.page({ at: form.survey[0]?.path ?? '' });
  const parts = readFormParts(form.survey, warnOnce);
  const questions = addParts({ parts, tables: context.findTables(undefined, parts), groups: [] }, context);
  if (questions.length === 0) throw noSurveyError('The sheet survey has no questions');
  for (const name of form.others) {
    const detail = `The sheet ${name.slice(0, 100)} is not imported`;
    warnOnce(name, { path: '', code: 'NOT_IMPORTED', detail });
  }
  const notes = takeNotes(context);
  const filledIn = [...context.keptRows, ...(isEmptyText(notes) ? [] : [{ type: 'note', label: toJsonText(notes) }])];
  const survey = draft.finish({
    title: textOf(settings, 'form_title'),
    languages,
    kept: {
      ...toSourceCells([...settings.cells].filter(([name]) => !CONVERTED_SETTINGS.has(name))),
      ...(filledIn.length === 0 ? {} : { filled_in: filledIn }),
    },
  });
  return { ...survey, responses: undefined };
}

/**
 * Reads texts by language. Texts in columns without a language are in the form's language, unless a column that names
 * this language has another text.
 */
function createFormTexts({ survey, choices, settings }: Form, importLanguage: string, warnOnce: WarnOnce) {
  const toTag = createToTag();
  const rows = [...survey, ...choices];
  const columnLanguages = new Set<string>();
  for (const { texts } of rows) {
    for (const column of ['label', 'hint'])
      for (const [language] of texts.get(column) ?? []) columnLanguages.add(toTag(language));
  }
  const [firstOfColumns = importLanguage] = columnLanguages;
  const hasUnnamed = rows.some(({ cells }) => cells.has('label') || cells.has('hint'));
  const defaultLanguage = settings.cells.get('default_language') ?? 'default';
  // Without `default_language`: the language of the import if a column has no language, else the first that one names.
  const formLanguage =
    defaultLanguage === 'default' ? (hasUnnamed ? importLanguage : firstOfColumns) : toTag(defaultLanguage);
  const languages = new Set([formLanguage, ...columnLanguages]);
  return {
    languages,
    textOf({ cells, texts, path }: FormRow, column: string): Text {
      const byLanguage = new Map((texts.get(column) ?? []).map(([language, text]) => [toTag(language), text]));
      const unnamed = cells.get(column);
      const inFormLanguage = byLanguage.get(formLanguage) ?? unnamed;
      if (inFormLanguage !== undefined) byLanguage.set(formLanguage, inFormLanguage);
      if (unnamed !== undefined && unnamed !== inFormLanguage) {
        const detail = `Texts of the column ${column} are not imported if ${formLanguage} has another text`;
        warnOnce(`two ${column}`, { path, code: 'NOT_IMPORTED', detail });
      }
      if (inFormLanguage !== undefined && (byLanguage.size === 1 || languages.size === 1)) return inFormLanguage;
      return byLanguage.size === 0 ? '' : Object.fromEntries(byLanguage);
    },
  };
}

interface SurveyContext extends FormContext {
  readonly draft: SurveyDraft;
  /** Questions by their names in expressions. */
  readonly byName: Map<string, JsonObject>;
  /** Returns the converter of expressions. */
  readonly getToFormula: () => (expression: string) => Formula;
  readonly findTables: ReturnType<typeof createFindTables>;
  /** Notes since the last question. They become part of the description of the next one. */
  readonly notes: Text[];
  /** Rows that become no question, because the form's tool fills them in, such as the device id. */
  readonly keptRows: JsonObject[];
}

/** The parts of a form outside of all groups, or the parts of a group. */
interface Level {
  readonly parts: readonly FormPart[];
  /** Tables among the parts, by each of their rows. */
  readonly tables: ReadonlyMap<FormPart, QuestionTable>;
  /** Names of the groups around the parts, the outermost first. */
  readonly groups: readonly string[];
}

/** Adds the parts of a level to the draft. Returns the ids of their questions. */
function addParts({ parts, tables, groups }: Level, context: SurveyContext): readonly string[] {
  return parts.flatMap((part): readonly string[] => {
    const { row, type } = part;
    const table = tables.get(part);
    if (table !== undefined) return part === table.start ? addTable(table, groups, context) : [];
    if (type.kind === 'begin') return (type.of === 'group' ? addGroup : addRepeat)(part, groups, context);
    if (isNote(type)) addNote(row, context);
    else if (isAutomatic(type)) keepAutomaticRow(part, context);
    else return addQuestions(row, groups, (asked) => readFormQuestions(type, asked, context), context);
    return [];
  });
}

/** Adds a group with its questions as a section. */
function addGroup({ row, parts }: FormPart, groups: readonly string[], context: SurveyContext): readonly string[] {
  const name = row.cells.get('name') ?? 'group';
  const tables = context.findTables(row, parts);
  const questions = addParts({ parts, tables, groups: [...groups, name] }, context);
  // A table that has its title and condition from the group needs no section.
  if (tables.values().some(({ named }) => named === row)) return questions;
  if (questions.length === 0) {
    const detail = 'A group without questions is not imported';
    context.warnOnce('empty group', { path: row.path, code: 'NOT_IMPORTED', detail });
    warnOfLostCondition(row, 'A group without questions is not imported, nor is its condition', context);
    return [];
  }
  const section = {
    name,
    title: context.textOf(row, 'label'),
    description: context.textOf(row, 'hint'),
    questions,
    sourceData: { ...keepCells(row, context), source_id: name },
  };
  context.draft.section(section);
  addRule('show', questions, row, 'relevant', context, section);
  return questions;
}

/** Adds a repeat as a text. Imported responses keep the answers in their metadata. */
function addRepeat({ row, parts }: FormPart, groups: readonly string[], context: SurveyContext): readonly string[] {
  return addQuestions(
    row,
    groups,
    (asked) => {
      const repeat = { ...asked, type: 'repeat' };
      warnOfUnsupportedType(repeat, context, 'it becomes a text; imported responses keep its rows in their metadata');
      const kept = { rows: toRepeatRows(parts) };
      return [toFormQuestion(repeat, 'textarea', { source: { kept_as: 'json' }, kept, required: false })];
    },
    context,
  );
}

/** The rows in a repeat, as `source_data` keeps them. */
function toRepeatRows(parts: readonly FormPart[]): JsonObject[] {
  return parts.map(({ row, type, parts: inner }) =>
    type.kind === 'begin'
      ? { name: row.cells.get('name') ?? 'group', rows: toRepeatRows(inner) }
      : Object.fromEntries(row.cells),
  );
}

/** Adds the questions that `read` makes of a row, with the notes before it. */
function addQuestions(
  row: FormRow,
  groups: readonly string[],
  read: (asked: AskedRow) => readonly DraftQuestion[],
  context: SurveyContext,
): readonly string[] {
  const { draft, textOf, warnOnce, byName } = context;
  const name = row.cells.get('name') ?? '';
  if (name === '') {
    warnOnce('name', { path: row.path, code: 'NOT_IMPORTED', detail: 'A row without a name is not imported' });
    return [];
  }
  const formPath = [...groups, name].join('/');
  const questions = read({ row, name, formPath, title: textOf(row, 'label'), type: row.cells.get('type') ?? '' });
  const description = joinAllTexts([takeNotes(context), textOf(row, 'hint')], '\n\n');
  const kept = keepCells(row, context, questions[0]?.members['pattern'] === undefined ? [] : ['constraint']);
  const required = requiredOf(row) === 'always';
  const added = questions.map((question, index) => {
    const ofFirst = index > 0 ? {} : { description, kept: { ...kept, ...question.kept } };
    return draft.question({ required, ...question, ...ofFirst });
  });
  const [first] = added;
  if (first !== undefined && !byName.has(name)) byName.set(name, first);
  const ids = added.map(({ id }) => String(id));
  addRules(ids, row, row, context);
  return ids;
}

function addTable(table: QuestionTable, groups: readonly string[], context: SurveyContext): readonly string[] {
  const { named, rows } = table;
  const { id } = context.draft.question(toTableQuestion(table, groups, takeNotes(context), context));
  addRules([String(id)], named.cells.has('relevant') ? named : rows[0], rows[0], context);
  return [String(id)];
}

function addRules(questions: readonly string[], relevantRow: FormRow, requiredRow: FormRow, context: SurveyContext) {
  addRule('show', questions, relevantRow, 'relevant', context);
  if (requiredOf(requiredRow) === 'on condition') addRule('require', questions, requiredRow, 'required', context);
}

/** Adds the condition in a column of a row, if it has one. */
function addRule(
  action: 'show' | 'require',
  questions: readonly string[],
  { path, cells }: FormRow,
  column: 'relevant' | 'required',
  { draft, getToFormula }: SurveyContext,
  section?: DraftSection,
): void {
  const source = cells.get(column);
  if (source === undefined) return;
  const when = () => getToFormula()(source);
  const rule = { action, questions, at: `${path}/${column}`, source, member: column, when };
  draft.rule({ ...rule, ...(section === undefined ? {} : { section }) });
}

function addNote(row: FormRow, context: SurveyContext): void {
  context.notes.push(context.textOf(row, 'label'));
  const detail = 'A note becomes part of the description of the next question';
  context.warnOnce('note', { path: `${row.path}/type`, code: 'NO_SUCH_TYPE', detail });
  warnOfLostCondition(row, 'Conditions of notes are not converted; notes are always shown', context);
}

/** Returns the notes since the last question, which belong to this one. */
function takeNotes({ notes }: SurveyContext): Text {
  return joinAllTexts(notes.splice(0), '\n\n');
}

/** Warns if a row that is not converted to a question has a condition. */
function warnOfLostCondition({ path, cells }: FormRow, detail: string, { warnOnce }: SurveyContext): void {
  if (cells.has('relevant')) warnOnce(detail, { path: `${path}/relevant`, code: 'LOGIC_NOT_CONVERTED', detail });
}

function keepAutomaticRow({ row, type }: FormPart, { keptRows, warnOnce }: SurveyContext): void {
  keptRows.push(Object.fromEntries(row.cells));
  const name = type.kind === 'plain' ? type.name : '';
  const detail = `The tool fills in ${name} itself; the row is kept in source_data of the survey`;
  warnOnce(name, { path: `${row.path}/type`, code: 'NO_SUCH_TYPE', detail });
}
