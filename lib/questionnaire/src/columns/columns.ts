import { isRefusal } from '../answers/answer-type.ts';
import type { CompiledQuestion } from '../compiled-question.ts';
import { ownMember } from '../json.ts';
import { toProblem } from '../problem.ts';
import type { AnswerProblem, ResponseData } from '../validate.ts';
import type { ListItem, ListName } from './cell-format.ts';

/** One CSV column of responses: `q`, `q[option]`, `q[row]`, `q[row][column]` or `q.other`. */
export interface Column {
  readonly name: string;
  readonly question_id: string;
  /** The option, row and column that the name names, in its order; `other` stands for a text of own wording. */
  readonly items: readonly ListItem[];
  /** The list of the question whose ids stand in its cells, or `other`; undefined where they hold something else. */
  readonly holds?: ListName;
  /** Whether its cells hold numbers that were checked as such: those of ratings. */
  readonly isNumber?: true;
}

interface ColumnAnswers {
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
  readonly columns: readonly Column[];
}

export const createColumnFormat = (questions: readonly CompiledQuestion[]): ColumnFormat => {
  const all: readonly QuestionColumns[] = questions.map((question) => ({
    question,
    columns: question.rules.cells
      .columns()
      .map(({ suffix, ...rest }) => ({ name: `${question.id}${suffix}`, question_id: question.id, ...rest })),
  }));
  return {
    columns: all.flatMap(({ columns }) => columns),

    answersFromColumns: (row) => {
      const answers: [string, unknown][] = [];
      const errors: AnswerProblem[] = [];
      for (const { question, columns } of all) {
        const cells = columns.map(({ name }) => String(ownMember(row, name) ?? ''));
        const read = question.rules.cells.fromCells(cells);
        if (isRefusal(read)) errors.push(toProblem(read.code, question.dataPath, read.detail, question.id));
        else if (read.value !== undefined) answers.push([question.id, read.value]);
      }
      return { data: Object.fromEntries(answers), errors };
    },

    cellsFromAnswers: (data) =>
      all.flatMap(({ question, columns }) => {
        const answer = Object.hasOwn(data, question.id) ? data[question.id] : undefined;
        return answer === undefined ? columns.map(() => '') : question.rules.cells.toCells(answer);
      }),
  };
};
