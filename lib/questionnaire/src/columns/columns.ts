import { isRefusal } from '../answers/answer-type.ts';
import type { CompiledQuestion } from '../compiled-question.ts';
import { ownMember } from '../json.ts';
import { toProblem } from '../problem.ts';
import type { AnswerProblem, ResponseData } from '../validate.ts';

/** One CSV column of responses: `q`, `q[option]`, `q[row]`, `q[row][column]` or `q.other`. */
export interface Column {
  readonly name: string;
  readonly question_id: string;
}

export interface ColumnAnswers {
  /** Answers by question id, for `validate(data, {lenient: true})`. */
  readonly data: { readonly [questionId: string]: unknown };
  readonly errors: readonly AnswerProblem[];
}

/** How the responses of one survey are written to and read from CSV; header and metadata are the caller's. */
export interface ColumnFormat {
  /** In the order of the definition. */
  readonly columns: readonly Column[];
  /**
   * Reads the answers from the cells of one row by column name. Absent cells are empty ones, and names that are
   * no column are left alone: compare a header with `columns` once instead.
   */
  answersFromColumns(row: { readonly [column: string]: string | undefined }): ColumnAnswers;
  /** One cell for each of `columns`; takes what `validate` gave. */
  cellsFromAnswers(data: ResponseData): readonly string[];
}

interface QuestionColumns {
  readonly question: CompiledQuestion;
  readonly names: readonly string[];
}

export const createColumnFormat = (questions: readonly CompiledQuestion[]): ColumnFormat => {
  const all: readonly QuestionColumns[] = questions.map((question) => ({
    question,
    names: question.rules.cells.suffixes().map((suffix) => `${question.id}${suffix}`),
  }));
  return {
    columns: all.flatMap(({ question, names }) => names.map((name) => ({ name, question_id: question.id }))),

    answersFromColumns: (row) => {
      const answers: [string, unknown][] = [];
      const errors: AnswerProblem[] = [];
      for (const { question, names } of all) {
        const cells = names.map((name) => String(ownMember(row, name) ?? ''));
        const read = question.rules.cells.fromCells(cells);
        if (isRefusal(read)) errors.push(toProblem(read.code, question.dataPath, read.detail, question.id));
        else if (read.value !== undefined) answers.push([question.id, read.value]);
      }
      return { data: Object.fromEntries(answers), errors };
    },

    cellsFromAnswers: (data) =>
      all.flatMap(({ question, names }) => {
        const answer = Object.hasOwn(data, question.id) ? data[question.id] : undefined;
        return answer === undefined ? names.map(() => '') : question.rules.cells.toCells(answer);
      }),
  };
};
