import type { JsonObject } from '@bufbuild/protobuf';
import { isObject } from '@survey/questionnaire/json';
import { once } from '@survey/questionnaire/once';
import { createSurveyDraft, type DraftQuestion, type DraftSection, type SurveyDraft } from '../core/draft.ts';
import type { Formula } from '../core/logic/formula.ts';
import type { ConvertedSurvey, SurveyFileReader, SurveyReadOptions } from '../core/reader.ts';
import { isEmptyText, joinTexts, type Text, toJsonText } from '../core/texts.ts';
import type { ImportFile } from '../files/import-file.ts';
import { readJson } from '../files/json.ts';
import { createWarnOnce, invalidImport } from '../files/report.ts';
import { openTable } from '../tables/open-table.ts';
import type { TableOptions } from '../tables/table-options.ts';
import {
  createToTag,
  type Form,
  type FormRow,
  isAutomatic,
  type RowType,
  readCsvForm,
  readJsonForm,
  readXlsxForm,
  toRowType,
  withSheetLocation,
} from './document.ts';
import { createToFormula } from './logic.ts';
import {
  type AskedRow,
  type FormContext,
  keepCells,
  type Lists,
  readFormQuestions,
  readLists,
  requiredOf,
  toFormQuestion,
  toSourceCells,
  warnOfUnsupportedType,
} from './questions.ts';
import { readSubmissionItems } from './responses.ts';
import { findTables, type QuestionTable, toTableQuestion } from './tables.ts';

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
  const cells = settings?.cells ?? new Map<string, string>();
  const texts = createFormTexts(form, language);
  const draft = createSurveyDraft({
    source: 'xlsform',
    title: title || cells.get('form_id') || '',
    warnOnce,
    toLocation: withSheetLocation,
  });
  const byName = new Map<string, JsonObject>();
  // The names of all questions are known when the survey is complete.
  const getToFormula = once(() => createToFormula(byName));
  const context = { textOf: texts.textOf, warnOnce };
  draft.page({ at: form.survey[0]?.path ?? '' });
  const lists = readLists(form.choices, context);
  const { count, keptRows } = readSurveyRows(form.survey, { ...context, draft, lists, byName, getToFormula });
  if (count === 0) throw noSurveyError('The sheet survey has no questions');
  for (const name of form.others) {
    const detail = `The sheet ${name.slice(0, 100)} is not imported`;
    warnOnce(name, { path: '', code: 'NOT_IMPORTED', detail });
  }
  const survey = draft.finish({
    title: settings === undefined ? '' : texts.textOf(settings, 'form_title'),
    languages: texts.languages,
    kept: {
      ...toSourceCells([...cells].filter(([name]) => !CONVERTED_SETTINGS.has(name))),
      ...(keptRows.length === 0 ? {} : { filled_in: [...keptRows] }),
    },
  });
  return { ...survey, responses: undefined };
}

