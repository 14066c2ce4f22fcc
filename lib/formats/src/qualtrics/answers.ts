import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { setMember } from '@survey/questionnaire/json';
import { Ambiguous, isChosenWord, toUnknown } from '../core/columns/choices.ts';
import {
  type CellValue,
  type CellWording,
  createCodedAnswers,
  optionOf,
  optionsIn,
} from '../core/columns/coded-answers.ts';
import type { UnassignedValue, UnusableValue } from '../core/responses/response.ts';
import { hasUnusualYear, UNUSUAL_YEAR } from '../tables/column-values.ts';
import type { AnswerColumn, IndexedOption, IndexedQuestion } from './headers.ts';
import { toDate } from './questions.ts';

export interface CellContext extends CellWording {
  readonly questions: ReadonlyMap<string, IndexedQuestion>;
  /** Called for a number that only means "seen but not answered". */
  onSeen(): void;
}

interface ReadAnswers {
  readonly answers: JsonObject;
  /** Cells that could mean several options, and dates of other calendars. */
  readonly unread: readonly UnusableValue[];
  /** Texts without a question: their option is not chosen, or has no question for its text. */
  readonly unassigned: readonly UnassignedValue[];
}

/** Qualtrics writes this for a question that was seen but not answered. */
export const UNANSWERED = '-99';

/** Reads the answers of a row by question id. Unknown options become values that validation rejects (`toUnknown`). */
export function readAnswers(
  columns: readonly (AnswerColumn | undefined)[],
  cells: readonly string[],
  context: CellContext,
): ReadAnswers {
  const { answers, unread, add } = createCodedAnswers();
  const texts: (readonly [question: IndexedQuestion, text: string])[] = [];
  for (const [position, column] of columns.entries()) {
    const cell = cells[position]?.trim() ?? '';
    if (column === undefined || cell === '') continue;
    const { kind, question } = column;
    if (kind === 'other') {
      if (cell !== UNANSWERED) texts.push([question, cell]);
      continue;
    }
    const value = cellValueOf(column, cell, context);
    if (question.type === 'date' && typeof value === 'string' && hasUnusualYear(value)) {
      unread.push({ kind: 'answer', name: question.id, ...UNUSUAL_YEAR, value: cell });
    } else {
      add(
        column,
        cell,
        value,
        (ids) =>
          `the cell could mean ${ids}; export values in place of choice texts, or choice texts in place of values`,
      );
    }
  }
  const unassigned = texts.flatMap(([question, text]) => addText(answers, question, text, context));
  return { answers, unread, unassigned };
}

/** Adds the text that a respondent entered for the chosen option. Returns the text if no question takes it. */
function addText(
  answers: JsonObject,
  question: IndexedQuestion,
  text: string,
  { questions }: CellContext,
): readonly UnassignedValue[] {
  const chosen = question.options.find(({ id }) => id === answers[question.id]);
  const entry = chosen && questions.get(`${question.sourceId}_${chosen.key}_TEXT`);
  if (entry !== undefined) {
    setMember(answers, entry.id, text);
    return [];
  }
  const detail = 'no option with a text is chosen';
  return [{ column: `${question.id}_TEXT`, code: 'NOT_AN_ANSWER', detail, value: text }];
}

function cellValueOf(column: AnswerColumn, cell: string, context: CellContext): CellValue {
  const { question } = column;
  switch (column.kind) {
    case 'option':
      return isChosen(cell, column.option) ? column.option.id : undefined;
    case 'cell':
      return isChosen(cell, column.column) ? column.column.id : undefined;
    case 'row':
      return optionOf(optionsIn(column), cell, context);
    default:
  }
  if (question.type === 'single_choice') return optionOf(question.options, cell, context);
  if (question.type === 'multiple_choice') return splitChoices(question.options, cell, context);
  if (cell !== UNANSWERED) return question.type === 'date' ? toDate(cell, question.dateFormat) : cell;
  if (question.isNumeric || question.type === 'rating') context.onSeen();
  return undefined;
}

/** Splits choices at commas. Option texts can contain commas too. */
function splitChoices(options: readonly IndexedOption[], cell: string, context: CellWording): CellValue {
  const parts = cell.split(',');
  const chosen = new Set<JsonValue>();
  for (let start = 0; start < parts.length; ) {
    const { found, end } = longestOption(options, parts, start, context);
    if (found instanceof Ambiguous) return found;
    const part = parts[start]?.trim() ?? '';
    if (found !== undefined) chosen.add(found);
    else if (part !== '' && part !== UNANSWERED) chosen.add(toUnknown(part, options));
    start = end;
  }
  return chosen.size === 0 ? undefined : [...chosen];
}

/** Maximum parts of a cell that can together be the text of one option. */
const MAX_PARTS = 20;

/** Finds the option whose text has the most parts of the cell, from `start` on. `end` is the position after them. */
function longestOption(
  options: readonly IndexedOption[],
  parts: readonly string[],
  start: number,
  { find, wording }: CellWording,
) {
  for (let end = Math.min(parts.length, start + MAX_PARTS); end > start; end -= 1) {
    const found = find(options, parts.slice(start, end).join(',').trim(), wording);
    if (found !== undefined) return { found, end };
  }
  return { found: undefined, end: start + 1 };
}

/**
 * Whether an option is chosen. Exports have 1, the number of the option, or its text, which can be an earlier one.
 * Converted files can have words for "no".
 */
function isChosen(cell: string, option: IndexedOption): boolean {
  if (cell === option.code || option.texts.includes(cell)) return true;
  return cell !== UNANSWERED && isChosenWord(cell) !== false;
}
