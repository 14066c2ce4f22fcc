import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { setMember } from '@survey/questionnaire/json';
import { Ambiguous, type FindOption, type Wording } from '../option-wording.ts';
import { OTHER_TEXT } from '../other-text.ts';
import type { AnswerColumn } from './answer-columns.ts';
import { codeOfWord, hasOwnWords, NO_ANSWER } from './own-words.ts';
import type { IndexedOption, IndexedQuestion } from './question-index.ts';

const OTHER_CODE = '-oth-';

/** How the cells of a file are read. */
interface CellReading {
  readonly find: FindOption;
  readonly wording: Wording;
}

/** The answers of a response, or the column whose cell nobody can tell the meaning of, and the options that it could be. */
type Answered = { readonly answers: JsonObject } | { readonly name: string; readonly ids: readonly string[] };

/** The answers of one response by question. What stands for no option stays as it is, so that it is refused with the rest. */
export function readAnswers(
  cells: Iterable<readonly [column: AnswerColumn, cell: string, name: string]>,
  reading: CellReading,
): Answered {
  const answers: Record<string, JsonValue> = {};
  const others = new Map<IndexedQuestion, string>();
  for (const [column, cell, name] of cells) {
    if (cell === '') continue;
    const { question } = column;
    switch (column.kind) {
      case 'value': {
        const value = answerOf(question, cell, reading);
        if (value instanceof Ambiguous) return { name, ids: value.ids };
        if (value !== undefined) setMember(answers, question.id, value);
        break;
      }
      case 'other':
        if (cell !== NO_ANSWER) others.set(question, cell);
        break;
      case 'option': {
        const chosen = choiceOf(question, cell, column.option);
        if (chosen !== undefined) setMember(answers, question.id, [...listIn(answers, question.id), chosen]);
        break;
      }
      case 'row': {
        const id = optionOf(question.options, cell, reading);
        if (id instanceof Ambiguous) return { name, ids: id.ids };
        if (id !== undefined) setMember(rowsIn(answers, question.id), column.row.id, id);
        break;
      }
      case 'cell': {
        const chosen = choiceOf(question, cell, column.column);
        const rows = rowsIn(answers, question.id);
        if (chosen !== undefined) setMember(rows, column.row.id, [...listIn(rows, column.row.id), chosen]);
        break;
      }
      case 'rank': {
        const id = optionOf(question.rows, cell, reading);
        if (id instanceof Ambiguous) return { name, ids: id.ids };
        if (id !== undefined) setMember(rowsIn(answers, question.id), id, column.rank.id);
      }
    }
  }
  for (const [question, text] of others) addOther(answers, question, text);
  return { answers };
}

/** What the cells of a column choose from, one each; none when they choose nothing. */
export function optionsIn({ kind, question }: AnswerColumn): readonly IndexedOption[] {
  if (kind === 'rank') return question.rows;
  return kind === 'row' || (kind === 'value' && question.type === 'single_choice') ? question.options : [];
}

type Read<Value> = Value | Ambiguous | undefined;

function answerOf(question: IndexedQuestion, cell: string, reading: CellReading): Read<JsonValue> {
  switch (question.type) {
    case 'single_choice': {
      if (question.allowOther && cell === OTHER_CODE) return { option: 'other', text: OTHER_TEXT };
      const id = optionOf(question.options, cell, reading);
      if (id !== cell || question.options.some((option) => option.id === id)) return id;
      // In full answers it is called so, unless the survey is in another language.
      if (question.allowOther && cell === OTHER_TEXT) return { option: 'other', text: OTHER_TEXT };
      const code = hasOwnWords(question) ? codeOfWord(question, cell) : undefined;
      return question.options.find((option) => option.code === code)?.id ?? cell;
    }
    case 'date':
      return cell.slice(0, 'YYYY-MM-DD'.length);
    case 'time':
      return toTime(cell);
    case 'text':
      return question.format === 'number' || question.format === 'integer' ? toNumber(cell) : cell;
    default:
      return cell;
  }
}

function addOther(answers: Record<string, JsonValue>, { id, type, options }: IndexedQuestion, text: string): void {
  if (type === 'multiple_choice') {
    setMember(answers, id, { options: [...listIn(answers, id)], other: text });
    return;
  }
  // Where another option is chosen the text is left from before.
  const chosen = answers[id];
  if (typeof chosen === 'string' && options.some((option) => option.id === chosen)) return;
  setMember(answers, id, { option: 'other', text });
}

/** The id of the option that a cell stands for, else the cell; undefined when it says that nobody answered. */
function optionOf(options: readonly IndexedOption[], cell: string, { find, wording }: CellReading): Read<string> {
  const found = find(options, cell, wording);
  if (found.kind === 'option') return found.id;
  if (found.kind === 'ambiguous') return new Ambiguous(found.ids);
  return cell === NO_ANSWER ? undefined : cell;
}

/** The option that is chosen; what says neither that it is nor that it is not stands for itself. */
function choiceOf(question: IndexedQuestion, cell: string, { id, code, texts }: IndexedOption): string | undefined {
  if (cell === NO_ANSWER) return undefined;
  const said = codeOfWord(question, cell);
  if (said !== undefined) return said === 'Y' ? id : undefined;
  return cell === code || texts.includes(cell) ? id : cell;
}

/** Databases fill numbers up with zeros: `42.0000000000`. */
function toNumber(cell: string): string {
  return /^-?\d+\.\d+$/.test(cell) ? cell.replace(/\.?0+$/, '') : cell;
}

/** The time of `1970-01-01 09:30:00`. */
function toTime(cell: string): string {
  const time = /(?:^|[ T])(\d{2}:\d{2})(:\d{2})?$/.exec(cell);
  if (time === null) return cell;
  const [, minutes = '', seconds = ''] = time;
  return seconds === ':00' ? minutes : `${minutes}${seconds}`;
}

function rowsIn(answers: Record<string, JsonValue>, id: string): Record<string, JsonValue> {
  const before = answers[id];
  if (typeof before === 'object' && before !== null && !Array.isArray(before)) return before;
  const rows: Record<string, JsonValue> = {};
  setMember(answers, id, rows);
  return rows;
}

function listIn(owner: Record<string, JsonValue>, name: string): readonly JsonValue[] {
  const value = owner[name];
  return Array.isArray(value) ? value : [];
}
