import type { JsonObject } from '@bufbuild/protobuf';
import { type AnswerColumn, codeOf, createColumnFinder } from './answer-columns.ts';
import { indexQuestions } from './question-index.ts';

/** Recognises the names of columns in exports of responses. */
export interface ColumnNames {
  /** The answer columns with a name; empty if no question has one. */
  find(name: string): readonly AnswerColumn[];
  isQuestion(name: string): boolean;
  /** Converts a heading about the response to its code: `id. Response ID` to `id`. Other headings are unchanged. */
  toName(heading: string): string;
  /** Whether a column is about the response, or of a question of the survey. */
  isKnown(name: string): boolean;
  /** Whether a column has times of the response, or answers to a date question. */
  isTime(name: string): boolean;
}

/** Columns with details of the response: id, times and language. */
const DETAILS: readonly string[] = ['id', 'submitdate', 'startdate', 'datestamp', 'startlanguage'];
/** Columns with times of the response. */
export const TIME_COLUMNS: readonly string[] = ['submitdate', 'startdate', 'datestamp'];
/** Columns about the response that its metadata keeps. */
export const METADATA: readonly string[] = ['token', 'ipaddr', 'refurl', 'seed', 'lastpage'];
/** Columns with durations. */
export const DURATION_COLUMNS = /Time\d*$|^interviewtime$/;

export function createColumnNames(payload: JsonObject): ColumnNames {
  const find = createColumnFinder(indexQuestions(payload));
  const isQuestion = (name: string) => find(name).length > 0;
  return {
    find,
    isQuestion,
    toName(heading) {
      const code = codeOf(heading) ?? '';
      const isAboutResponse = DETAILS.includes(code) || METADATA.includes(code) || DURATION_COLUMNS.test(code);
      return isAboutResponse && !isQuestion(heading) ? code : heading;
    },
    isKnown: (name) => DETAILS.includes(name) || METADATA.includes(name) || isQuestion(name),
    isTime: (name) => TIME_COLUMNS.includes(name) || find(name).some(({ question }) => question.type === 'date'),
  };
}
