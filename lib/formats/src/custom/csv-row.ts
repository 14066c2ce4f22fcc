import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { readRange } from '@survey/questionnaire/answers/types/rating';
import {
  isQuestionType,
  QUESTION_TYPE_NAMES,
  type QuestionTypeName,
} from '@survey/questionnaire/schema/question-schema';

/** Reports an error or warning about a cell of the row. */
export type ReportCell = (column: string, code: string, detail: string) => void;

interface QuestionRow {
  readonly cells: ReadonlyMap<string, string>;
  readonly unknown: readonly string[];
  readonly report: ReportCell;
  readonly warnOfCell: ReportCell;
}

const WITH_OPTIONS: readonly QuestionTypeName[] = ['single_choice', 'multiple_choice', 'likert', 'rating'];
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...['', 'false', 'no', '0'].map((word) => [word, false] as const),
  ...['true', 'yes', '1'].map((word) => [word, true] as const),
]);

/** Reads the question of a row. Invalid cells are reported; the result then serves only to find more errors. */
export function readQuestion({ cells, unknown, report, warnOfCell }: QuestionRow): JsonObject {
  const cell = (name: string) => cells.get(name) ?? '';
  const id = cell('question_id').trim();
  const title = cell('question_title');
  if (title.trim() === '') report('question_title', 'EMPTY_TITLE', 'the title is empty');
  const type = cell('question_type').trim().toLowerCase();
  if (!isQuestionType(type)) {
    report('question_type', 'UNKNOWN_TYPE', `the type must be one of ${QUESTION_TYPE_NAMES.join(', ')}`);
  }
  const required = FLAGS.get(cell('question_required').trim().toLowerCase());
  if (required === undefined) report('question_required', 'WRONG_TYPE', 'the value must be true or false');
  const options = cell('question_options');
  const members = isQuestionType(type) ? readOptions(type, options, report) : {};
  const sourceData: [string, string][] = unknown.map((name) => [name, cell(name)]);
  if (members === undefined) {
    warnOfCell('question_options', 'KEPT_AS_SOURCE_DATA', `${type} takes no options; they are kept in source_data`);
    sourceData.push(['question_options', options]);
  }
  if (looksCommaSeparated(members?.['options'])) {
    warnOfCell('question_options', 'ONE_OPTION', 'the question has a single option with commas; separate options by |');
  }
  const kept = sourceData.filter(([, value]) => value !== '');
  return {
    ...(id === '' ? {} : { id }),
    type,
    title,
    required: required ?? false,
    ...members,
    ...(kept.length === 0 ? {} : { source_data: Object.fromEntries(kept) }),
  };
}

/** Whether a list looks like several options that are separated by commas. */
function looksCommaSeparated(options: JsonValue | undefined): boolean {
  if (!Array.isArray(options) || options.length !== 1) return false;
  const [only] = options;
  return typeof only === 'string' && only.includes(',');
}

/** Question members made of the options cell; undefined if the type has no options. */
function readOptions(type: QuestionTypeName, cell: string, report: ReportCell): Record<string, JsonValue> | undefined {
  if (cell.trim() === '') return {};
  if (!WITH_OPTIONS.includes(type)) return undefined;
  const range = type === 'rating' ? readRange(cell) : undefined;
  if (range !== undefined) return { ...range };
  const options = splitBars(cell);
  if (options.includes('')) report('question_options', 'BAD_OPTION', 'an option is empty');
  return { options };
}

/** Splits a cell at bars. `\|` is a literal bar. */
export function splitBars(cell: string): string[] {
  return cell.split(/(?<!\\)\|/).map((part) => part.replaceAll('\\|', '|').trim());
}