/** Reads texts by language. Columns without a language are in the form's language: see `formLanguage`. */
function createFormTexts({ survey, choices, settings }: Form, language: string) {
  const toTag = createToTag();
  const columnLanguages = new Set<string>();
  for (const { texts } of [...survey, ...choices]) {
    for (const column of ['label', 'hint'])
      for (const [one] of texts.get(column) ?? []) columnLanguages.add(toTag(one));
  }
  const [first] = columnLanguages;
  const given = settings?.cells.get('default_language');
  const hasUnnamed = [...survey, ...choices].some(({ cells }) => cells.has('label') || cells.has('hint'));
  // Without `default_language`: the language of the import if a column has no language, else the first that one names.
  const formLanguage =
    given === undefined || given === 'default' ? (hasUnnamed || first === undefined ? language : first) : toTag(given);
  const languages = new Set([formLanguage, ...columnLanguages]);
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

function noSurveyError(detail: string) {
  return invalidImport([{ path: '', code: 'NO_SURVEY', detail }]);
}

interface RowContext extends FormContext {
  readonly draft: SurveyDraft;
  readonly lists: Lists;
  /** Questions by their names in expressions. */
  readonly byName: Map<string, JsonObject>;
  /** Returns the converter of expressions. */
  readonly getToFormula: () => (expression: string) => Formula;
}

interface ReadRows {
  /** Number of questions. */
  readonly count: number;
  /**
   * Rows that become no question and are kept in `source_data`: values that the form's tool fills in, such as the device
   * id, and notes after the last question.
   */
  readonly keptRows: readonly JsonObject[];
}

/** Adds the questions and groups of the rows of a survey to the draft. */
function readSurveyRows(rows: readonly FormRow[], context: RowContext): ReadRows {
  const { draft, textOf, getToFormula, warnOnce } = context;
  const tables = findTables(rows, context.lists, warnOnce);
  const openGroups = createOpenGroups();
  const keptRows: JsonObject[] = [];
  let count = 0;
  /** Notes before the next question. */
  let notes: Text = '';

  function beginGroup(type: Extract<RowType, { kind: 'begin' }>, row: FormRow): void {
    const name = row.cells.get('name') ?? 'group';
    const isRepeated = type.of === 'repeat' || openGroups.isInRepeat();
    const title = textOf(row, 'label');
    const repeatRows = isRepeated ? [] : undefined;
    if (openGroups.begin({ row, name, title, questions: [], repeatRows })) return;
    const detail = `Groups that are nested more than ${MAX_GROUP_DEPTH} levels deep are not imported`;
    warnOnce('depth', { path: row.path, code: 'NOT_IMPORTED', detail });
  }

  /** Adds an ended group: to the survey, or to the rows of the repeat around it. */
  function addEnded(group: FormGroup): void {
    const outer = openGroups.innermost();
    if (group.repeatRows === undefined) addGroup(group, outer);
    else if (outer?.repeatRows === undefined) addQuestions(group.row, { kind: 'plain', name: 'repeat' }, group);
    else outer.repeatRows.push({ name: group.name, rows: group.repeatRows });
  }

  function addGroup({ row, name, title, questions }: FormGroup, outer: FormGroup | undefined): void {
    outer?.questions.push(...questions);
    // `addTable` has added the questions of a table group as one question, so the group needs no section.
    if (tables.has(row)) return;
    const relevant = row.cells.get('relevant');
    if (questions.length === 0) {
      const detail = 'A group without questions is not imported';
      warnOnce('empty group', { path: row.path, code: 'NOT_IMPORTED', detail });
      if (relevant !== undefined)
        warnOfLostCondition(row, 'A group without questions is not imported, nor is its condition');
      return;
    }
    const sourceData = { ...keepCells(row, context), source_id: name };
    const section = { name, title, description: textOf(row, 'hint'), questions, sourceData };
    draft.section(section);
    addRule('show', questions, row, 'relevant', relevant, section);
  }

  /** @param source the condition; nothing is added if it is undefined */
  function addRule(
    action: 'show' | 'require',
    questions: readonly string[],
    { path }: FormRow,
    member: string,
    source: string | undefined,
    section?: DraftSection,
  ): void {
    if (source === undefined) return;
    const rule = { action, questions, at: `${path}/${member}`, source, member, when: () => getToFormula()(source) };
    draft.rule({ ...rule, ...(section === undefined ? {} : { section }) });
  }

  function addQuestions(row: FormRow, type: RowType, repeat?: FormGroup): void {
    const name = row.cells.get('name') ?? '';
    if (name === '') {
      warnOnce('name', { path: row.path, code: 'NOT_IMPORTED', detail: 'A row without a name is not imported' });
      return;
    }
    const formPath = [...openGroups.names(), name].join('/');
    const asked: AskedRow = { row, name, formPath, title: textOf(row, 'label'), type: row.cells.get('type') ?? '' };
    const questions =
      repeat === undefined ? readFormQuestions(type, asked, context.lists, context) : [toRepeat(asked, repeat)];
    const hint = joinTexts(notes, textOf(row, 'hint'), '\n\n');
    notes = '';
    const kept = keepCells(row, context, questions[0]?.members['pattern'] === undefined ? [] : ['constraint']);
    const isRequired = repeat === undefined && requiredOf(row) === 'always';
    const ids = questions.map((question, index) => {
      const ofFirst = index > 0 ? {} : { description: hint, kept: { ...kept, ...question.kept } };
      const added = addQuestion({ ...question, required: isRequired, ...ofFirst });
      if (index === 0 && !context.byName.has(name)) context.byName.set(name, added);
      return String(added['id']);
    });
    addRules(ids, row, row);
  }

  function addQuestion(question: DraftQuestion): JsonObject {
    const added = draft.question(question);
    count += 1;
    openGroups.innermost()?.questions.push(String(added['id']));
    return added;
  }

  function addTable(table: QuestionTable): void {
    const { named, rows: tableRows } = table;
    const question = toTableQuestion(table, { lists: context.lists, groups: openGroups.names(), notes }, context);
    notes = '';
    const { id } = addQuestion(question);
    addRules([String(id)], named.cells.has('relevant') ? named : tableRows[0], tableRows[0]);
  }

  function addRules(questions: readonly string[], relevantRow: FormRow, requiredRow: FormRow): void {
    addRule('show', questions, relevantRow, 'relevant', relevantRow.cells.get('relevant'));
    const required = requiredOf(requiredRow);
    if (typeof required === 'object') addRule('require', questions, requiredRow, 'required', required.condition);
  }

  function toRepeat(asked: AskedRow, { repeatRows = [] }: FormGroup): DraftQuestion {
    warnOfUnsupportedType(
      { ...asked, type: 'repeat' },
      context,
      'it becomes a text; imported responses keep its rows in their metadata',
    );
    return toFormQuestion({ ...asked, type: 'repeat' }, 'textarea', {
      source: { kept_as: 'json' },
      kept: { rows: repeatRows },
    });
  }

  function addNote(row: FormRow): void {
    notes = joinTexts(notes, textOf(row, 'label'), '\n\n');
    const detail = 'A note becomes part of the description of the next question';
    warnOnce('note', { path: `${row.path}/type`, code: 'NO_SUCH_TYPE', detail });
    if (row.cells.has('relevant'))
      warnOfLostCondition(row, 'Conditions of notes are not converted; notes are always shown');
  }

  function warnOfLostCondition(row: FormRow, detail: string): void {
    warnOnce(detail, { path: `${row.path}/relevant`, code: 'LOGIC_NOT_CONVERTED', detail });
  }

  function addAutomaticRow(row: FormRow, name: string): void {
    keptRows.push(Object.fromEntries(row.cells));
    const detail = `The tool fills in ${name} itself; the row is kept in source_data of the survey`;
    warnOnce(name, { path: `${row.path}/type`, code: 'NO_SUCH_TYPE', detail });
  }

  for (const row of rows) {
    const written = row.cells.get('type') ?? '';
    if (written === '') {
      if (row.cells.size > 0)
        warnOnce('type', { path: row.path, code: 'NOT_IMPORTED', detail: 'A row without a type is not imported' });
      continue;
    }
    const type = toRowType(written, row.cells.get('select_from_list_name'));
    const outerRepeatRows = openGroups.innermost()?.repeatRows;
    const table = tables.get(row);
    if (type.kind === 'begin') beginGroup(type, row);
    else if (type.kind === 'end') {
      const ended = openGroups.end();
      if (ended !== undefined) addEnded(ended);
    } else if (openGroups.isSkipping()) continue;
    else if (outerRepeatRows !== undefined) outerRepeatRows.push(Object.fromEntries(row.cells));
    else if (table !== undefined) {
      if (row === (table.header ?? table.rows[0])) addTable(table);
    } else if (type.kind === 'plain' && type.name === 'note') addNote(row);
    else if (type.kind === 'plain' && isAutomatic(type)) addAutomaticRow(row, type.name);
    else addQuestions(row, type);
  }
  for (const group of openGroups.endAll()) addEnded(group);
  if (!isEmptyText(notes)) keptRows.push({ type: 'note', label: toJsonText(notes) });
  return { count, keptRows };
}

/** A group or repeat of a form. */
export interface FormGroup {
  readonly row: FormRow;
  readonly name: string;
  readonly title: Text;
  /** Ids of its questions, including those of inner groups. */
  readonly questions: string[];
  /** The rows of a repeat, or of a group in a repeat; undefined for other groups. */
  readonly repeatRows: JsonObject[] | undefined;
}

export const MAX_GROUP_DEPTH = 50;

/** Tracks the groups around the current row. Groups that are nested too deep are skipped. */
export function createOpenGroups() {
  /** The outermost group is the first one. */
  const groups: FormGroup[] = [];
  let skipped = 0;
  return {
    innermost: (): FormGroup | undefined => groups.at(-1),
    names: (): readonly string[] => groups.map(({ name }) => name),
    /** Whether the current row is in a skipped group. */
    isSkipping: (): boolean => skipped > 0,
    isInRepeat: (): boolean => groups.some(({ repeatRows }) => repeatRows !== undefined),
    /** Returns whether the group is open; otherwise it is skipped. */
    begin(group: FormGroup): boolean {
      if (skipped === 0 && groups.length < MAX_GROUP_DEPTH) groups.push(group);
      else skipped += 1;
      return skipped === 0;
    },
    /** Ends the innermost group. Returns undefined if this group was skipped, or if no group is open. */
    end(): FormGroup | undefined {
      if (skipped === 0) return groups.pop();
      skipped -= 1;
      return undefined;
    },
    /** Ends all groups that the form leaves open. Returns them one by one, innermost first. */
    *endAll(): Generator<FormGroup> {
      skipped = 0;
      for (let group = groups.pop(); group !== undefined; group = groups.pop()) yield group;
    },
  };
}
