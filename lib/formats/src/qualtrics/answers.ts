import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { setMember } from '@survey/questionnaire/json';
import { Ambiguous, type FindOption, isChosenWord, toUnknown, type Wording } from '../core/columns/choices.ts';
import type { DroppedValue, UnreadValue } from '../core/responses/response.ts';
import { hasUnusualYear, UNUSUAL_YEAR } from '../tables/column-values.ts';
import type { AnswerColumn, IndexedOption, IndexedQuestion } from './headers.ts';
import { toDate } from './questions.ts';

export interface CellContext {
  readonly questions: ReadonlyMap<string, IndexedQuestion>;
  readonly find: FindOption;
  readonly wording: Wording;
  /** Called for a number that only means "seen but not answered". */
  onSeen(): void;
}

interface ReadAnswers {
  readonly answers: JsonObject;
  /** Cells that could mean several options, and dates of other calendars. */
  readonly unread: readonly UnreadValue[];
  /** Texts of options that are not chosen, or have no text question. */
  readonly dropped: readonly DroppedValue[];
}

/** Qualtrics writes this for a question that was seen but not answered. */
const UNANSWERED = '-99';

/** Reads the answers of a row by question id. Validation rejects the values of unknown options (`toUnknown`). */
export function readAnswers(
  columns: readonly (AnswerColumn | undefined)[],
  cells: readonly string[],
  context: CellContext,
): ReadAnswers {
  const answers: Record<string, JsonValue> = {};
  const unread: UnreadValue[] = [];
  const entries: (readonly [question: IndexedQuestion, text: string])[] = [];
  for (const [columnIndex, column] of columns.entries()) {
    const cell = cells[columnIndex]?.trim() ?? '';
    if (column === undefined || cell === '') continue;
    const { question } = column;
    const reportAmbiguous = ({ ids }: Ambiguous, row?: IndexedOption): void => {
      const detail = `the cell could mean ${ids.join(' or ')}; export with the other setting, values or choice texts`;
      const name = row === undefined ? question.id : `${question.id}[${row.id}]`;
      unread.push({ kind: 'answer', name, code: 'AMBIGUOUS_ANSWER', detail, value: cell });
    };
    const rows = () => {
      const before = answers[question.id];
      if (typeof before === 'object' && before !== null && !Array.isArray(before)) return before;
      const made: Record<string, JsonValue> = {};
      setMember(answers, question.id, made);
      return made;
    };
    switch (column.kind) {
      case 'value': {
        const value = answerOf(question, cell, context);
        if (value instanceof Ambiguous) reportAmbiguous(value);
        else if (question.type === 'date' && typeof value === 'string' && hasUnusualYear(value)) {
          unread.push({ kind: 'answer', name: question.id, ...UNUSUAL_YEAR, value: cell });
        } else if (value !== undefined) setMember(answers, question.id, value);
        break;
      }
      case 'option':
        if (!isChosen(cell, column.option)) break;
        setMember(answers, question.id, [...listIn(answers[question.id]), column.option.id]);
        break;
      case 'row': {
        const id = optionOf(choicesOf(question), cell, context);
        if (id instanceof Ambiguous) reportAmbiguous(id, column.row);
        else if (id !== undefined) setMember(rows(), column.row.id, id);
        break;
      }
      case 'cell': {
        if (!isChosen(cell, column.column)) break;
        const row = rows();
        setMember(row, column.row.id, [...listIn(row[column.row.id]), column.column.id]);
        break;
      }
      case 'other':
        if (cell !== UNANSWERED) entries.push([question, cell]);
    }
  }
  const dropped: DroppedValue[] = [];
  for (const [question, text] of entries) {
    const chosen = question.options.find(({ id }) => id === answers[question.id]);
    const entry = chosen && context.questions.get(`${question.sourceId}_${chosen.key}_TEXT`);
    if (entry !== undefined) setMember(answers, entry.id, text);
    else {
      const detail = 'no option with a text is chosen';
      dropped.push({ column: `${question.id}_TEXT`, code: 'NOT_AN_ANSWER', detail, value: text });
    }
  }
  return { answers, unread, dropped };
}

/** The options of a column with a single choice; empty for other columns. */
export function optionsIn(column: AnswerColumn): readonly IndexedOption[] {
  const { kind, question } = column;
  return kind === 'row' || (kind === 'value' && question.type === 'single_choice') ? choicesOf(question) : [];
}

function choicesOf(question: IndexedQuestion): readonly IndexedOption[] {
  return question.type === 'matrix' ? question.columns : question.options;
}

type Read<Value> = Value | Ambiguous | undefined;

function answerOf(question: IndexedQuestion, cell: string, context: CellContext): Read<JsonValue> {
  switch (question.type) {
    case 'single_choice':
      return optionOf(question.options, cell, context);
    case 'multiple_choice':
      return splitChoices(question.options, cell, context);
    default: {
      if (cell === UNANSWERED) {
        if (question.isNumeric || question.type === 'rating') context.onSeen();
        return undefined;
      }
      return question.type === 'date' ? toDate(cell, question.dateFormat) : cell;
    }
  }
}

/** The option id of a cell, or the value for an unknown one; undefined for an unanswered one. */
function optionOf(
  options: readonly IndexedOption[],
  cell: string,
  { find, wording }: Pick<CellContext, 'find' | 'wording'>,
): Read<JsonValue> {
  const found = find(options, cell, wording);
  if (found.kind === 'option') return found.id;
  if (found.kind === 'ambiguous') return new Ambiguous(found.ids);
  return cell === UNANSWERED ? undefined : toUnknown(cell, options);
}

/** Splits choices at commas. Option texts can contain commas too. */
function splitChoices(options: readonly IndexedOption[], cell: string, context: CellContext): Read<JsonValue> {
  const parts = cell.split(',');
  const chosen: JsonValue[] = [];
  for (let start = 0; start < parts.length; ) {
    const { found, end } = longestOption(options, parts, start, context);
    if (found.kind === 'ambiguous') return new Ambiguous(found.ids);
    const part = parts[start]?.trim() ?? '';
    if (found.kind === 'option') chosen.push(found.id);
    else if (part !== '' && part !== UNANSWERED) chosen.push(toUnknown(part, options));
    start = end;
  }
  return chosen.length === 0 ? undefined : [...new Set(chosen)];
}

/** Maximum parts of a cell that can together be the text of one option. */
const MAX_PARTS = 20;

function longestOption(
  options: readonly IndexedOption[],
  parts: readonly string[],
  start: number,
  { find, wording }: CellContext,
) {
  for (let end = Math.min(parts.length, start + MAX_PARTS); end > start; end -= 1) {
    const found = find(options, parts.slice(start, end).join(',').trim(), wording);
    if (found.kind !== 'none') return { found, end };
  }
  return { found: { kind: 'none' } as const, end: start + 1 };
}

/**
 * Whether an option is chosen. Exports have 1, its number or its text for a chosen option, also a text that it had
 * before. Converted files can have words for "no".
 */
function isChosen(cell: string, option: IndexedOption): boolean {
  if (cell === option.code || option.texts.includes(cell)) return true;
  return cell !== UNANSWERED && isChosenWord(cell) !== false;
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
