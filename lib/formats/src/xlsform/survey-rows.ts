import type { JsonObject } from '@bufbuild/protobuf';
import type { Outline } from '../core/outline.ts';
import { sourceDataOf } from '../core/source-data.ts';
import { isEmptyText, joinTexts, type Text, toJsonText } from '../core/texts.ts';
import type { FormRow } from './form.ts';
import { type AskedRow, type FormContext, toFormQuestion, warnOfUnsupportedType } from './form-context.ts';
import { keepCells } from './kept-cells.ts';
import type { Lists } from './lists.ts';
import { createOpenGroups, type FormGroup, MAX_GROUP_DEPTH } from './open-groups.ts';
import { readFormQuestions } from './questions.ts';
import { requiredOf } from './required.ts';
import { isAutomatic, type RowType, toRowType } from './row-types.ts';
import { toTableQuestion } from './table-question.ts';
import { findTables } from './tables.ts';
import type { QuestionTable } from './to-table.ts';

interface RowContext extends FormContext {
  readonly outline: Outline;
  readonly lists: Lists;
  /** Questions by their names in expressions. */
  readonly byName: Map<string, JsonObject>;
}

/**
 * Converts the rows of a survey. Returns the rows to keep in `source_data`: those that the other tool fills in itself,
 * such as the device id, and trailing notes.
 */
export function readSurveyRows(rows: readonly FormRow[], context: RowContext): readonly JsonObject[] {
  const { outline, textOf, warnOnce } = context;
  const tables = findTables(rows, context.lists, warnOnce);
  const openGroups = createOpenGroups();
  const keptRows: JsonObject[] = [];
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
    // The group became a table question, which `addTable` has added.
    if (tables.has(row)) return;
    const relevant = row.cells.get('relevant');
    if (questions.length === 0) {
      const detail = 'A group without questions is not imported';
      warnOnce('empty group', { path: row.path, code: 'NOT_IMPORTED', detail });
      if (relevant !== undefined)
        warnOfLostCondition(row, 'A group without questions is not imported, nor is its condition');
      return;
    }
    const group = { name, title, description: textOf(row, 'hint'), questions, kept: keepCells(row, context) };
    outline.addGroup(group);
    if (relevant === undefined) return;
    outline.addRule({ action: 'show', questions, group, expression: relevant, member: 'relevant', path: row.path });
  }

  function addQuestions(row: FormRow, type: RowType, repeat?: FormGroup): void {
    const name = row.cells.get('name') ?? '';
    if (name === '') {
      warnOnce('name', { path: row.path, code: 'NOT_IMPORTED', detail: 'A row without a name is not imported' });
      return;
    }
    const formPath = [...openGroups.names(), name].join('/');
    const asked: AskedRow = { row, name, formPath, title: textOf(row, 'label'), type: row.cells.get('type') ?? '' };
    const made =
      repeat === undefined ? readFormQuestions(type, asked, context.lists, context) : [toRepeat(asked, repeat)];
    const hint = joinTexts(notes, textOf(row, 'hint'), '\n\n');
    notes = '';
    const kept = keepCells(row, context, made[0]?.['pattern'] === undefined ? [] : ['constraint']);
    for (const [index, question] of made.entries()) {
      const complete = {
        ...question,
        ...(repeat === undefined && requiredOf(row) === 'always' ? { required: true } : {}),
        ...(index > 0 || isEmptyText(hint) ? {} : { description: toJsonText(hint) }),
        source_data: { ...(index > 0 ? {} : kept), ...sourceDataOf(question) },
      };
      outline.addQuestion(complete, row.path);
      if (index === 0 && !context.byName.has(name)) context.byName.set(name, complete);
    }
    const ids = made.map(({ id }) => String(id));
    openGroups.innermost()?.questions.push(...ids);
    addRules(ids, row, row);
  }

  function addTable(table: QuestionTable): void {
    const { named, rows: tableRows } = table;
    const question = toTableQuestion(table, { lists: context.lists, groups: openGroups.names(), notes }, context);
    notes = '';
    outline.addQuestion(question, named.path);
    const id = String(question['id']);
    openGroups.innermost()?.questions.push(id);
    addRules([id], named.cells.has('relevant') ? named : tableRows[0], tableRows[0]);
  }

  function addRules(questions: readonly string[], relevantRow: FormRow, requiredRow: FormRow): void {
    const relevant = relevantRow.cells.get('relevant');
    if (relevant !== undefined) {
      outline.addRule({ action: 'show', questions, expression: relevant, member: 'relevant', path: relevantRow.path });
    }
    const required = requiredOf(requiredRow);
    if (typeof required === 'string') return;
    const { condition: expression } = required;
    outline.addRule({ action: 'require', questions, expression, member: 'required', path: requiredRow.path });
  }

  function toRepeat(asked: AskedRow, { repeatRows = [] }: FormGroup): JsonObject {
    warnOfUnsupportedType(
      { ...asked, type: 'repeat' },
      context,
      'it becomes a text; imported responses keep its rows in their metadata',
    );
    return toFormQuestion({ ...asked, type: 'repeat' }, context, 'textarea', {
      source: { kept_as: 'json', rows: repeatRows },
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
  return keptRows;
}
